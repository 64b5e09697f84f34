import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { packageFile } from '../../shared/package-root.js';
import { configTable, envExample } from '../../shared/settings/config-docs.js';
import { accessTable } from '../gateway/api/access-table.js';
import { compatibilityTable } from '../gateway/api/compatibility-table.js';
import { operations } from '../gateway/contracts.js';

interface PublicFile {
  paths: Record<string, Record<string, { operationId?: string }>>;
}

/** Name, method and path of each operation of the public API, from the file that comes with its client. */
function publicOperations(): string[] {
  const { paths } = createRequire(import.meta.url)('@gitbook/api/spec/openapi.json') as PublicFile;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) =>
      operationId ? [`${operationId} ${method.toUpperCase()} ${path}`] : [],
    ),
  );
}

/** As a list in the code: the product runs without that file. */
const publicOperationsModule = (lines: string[]) =>
  `/** Name, method and path of each operation of the public API. Made by \`npm run docs\`. */
export const publicOperations = [
${lines.map((line) => `  '${line}',\n`).join('')}];
`;

/** What is made from the code and from the public API: the files as they are to be. */
export function generatedFiles(): { path: string; content: string }[] {
  const page = (name: string, section: string, table: string) => {
    const path = packageFile(name);
    return { path, content: withSection(readFileSync(path, 'utf8'), section, table) };
  };
  const lines = publicOperations();
  return [
    { path: packageFile('services/gateway/api/public-operations.ts'), content: publicOperationsModule(lines) },
    page('docs/api/compatibility.md', 'operations', compatibilityTable(operations, lines)),
    { path: packageFile('.env.example'), content: envExample() },
    page('docs/operations/configuration.md', 'settings', configTable()),
    page('docs/api/access.md', 'access', accessTable(operations)),
  ];
}

/** A page with what stands between the marks of a section made anew. */
function withSection(page: string, section: string, content: string): string {
  const [begin, end] = [`<!-- ${section} -->`, `<!-- /${section} -->`];
  const [before = '', rest = ''] = page.split(begin);
  return `${before}${begin}\n\n${content}\n${end}${rest.split(end)[1] ?? ''}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const { path, content } of generatedFiles()) writeFileSync(path, content);
