import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));
const product = ['services', 'shared']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith('.ts') && !/\.(test|baseline)\.ts$|\/(testing|suite)\/|\/suite\.ts$/.test(file))
  .sort();
const sources = product.map((file) =>
  ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true),
);

const isFunction = (node: ts.Node): boolean =>
  ts.isFunctionDeclaration(node) ||
  (ts.isVariableDeclaration(node) && node.initializer !== undefined && ts.isArrowFunction(node.initializer));

/** Calls `found` for each name that a declaration of the file binds. */
function eachName(node: ts.Node, found: (name: string, of: ts.Node) => void): void {
  const { name } = node as { name?: ts.Node };
  const declares = ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node) || ts.isParameter(node);
  if (declares && name && ts.isIdentifier(name)) found(name.text, node);
  ts.forEachChild(node, (child) => eachName(child, found));
}

function namesOf(source: ts.SourceFile, takes: (of: ts.Node) => boolean = () => true): string[] {
  const names: string[] = [];
  eachName(source, (name, of) => takes(of) && names.push(name));
  return names;
}

const valuesOf = (source: ts.SourceFile): string[] => namesOf(source, (of) => !isFunction(of));

const breaking = (rule: (source: ts.SourceFile) => boolean): string[] =>
  sources.filter(rule).map(({ fileName }) => fileName);

it('a doc comment begins with a verb or the name of the thing', () => {
  const opening = /\/\*\*[\s*]*(What|Of|That of|Those of) /;
  expect(breaking(({ text }) => opening.test(text))).toEqual([]);
});

// A function may find the longest item of its data.
it('a bound is called max… or min…', () => {
  const superlative = /^(most|longest|deepest|largest|fewest|shortest)([A-Z]|$)/;
  expect(breaking((source) => valuesOf(source).some((name) => superlative.test(name)))).toEqual([]);
});

it('nothing is called told', () => {
  expect(breaking((source) => namesOf(source).some((name) => /^told([A-Z]|$)/.test(name)))).toEqual([]);
});

/** The names that a file itself exports: what it hands on is the same thing. */
const exportsOf = (source: ts.SourceFile): string[] =>
  source.statements.flatMap((statement) => {
    if (!ts.canHaveModifiers(statement)) return [];
    if (!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
    const { name } = statement as { name?: ts.Identifier };
    return name ? [name.text] : [];
  });

// A contract names each verb as the function that answers it.
it('no two files of a service export the same name, besides its contract', () => {
  const files = new Map<string, Set<string>>();
  for (const source of sources) {
    const [, service] = /^services\/([^/]+)\/(?!(.*\/)?contract[./])/.exec(source.fileName) ?? [];
    if (service === undefined) continue;
    for (const name of exportsOf(source)) {
      const key = `${service} ${name}`;
      files.set(key, (files.get(key) ?? new Set()).add(source.fileName));
    }
  }
  const twice = [...files].flatMap(([key, { size }]) => (size > 1 ? [key] : []));
  expect(twice.sort()).toEqual([]);
});

// A verb says what a function does, a noun what it answers; `kept` or `writtenIn` says neither.
it('no exported function is called by a participle alone', () => {
  const irregular =
    'begun|bound|brought|built|chosen|done|drawn|found|given|gone|hidden|held|kept|known|left|lost|made|met|seen|sent|shown|sought|spent|taken|told|written';
  const words = 'At|As|Before|After|By|For|From|In|Into|Of|On|Out|Over|To|With|Without';
  const participle = new RegExp(`^(?!embed|feed|need|seed)([a-z]+ed|${irregular})(${words})?$`);
  const breaks = (source: ts.SourceFile) => {
    const functions = namesOf(source, isFunction);
    return exportsOf(source).some((name) => participle.test(name) && functions.includes(name));
  };
  expect(breaking(breaks)).toEqual([]);
});
