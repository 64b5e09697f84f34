import ts from 'typescript';
import { packageFile } from '../../shared/process/package-root.js';
import type { KubernetesObject } from './rendered.js';

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

const moduleOf = (apiVersion: string) =>
  `${apiVersion.startsWith('monitoring.') ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'}/${apiVersion}`;

/**
 * Compares objects with the types of the Kubernetes API, as literals: besides values of another type and missing fields, the
 * compiler finds fields that the API does not have, which its own schemas let pass.
 */
export function typeProblems(objects: KubernetesObject[]): string[] {
  const text = objects
    .map((object, at) => {
      const type = `import('${moduleOf(object.apiVersion)}').I${object.kind}`;
      return `export const object${at}: ${type} = ${JSON.stringify(object)};`;
    })
    .join('\n');
  const name = packageFile('objects.ts');
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => path === name || fileExists(path);
  host.readFile = (path) => (path === name ? text : readFile(path));
  host.getSourceFile = (path, ...rest) =>
    path === name ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2022) : getSourceFile(path, ...rest);
  const program = ts.createProgram([name], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file, start = 0 }) => {
    const line = file?.getLineAndCharacterOfPosition(start).line ?? 0;
    const { kind = '', metadata } = objects[line] ?? {};
    return `${kind} ${metadata?.name ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}
