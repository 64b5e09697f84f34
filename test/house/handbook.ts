import { posix } from 'node:path';
import GithubSlugger from 'github-slugger';
import { marked, type Token, type Tokens } from 'marked';
import { parseDocument } from 'yaml';

/** The pages of the handbook and those of the repository's root: paths relative to the root, and their Markdown. */
export type Pages = ReadonlyMap<string, string>;

export interface House {
  pages: Pages;
  /** The paths of all source files. */
  sources: readonly string[];
  /** Whether a path relative to the repository's root is a file or a folder. */
  exists: (path: string) => boolean;
}

/** Pages whose front matter is no YAML: their descriptions are shown nowhere. */
export const brokenFrontMatter = ({ pages }: Pick<House, 'pages'>): string[] =>
  [...pages].flatMap(([path, page]) => {
    const [, source = ''] = /^---\n(.*?)\n---\n/s.exec(page) ?? [];
    return parseDocument(source).errors.map(({ message }) => `${path} ${message.split('\n', 1)[0]}`);
  });

const withoutFrontMatter = (page: string) => page.replace(/^---\n.*?\n---\n/s, '');

function tokensOf(page: string): Token[] {
  const tokens: Token[] = [];
  marked.walkTokens(marked.lexer(withoutFrontMatter(page)), (token) => void tokens.push(token));
  return tokens;
}

const isA = <T extends Token>(type: string) => {
  return (token: Token): token is T => token.type === type;
};

/** What a heading reads as, without marks. */
const plainText = ({ tokens, text = '' }: { tokens?: Token[]; text?: string }): string =>
  tokens ? tokens.map((token) => (token.type === 'html' ? '' : plainText(token as never))).join('') : text;

/** The anchors of a page as GitHub makes them of headings, and those that the page sets itself. */
function anchorsOf(page: string): Set<string> {
  const slugger = new GithubSlugger();
  const slugs = tokensOf(page)
    .filter(isA<Tokens.Heading>('heading'))
    .map((heading) => slugger.slug(plainText(heading)));
  return new Set([...slugs, ...[...page.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id)]);
}

function targetsOf(page: string): string[] {
  const tokens = tokensOf(page);
  const links = tokens.filter((token): token is Tokens.Link => token.type === 'link' || token.type === 'image');
  const html = tokens
    .filter(isA<Tokens.HTML>('html'))
    .flatMap(({ text }) => [...text.matchAll(/\b(?:href|src)="([^"]+)"/g)]);
  const references = page.matchAll(/\{% content-ref url="([^"]+)"/g);
  return [...links.map(({ href }) => href), ...[...html, ...references].map(([, target = '']) => target)];
}

const isElsewhere = (target: string) => /^([a-z][a-z+.-]*:|\/)/i.test(target);

/** Relative links to files and anchors that do not exist. */
export function brokenLinks({ pages, exists }: House): string[] {
  const anchors = new Map([...pages].map(([path, page]) => [path, anchorsOf(page)]));
  return [...pages].flatMap(([path, page]) =>
    targetsOf(page)
      .filter((target) => !isElsewhere(target))
      .filter((target) => {
        const [file = '', anchor] = target.split('#');
        const linked = file === '' ? path : posix.join(posix.dirname(path), decodeURI(file));
        if (!exists(linked)) return true;
        return anchor !== undefined && anchors.get(linked)?.has(decodeURI(anchor)) === false;
      })
      .map((target) => `${path}: ${target} leads nowhere`),
  );
}

const namedPath =
  /(?<![\w./@~-])(?:dist\/)?((?:services|shared|test|bench|docs)\/(?:[\w./-]*[\w/-])?)([<*{[…]|\.\.\.)?/g;

/** The files and folders that a text names; of a pattern (`services/<name>/`), the folder before it. */
const pathsIn = (code: string): string[] =>
  [...code.matchAll(namedPath)].map(([, path = '', pattern]) =>
    pattern === undefined ? path : path.slice(0, path.lastIndexOf('/')),
  );

/** The files that a page tells its reader to write: their names end the line above a code block. */
const madeBy = (page: string): string[] =>
  [...page.matchAll(/`([\w./-]+\.tsx?)`:\n\n```/g)].map(([, path = '']) => path);

/** The end of a source file's path, or its name alone. */
const sourceName = /(?<![\w./@~*{}<>-])(?!(?:services|shared|test|bench|docs)\/)[\w-][\w./-]*\.ts\b/g;

/** Paths and names of source files in code that do not exist; `.js` may stand for the `.ts` that it is made of. */
export function missingPaths({ pages, sources, exists }: House): string[] {
  return [...pages].flatMap(([path, page]) => {
    const made = madeBy(page);
    const isPath = (named: string) =>
      exists(named) || exists(named.replace(/\.js$/, '.ts')) || made.some((file) => `${file}/`.startsWith(named));
    const isName = (named: string) => [...sources, ...made].some((source) => `/${source}`.endsWith(`/${named}`));
    const spans = tokensOf(page).filter(isA<Tokens.Codespan>('codespan'));
    const blocks = tokensOf(page).filter(isA<Tokens.Code>('code'));
    const paths = [...spans, ...blocks].flatMap(({ text }) => pathsIn(text)).filter((named) => !isPath(named));
    const names = spans.flatMap(({ text }) => text.match(sourceName) ?? []).filter((named) => !isName(named));
    return [...new Set([...paths, ...names])].map((each) => `${path}: ${each} does not exist`);
  });
}

const cellsOf = (row: string) =>
  row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/).length;
const isDelimiter = (row: string | undefined) => row !== undefined && /^\|(\s*:?-+:?\s*\|)+$/.test(row.trim());

/** Tables that do not begin with a header, as the second half of a split one, or whose rows differ in their cells. */
export function brokenTables({ pages }: Pick<House, 'pages'>): string[] {
  return [...pages].flatMap(([path, page]) => {
    const text = page.replace(/^( *)(```|~~~).*?^\1\2/gms, (block) => block.replace(/^.*$/gm, '~'));
    return [...text.matchAll(/(?:^[ \t]*\|.*(?:\n|$))+/gm)].flatMap(([table]) => {
      const [header = '', delimiter, ...rows] = table.trimEnd().split('\n');
      if (!isDelimiter(delimiter)) return [`${path}: a table without a header: ${header}`];
      const cells = cellsOf(header);
      return [delimiter ?? '', ...rows]
        .filter((row) => cellsOf(row) !== cells)
        .map((row) => `${path}: a row of ${cellsOf(row)} cells in a table of ${cells}: ${row}`);
    });
  });
}

/** Pages of the handbook that its table of contents leaves out. */
export function unlistedPages({ pages }: Pick<House, 'pages'>): string[] {
  const listed = new Set(targetsOf(pages.get('docs/SUMMARY.md') ?? '').map((target) => `docs/${target}`));
  return [...pages.keys()]
    .filter((path) => path.startsWith('docs/') && path !== 'docs/SUMMARY.md' && !listed.has(path))
    .map((path) => `docs/SUMMARY.md: lacks ${path}`);
}
