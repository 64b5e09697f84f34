import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { packageFile } from '../../shared/process/package-root.js';
import { brokenFrontMatter, brokenLinks, brokenTables, type House, missingPaths, unlistedPages } from './handbook.js';

const filesIn = (folder: string, ending: string) =>
  readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);
const house: House = {
  pages: new Map(
    ['README.md', 'CONTRIBUTING.md', ...filesIn('docs', '.md')].map((path) => [
      path,
      readFileSync(packageFile(path), 'utf8'),
    ]),
  ),
  sources: ['services', 'shared', 'test', 'bench'].flatMap((folder) => filesIn(folder, '.ts')),
  exists: (path) => existsSync(packageFile(path)),
};

describe('the handbook', () => {
  it('has no relative link that leads nowhere', () => {
    expect(brokenLinks(house)).toEqual([]);
  });

  it('names no file of the repository that does not exist', () => {
    expect(missingPaths(house)).toEqual([]);
  });

  it('has front matter that can be read', () => {
    expect(brokenFrontMatter(house)).toEqual([]);
  });

  it('has whole tables', () => {
    expect(brokenTables(house)).toEqual([]);
  });

  it('lists every page in its table of contents', () => {
    expect(unlistedPages(house)).toEqual([]);
  });
});

describe('the check of the handbook', () => {
  const houseOf = (pages: Record<string, string>, files: string[] = []): House => ({
    pages: new Map(Object.entries(pages)),
    sources: files,
    exists: (path) => path in pages || files.includes(path),
  });

  it('finds front matter that is no YAML', () => {
    const pages = {
      'a.md': '---\ndescription: One: two\n---\n',
      'b.md': '---\ndescription: One\n---\n',
      'c.md': '# C\n',
    };
    expect(brokenFrontMatter(houseOf(pages)).map((line) => line.split(' ')[0])).toEqual(['a.md']);
  });

  it('finds links and anchors that lead nowhere', () => {
    const page = [
      '---\ndescription: A page.\n---\n\n# A `page`: its *parts*\n\n## Parts\n\n## Parts\n',
      '[a](other.md) [b](#a-page-its-parts) [c](../README.md#start) [d](#parts-1) [e](https://example.com/x) [f](/v1)',
      '[g](gone.md) [h](#description-a-page) [i](../README.md#end) [j](#parts-2) <img src="gone.png"> ![k](no.png)',
      '{% content-ref url="lost.md" %}',
    ].join('\n');
    const house = houseOf({ 'docs/page.md': page, 'docs/other.md': '', 'README.md': '# Start\n' });
    expect(brokenLinks(house).map((line) => line.split(' ')[1])).toEqual([
      'gone.md',
      '#description-a-page',
      '../README.md#end',
      '#parts-2',
      'no.png',
      'gone.png',
      'lost.md',
    ]);
  });

  it('finds paths in code that do not exist', () => {
    const page = [
      'Run `node dist/bench/run.js`, read `shared/values/ids.ts` and `services/<name>/contract.ts`, not services/plain.ts.',
      'In `ids.ts`, `<room>-handlers.ts`, `shared/*.ts`, `node/ids.js`; not in `lost.ts` or `other/ids.ts`.',
      'Look at `../shared/elsewhere.ts`, `https://example.com/docs/x` and `shared/store/*.ts`.',
      'Write `services/new/service.ts`:\n\n```ts\nx\n```\n\nIn `services/new/` and `new/service.ts`.',
      'Gone: `shared/gone.ts`, `docs/gone.md`, `dist/bench/gone.js`, `shared/lost/*.ts`.',
      '```sh\ncat test/gone.ts\n```',
    ].join('\n\n');
    const files = ['bench/run.ts', 'shared/values/ids.ts', 'services', 'shared', 'shared/store'];
    expect(missingPaths(houseOf({ 'README.md': page }, files))).toEqual(
      ['shared/gone.ts', 'docs/gone.md', 'bench/gone.js', 'shared/lost', 'test/gone.ts', 'lost.ts', 'other/ids.ts'].map(
        (path) => `README.md: ${path} does not exist`,
      ),
    );
  });

  it('finds tables that are split and rows of another number of cells', () => {
    const whole = '| a | b |\n| --- | :-: |\n| `x \\| y` | |\n';
    const code = '```text\n| a |\n| b |\n```\n';
    expect(brokenTables(houseOf({ 'README.md': `${whole}\n${code}` }))).toEqual([]);
    expect(brokenTables(houseOf({ 'README.md': `${whole}\n| c | d |\n` }))).toEqual([
      'README.md: a table without a header: | c | d |',
    ]);
    expect(brokenTables(houseOf({ 'README.md': `${whole}| \`c | d\` | e |\n| f |\n` }))).toEqual([
      'README.md: a row of 3 cells in a table of 2: | `c | d` | e |',
      'README.md: a row of 1 cells in a table of 2: | f |',
    ]);
  });

  it('finds pages that the table of contents leaves out', () => {
    const pages = { 'docs/SUMMARY.md': '* [A](a.md)\n', 'docs/a.md': '', 'docs/b/c.md': '', 'README.md': '' };
    expect(unlistedPages(houseOf(pages))).toEqual(['docs/SUMMARY.md: lacks docs/b/c.md']);
  });
});
