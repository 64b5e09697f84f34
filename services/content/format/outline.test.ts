import fc from 'fast-check';
import { type Outline, type OutlineOptions, type OutlinePage, outlineOf } from './outline.js';

/** The outline of files given by path and text; a file titles itself by a first line `# …`. */
function outline(texts: Record<string, string>, options: Partial<OutlineOptions> = {}): Outline {
  const files = Object.keys(texts).map((path) => ({ path }));
  return outlineOf(files, {
    readText: (path) => texts[path],
    titleOf: (path) => /^# (.+)/.exec(texts[path] ?? '')?.[1],
    ...options,
  });
}

/** One line a page, indented: type (documents have none), path, title, `<- file` or `-> target`. */
function shown(pages: OutlinePage[], depth = 0): string[] {
  return pages.flatMap((page) => {
    const indent = '  '.repeat(depth);
    if (page.type === 'link') {
      const target = 'href' in page.target ? page.target.href : [page.target.file, page.target.anchor].join('#');
      return [`${indent}link ${page.title} -> ${target}`];
    }
    if (page.type === 'computed') return [`${indent}computed ${page.path} ${page.title}`];
    if (page.type === 'group') return [`${indent}group ${page.path} ${page.title}`, ...shown(page.children, depth + 1)];
    const file = page.file === undefined ? '' : ` <- ${page.file}`;
    return [`${indent}${page.path} ${page.title}${file}`, ...shown(page.children, depth + 1)];
  });
}

const messages = ({ problems }: Outline) => problems.map(({ path, message }) => `${path}: ${message}`);

describe('a space with a table of contents', () => {
  test('has pages under the slugs of their parents, groups included', () => {
    const { pages, problems } = outline({
      'SUMMARY.md':
        '* [Home](README.md)\n\n## Start here <a href="#start" id="start"></a>\n\n* [Guides](guides/README.md)\n  * [First steps](guides/first-steps.md)\n',
      'README.md': '',
      'guides/README.md': '',
      'guides/first-steps.md': '',
    });
    expect(shown(pages)).toEqual([
      'readme Home <- README.md',
      'group start Start here',
      '  start/guides Guides <- guides/README.md',
      '    start/guides/first-steps First steps <- guides/first-steps.md',
    ]);
    expect(problems).toEqual([]);
  });

  test('titles a page by the list, else by its file, else by its name', () => {
    const { pages } = outline({
      'SUMMARY.md': '* [🚀 Listed](a.md "Short")\n* [](b.md)\n* [](some-name.md)\n',
      'a.md': '# Own title',
      'b.md': '# Own title',
      'some-name.md': '',
    });
    expect(pages).toEqual([
      {
        type: 'document',
        title: 'Listed',
        emoji: '🚀',
        linkTitle: 'Short',
        slug: 'a',
        path: 'a',
        file: 'a.md',
        children: [],
      },
      { type: 'document', title: 'Own title', slug: 'b', path: 'b', file: 'b.md', children: [] },
      {
        type: 'document',
        title: 'Some name',
        slug: 'some-name',
        path: 'some-name',
        file: 'some-name.md',
        children: [],
      },
    ]);
  });

  test('keeps slugs apart among siblings only', () => {
    const { pages } = outline({
      'SUMMARY.md': '* [A](x/a.md)\n  * [A](a.md)\n* [A](y/a.md)\n## A\n* [A](z/a.md)\n',
      'a.md': '',
      'x/a.md': '',
      'y/a.md': '',
      'z/a.md': '',
    });
    expect(shown(pages)).toEqual([
      'a A <- x/a.md',
      '  a/a A <- a.md',
      'a-1 A <- y/a.md',
      'group a-2 A',
      '  a-2/a A <- z/a.md',
    ]);
  });

  test('links where a file has its page already, has an anchor, or is no page', () => {
    const { pages, problems } = outline({
      'SUMMARY.md':
        '* [A](a.md)\n* [Again](a.md)\n  * [Below](b.md)\n* [Part](a.md#part)\n* [Out](https://example.com)\n* [Sheet](.gitbook/assets/s.pdf)\n* [Gone](/broken/pages/x)\n',
      'a.md': '',
      'b.md': '',
      '.gitbook/assets/s.pdf': '',
    });
    expect(shown(pages)).toEqual([
      'a A <- a.md',
      'link Again -> a.md#',
      'b Below <- b.md',
      'link Part -> a.md#part',
      'link Out -> https://example.com',
      'link Sheet -> .gitbook/assets/s.pdf#',
      'link Gone -> /broken/pages/x',
    ]);
    expect(problems).toEqual([]);
  });

  test('reports what it cannot place and keeps the rest', () => {
    const read = outline({
      'SUMMARY.md':
        '* [Gone](gone.md)\n* [Parent](lost/README.md)\n  * [Child](child.md)\n* [Out](../../etc/passwd.md)\n* [Bad](javascript:alert(1))\n* [Part](unlisted.md#x)\n* Just text\n* ```yaml\n  type: [\n  ```\n',
      'child.md': '',
      'unlisted.md': '',
    });
    expect(shown(read.pages)).toEqual([
      'lost Parent',
      '  lost/child Child <- child.md',
      'link Part -> unlisted.md#x',
      'just-text Just text',
    ]);
    expect(messages(read)).toEqual([
      'SUMMARY.md: gone.md is listed but does not exist',
      'SUMMARY.md: lost/README.md is listed but does not exist',
      'SUMMARY.md: ../../etc/passwd.md is listed but does not exist',
      'SUMMARY.md: javascript:alert(1) is not a URL that can be linked',
      expect.stringMatching(/^SUMMARY.md: a computed page cannot be read: .* at line/),
      'SUMMARY.md: unlisted.md is linked but not listed as a page',
    ]);
  });

  test('places computed pages', () => {
    const { pages } = outline({
      'SUMMARY.md':
        '## API\n\n* ```yaml\n  type: builtin:openapi\n  dependencies:\n    spec:\n      ref: {kind: openapi, spec: Pet Store}\n  ```\n',
    });
    expect(shown(pages)).toEqual(['group api API', '  computed api/pet-store Pet Store']);
  });

  test('takes the project directory, the root and the summary from the configuration', () => {
    const texts = {
      '.gitbook.yaml': 'root: nowhere',
      'site/.gitbook.yaml':
        'root: ./docs\nstructure:\n  summary: toc/list.md\nredirects:\n  old: guide.md#top\n  older: gone.md\n',
      'site/docs/toc/list.md':
        '* [Near](near.md)\n* [Guide](guide.md)\n* [Up](../up.md)\n* [Outside](../../../other.md)\n',
      'site/docs/toc/near.md': '',
      'site/docs/guide.md': '',
      'site/docs/up.md': '',
      'other.md': '',
      'site/docs/.gitbook/vars.yaml': 'version: 2',
      'site/docs/.gitbook/tags.yaml': '- tag: new',
      'site/docs/.gitbook/includes/note.md': '',
      'site/docs/.gitbook/assets/a b (1).png': '',
      '.gitbook/assets/elsewhere.png': '',
    };
    const read = outline(texts, { projectDirectory: './site/' });
    expect(shown(read.pages)).toEqual([
      'near Near <- site/docs/toc/near.md',
      'guide Guide <- site/docs/guide.md',
      'up Up <- site/docs/up.md',
    ]);
    expect(read.redirects).toEqual([{ from: 'old', file: 'site/docs/guide.md', anchor: 'top' }]);
    expect(read.variables).toEqual({ version: 2 });
    expect(read.tags).toEqual([{ tag: 'new', label: 'new' }]);
    expect(read.includes).toEqual([{ path: 'site/docs/.gitbook/includes/note.md' }]);
    expect(read.files).toEqual([{ path: 'site/docs/.gitbook/assets/a b (1).png' }]);
    expect(messages(read)).toEqual([
      'site/docs/toc/list.md: ../../../other.md is listed but does not exist',
      'site/.gitbook.yaml: older is redirected to gone.md, which is not a page',
    ]);
  });

  test('says so when the project directory holds nothing or lies outside', () => {
    expect(messages(outline({ 'a.md': '' }, { projectDirectory: 'docs' }))).toEqual(['docs: there are no files here']);
    const outside = outline({ 'a.md': '' }, { projectDirectory: '../x' });
    expect(outside.pages).toEqual([]);
    expect(outside.problems).toHaveLength(1);
  });

  test('counts files that pages show as assets wherever they are', () => {
    const { files } = outline(
      { 'a.md': '', 'images/used.png': '', 'images/unused.png': '', '.gitbook/assets/note.md': '', '.env': '' },
      { isReferenced: (path) => path !== 'images/unused.png' },
    );
    expect(files.map(({ path }) => path)).toEqual(['images/used.png', '.gitbook/assets/note.md']);
  });
});

describe('a space without a table of contents', () => {
  test('has its folders and files by name, the home page first', () => {
    const texts = {
      '10-last.md': '',
      '2-next.md': '',
      'README.md': '# Welcome',
      'alpha/README.md': '# Alpha',
      'alpha/one.md': '',
      'alpha/deep/two.md': '',
      'beta-group/three.md': '',
      'gamma.md': '',
      'gamma/four.md': '',
      '.gitbook/includes/note.md': '',
      '.github/ISSUE.md': '',
      'images/logo.png': '',
    };
    expect(shown(outline(texts).pages)).toEqual([
      'readme Welcome <- README.md',
      '2-next 2 next <- 2-next.md',
      '10-last 10 last <- 10-last.md',
      'alpha Alpha <- alpha/README.md',
      '  alpha/deep Deep',
      '    alpha/deep/two Two <- alpha/deep/two.md',
      '  alpha/one One <- alpha/one.md',
      'group beta-group Beta group',
      '  beta-group/three Three <- beta-group/three.md',
      'gamma Gamma <- gamma.md',
      '  gamma/four Four <- gamma/four.md',
    ]);
    expect(shown(outline({ ...texts, 'SUMMARY.md': '# Table of contents\n' }).pages)).toHaveLength(11);
  });

  test('starts with the home page that the configuration names', () => {
    const { pages } = outline({
      '.gitbook.yaml': 'structure:\n  readme: z.md',
      'a.md': '',
      'README.md': '',
      'z.md': '',
    });
    expect(shown(pages)).toEqual(['z Z <- z.md', 'a A <- a.md', 'readme README <- README.md']);
  });

  test('bounds the depth and loses no file', () => {
    const deep = `${'d/'.repeat(200)}a.md`;
    const { pages } = outline({ [deep]: '', [`${'d/'.repeat(200)}README.md`]: '', 'd/b.md': '' });
    const lines = shown(pages);
    expect(lines.filter((line) => line.includes('<-'))).toHaveLength(3);
    expect(lines.length).toBeLessThan(60);
  });
});

test('10,000 pages take well under a second', () => {
  const names = Array.from({ length: 10_000 }, (_, at) => `folder-${at % 50}/page-${at}.md`);
  const texts: Record<string, string> = Object.fromEntries(names.map((name) => [name, '']));
  const started = performance.now();
  expect(outline(texts).pages).toHaveLength(50);
  const listed = names.map((name, at) => `${'  '.repeat(at % 3)}* [Same title](${name})`).join('\n');
  expect(outline({ ...texts, 'SUMMARY.md': listed }).problems).toEqual([]);
  expect(performance.now() - started).toBeLessThan(2_000);
});

describe('whatever the list says', () => {
  const files = ['README.md', 'a.md', 'b c.md', 'd/README.md', 'd/e.md'];
  const target = fc.constantFrom(
    ...files.map(encodeURI),
    'a',
    'd',
    'A.MD',
    './a.md',
    '../a.md',
    'gone.md',
    'a.md#x',
    'https://x.test',
    '',
    '#x',
  );
  const item = fc
    .tuple(fc.nat(4), fc.constantFrom('*', '-', '+', '1.'), fc.string({ maxLength: 6 }), target)
    .map(([depth, marker, title, url]) => `${'  '.repeat(depth)}${marker} [${title}](${url})`);
  const row = fc.oneof({ weight: 6, arbitrary: item }, fc.constantFrom('## G', '***', '', '# T'), fc.string());
  const summary = fc.array(row, { maxLength: 25 }).map((rows) => rows.join('\n'));

  function everyPage(pages: OutlinePage[]): OutlinePage[] {
    return pages.flatMap((page) => [page, ...('children' in page ? everyPage(page.children) : [])]);
  }

  test('a file is at most one page, paths are unique and groups stand at the top', () => {
    fc.assert(
      fc.property(summary, (text) => {
        const { pages } = outline({ 'SUMMARY.md': text, ...Object.fromEntries(files.map((file) => [file, ''])) });
        const all = everyPage(pages);
        const used = all.flatMap((page) => (page.type === 'document' && page.file ? [page.file] : []));
        expect(new Set(used).size).toBe(used.length);
        const paths = all.flatMap((page) => (page.type === 'link' ? [] : [page.path]));
        expect(new Set(paths).size).toBe(paths.length);
        expect(all.every((page) => page.title !== '')).toBe(true);
        expect(all.filter(({ type }) => type === 'group').every((group) => pages.includes(group))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('every listed file is a page once', () => {
    const order = fc.shuffledSubarray(files, { minLength: 1 });
    fc.assert(
      fc.property(order, fc.infiniteStream(fc.nat(3)), (chosen, depths) => {
        const rows = chosen.map(
          (file, at) => `${'  '.repeat(at === 0 ? 0 : (depths.next().value ?? 0))}* [x](<${file}>)`,
        );
        const { pages } = outline({
          'SUMMARY.md': rows.join('\n'),
          ...Object.fromEntries(files.map((file) => [file, ''])),
        });
        const used = everyPage(pages).flatMap((page) => (page.type === 'document' && page.file ? [page.file] : []));
        expect(used.sort()).toEqual([...chosen].sort());
      }),
    );
  });
});

test('redirects follow each other to a page, and end where none is', () => {
  const redirects = [
    'a: guide',
    'B.md: A#x',
    'c: ./b',
    'loop: round',
    'round: loop',
    'gone: nowhere.md',
    'folder: guide.md',
    'path: guides/inner',
    'e: my%20page.md',
  ];
  const read = outline({
    '.gitbook.yaml': `redirects:\n${redirects.map((line) => `  ${line}`).join('\n')}\n`,
    'SUMMARY.md': '* [Guide](guide/README.md)\n* [Mine](<my page.md>)\n## Guides\n* [Inner](x/inner.md)\n',
    'x/inner.md': '',
    'guide/README.md': '',
    'my page.md': '',
  });
  expect(read.redirects).toEqual([
    { from: 'a', file: 'guide/README.md' },
    { from: 'B.md', file: 'guide/README.md', anchor: 'x' },
    { from: 'c', file: 'guide/README.md', anchor: 'x' },
    { from: 'folder', file: 'guide/README.md' },
    { from: 'path', file: 'x/inner.md' },
    { from: 'e', file: 'my page.md' },
  ]);
  expect(read.problems.map(({ message }) => message)).toEqual([
    'loop is redirected to round, which is not a page',
    'round is redirected to loop, which is not a page',
    'gone is redirected to nowhere.md, which is not a page',
  ]);
});

test('a book.json says where the space is when there is no .gitbook.yaml', () => {
  const texts: Record<string, string> = {
    'book.json': '{\n\t"language": "tw.10",\n\t"plugins": [ "notocjk" ],\n\t"root": "./inner"\n}',
    'README.md': '# Outer',
    'inner/README.md': '# Inner',
    'inner/SUMMARY.md': '* [Inner](README.md)',
  };
  const { pages, problems } = outlineOf(
    Object.keys(texts).map((path) => ({ path })),
    { readText: (path) => texts[path], titleOf: () => undefined },
  );
  expect([pages.map(({ title }) => title), problems]).toEqual([['Inner'], []]);
});
