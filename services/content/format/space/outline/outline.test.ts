import { messages, outline, shown } from '../testing/outline.js';

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

  test('makes a link page for a file that already has a page, has an anchor, or is not a page', () => {
    const { pages, problems } = outline({
      'SUMMARY.md':
        '* [A](a.md)\n* [Again](a.md)\n  * [Below](b.md)\n* [Part](a.md#part)\n* [Out](https://example.com)\n* [Sheet](.gitbook/assets/s.pdf)\n* [Gone](/broken/pages/x)\n* [Space](/spaces/S1)\n* [Other](/spaces/S1/pages/P1#x)\n',
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
      'link Space -> /spaces/S1',
      'link Other -> /spaces/S1/pages/P1#x',
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
