import { relative } from 'node:path';
import ts from 'typescript';
import { packageFile } from '../../../shared/process/package-root.js';
import type { Schema } from './schema.js';
import { TypeSchemas } from './types.js';

/** What only the types of the sources say: what travels between processes, and what lies in the stores. */
export interface TypedContract {
  /** By the name of the action: what a verb takes and answers. */
  verbs: Record<string, { safe: boolean; takes: Schema; answers: Schema }>;
  /** Stored documents, by the name of their collection. */
  documents: Record<string, Schema>;
  /** Payloads of jobs, by the function that makes the kind. */
  jobs: Record<string, Schema>;
  /** What accompanies every call, and what every job and event is stored as, by the name of the type. */
  shared: Record<string, Schema>;
}

const sharedTypes: Record<string, string[]> = {
  'shared/contract/context.ts': ['Meta'],
  'shared/contract/caller.ts': ['ContentCaller'],
  'shared/contract/access.ts': ['Access', 'AccessQuestion'],
  'shared/contract/event.ts': ['DeliveredEvent'],
  'shared/jobs/job-records.ts': ['Job', 'Lock'],
  'shared/jobs/outbox.ts': ['OutboxEvent'],
};

function openProgram(): ts.Program {
  const read = ts.readConfigFile(packageFile('tsconfig.build.json'), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(read.config, ts.sys, packageFile(''));
  return ts.createProgram(fileNames, options);
}

/** Reads the types of this code: takes seconds. */
export function typedContract(): TypedContract {
  const program = openProgram();
  const checker = program.getTypeChecker();
  const reader = new Reader(checker, new TypeSchemas(checker));
  for (const source of program.getSourceFiles()) {
    const path = relative(packageFile(''), source.fileName);
    if (/^(services|shared)\//.test(path) && !path.includes('.test.')) reader.read(path, source);
  }
  return reader.found;
}

class Reader {
  readonly found: TypedContract = { verbs: {}, documents: {}, jobs: {}, shared: {} };

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly schemas: TypeSchemas,
  ) {}

  read(path: string, source: ts.SourceFile): void {
    const module = this.checker.getSymbolAtLocation(source);
    for (const symbol of module ? this.checker.getExportsOfModule(module) : []) {
      const declaration = symbol.declarations?.[0];
      // What is only exported again is read where it is declared.
      if (!declaration || declaration.getSourceFile() !== source) continue;
      if (sharedTypes[path]?.includes(symbol.name))
        this.found.shared[symbol.name] = this.schemas.of(this.checker.getDeclaredTypeOfSymbol(symbol));
      else this.value(symbol, declaration);
    }
  }

  private value(symbol: ts.Symbol, declaration: ts.Declaration): void {
    const type = this.checker.getTypeOfSymbol(symbol);
    const result = type.getCallSignatures()[0]?.getReturnType();
    if (result?.symbol?.name === 'JobKind') this.found.jobs[symbol.name] = this.argument(result, 0);
    const call = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
    if (!call || !ts.isCallExpression(call)) return;
    const names = call.arguments.filter(ts.isStringLiteral).map(({ text }) => text);
    const kind = (type.aliasSymbol ?? type.symbol)?.name;
    if (kind === 'Collection') this.found.documents[names[0] as string] = this.argument(type, 0);
    if (kind === 'Verb')
      this.found.verbs[names.join('.')] = {
        safe: call.expression.getText() === 'question',
        takes: this.argument(type, 0),
        answers: this.argument(type, 1),
      };
  }

  private argument(type: ts.Type, at: number): Schema {
    const argument = this.checker.getTypeArguments(type as ts.TypeReference)[at];
    return argument ? this.schemas.of(argument) : {};
  }
}
