import type { ListedPage } from '../summary/listed-pages.js';
import { type Change, edited, fresh, group, link, page, place, rename } from '../testing/summary-edits.js';
import { pageTitled, placeWith, taken } from '../testing/summary-trees.js';
import { editSummary, type SummaryPlace } from './summary-edits.js';

const nest: Change = (pages) => pageTitled(pages, 'A').pages.push(fresh);

const editedLines = (lines: string[], change: Change, where: SummaryPlace = place) =>
  edited(lines.join('\n'), change, where).split('\n');

const computed = {
  type: 'builtin:openapi',
  props: { models: true },
  dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } },
};
const yaml = [
  'type: builtin:openapi',
  'props:',
  '  models: true',
  'dependencies:',
  '  spec:',
  '    ref:',
  '      kind: openapi',
  '      spec: pets',
];
const block = (indent: string, lines: string[]) =>
  ['```yaml', ...lines, '```'].map((line, at) => (at === 0 ? `${indent}* ${line}` : `${indent}  ${line}`));

describe('computed pages', () => {
  const pets: ListedPage = { type: 'computed', title: 'pets', slug: 'pets', computed, pages: [] };

  test('are written as YAML, with their title where it is not that of the source', () => {
    expect(editedLines(['* [A](a.md)', ''], (pages) => pages.push(pets))).toEqual([
      '* [A](a.md)',
      ...block('', yaml),
      '',
    ]);
    expect(
      editedLines(['* [A](a.md)'], (pages) => pageTitled(pages, 'A').pages.push({ ...pets, title: 'Pets: all' })),
    ).toEqual(['* [A](a.md)', ...block('  ', ['title: "Pets: all"', ...yaml])]);
  });

  test('move with their lines and change in them', () => {
    const lines = [...block('', yaml), '* [A](a.md)', ''];
    expect(editedLines(lines, (pages) => pageTitled(pages, 'A').pages.push(taken(pages, 'pets')))).toEqual([
      '* [A](a.md)',
      ...block('  ', yaml),
      '',
    ]);
    expect(editedLines(lines, (pages) => rename(pages, 'pets', 'All'))).toEqual([
      ...block('', ['title: All', ...yaml]),
      '* [A](a.md)',
      '',
    ]);
    expect(
      editedLines(['* Pets', '', '  ```yml', '  type: builtin:openapi', '  ```'], (pages) =>
        rename(pages, 'Pets', 'All'),
      ),
    ).toEqual(['* All', '', '  ```yml', '  type: builtin:openapi', '  ```']);
    const other = { ...computed, props: {} };
    expect(editedLines(lines, (pages) => Object.assign(pageTitled(pages, 'pets'), { computed: other }))).toEqual([
      ...block(
        '',
        yaml.filter((_, at) => at !== 1 && at !== 2),
      ),
      '* [A](a.md)',
      '',
    ]);
  });
});

describe('in a folder', () => {
  const inFolder = placeWith(['docs/a.md', 'docs/toc/b.md', 'docs/toc/SUMMARY.md', 'docs/c d.md'], {
    root: 'docs',
    summary: 'docs/toc/SUMMARY.md',
  });
  const c = page('C', { file: 'docs/c d.md' });

  test('paths are relative to the table of contents, or to the root with a slash', () => {
    expect(editedLines(['* [B](b.md)', '* [A](a.md)', ''], (pages) => pages.push(c), inFolder)).toEqual([
      '* [B](b.md)',
      '* [A](a.md)',
      '* [C](../c%20d.md)',
      '',
    ]);
    expect(editedLines(['* [A](/a.md)', ''], (pages) => pages.push(c), inFolder)).toEqual([
      '* [A](/a.md)',
      '* [C](/c%20d.md)',
      '',
    ]);
  });
});

test('a new table of contents has the usual form', () => {
  const pages = [
    page('Home', { file: 'README.md' }),
    page('A', { pages: [page('B')] }),
    { ...group('G', [page('C')]), slug: 'guides' },
    page('D'),
  ];
  expect(editSummary(undefined, pages, place)).toBe(
    [
      '# Table of contents',
      '',
      '* [Home](README.md)',
      '* [A](a.md)',
      '  * [B](b.md)',
      '',
      '## G <a href="#guides" id="guides"></a>',
      '',
      '* [C](c.md)',
      '',
      '***',
      '',
      '* [D](d.md)',
      '',
    ].join('\n'),
  );
});

test('the files of a former tree find the entries of renamed pages', () => {
  const text = '* [](old.md)\n* [B](gone.md)\n';
  const former = { files: new Set(['old.md']), titleOf: () => 'Old' };
  const now = { ...placeWith(['n.md', 'gone.md']), titleOf: () => 'New', former };
  const pages = [page('New', { file: 'n.md', formerFile: 'old.md' }), page('B', { file: 'gone.md' })];
  expect(editSummary(text, pages, now)).toBe('* [](n.md)\n* [B](gone.md)\n');
});

test('the files of a former tree tell entries of deleted pages from those that lead nowhere', () => {
  const text = '* [A](a.md)\n* [Gone](gone.md)\n* [B](b.md)\n';
  const former = placeWith(['a.md', 'b.md']);
  expect(editSummary(text, [page('B')], { ...placeWith(['b.md']), former })).toBe('* [Gone](gone.md)\n* [B](b.md)\n');
});

test('a new page takes the entry that named its file before', () => {
  const text = '* [A](a.md)\n* [Soon](later.md)\n* [B](b.md)\n';
  const pages = [page('A'), page('B'), page('Later')];
  const now = placeWith(['a.md', 'b.md', 'later.md']);
  const made = '* [A](a.md)\n* [B](b.md)\n* [Later](later.md)\n';
  expect(editSummary(text, pages, { ...now, former: placeWith(['a.md', 'b.md']) })).toBe(made);
});

test('what cannot be listed is listed as nearly as possible', () => {
  const pages = [
    { ...link('To A', ''), target: { file: 'a.md' } },
    { ...link('Gone', ''), target: { file: 'gone.md' }, pages: [page('B')] },
    page(' Two\nlines '.trim(), { file: 'a.md', emoji: '1️⃣', pages: [group('Inner', [])] }),
    link('Bad', 'javascript:x'),
  ];
  expect(editSummary('* [A](a.md)\n', pages, place)).toBe(
    [
      '* [To A](a.md#top)',
      '* [Gone](broken-reference)',
      '* [B](b.md)',
      '* [Two lines](a.md)',
      '  * Inner',
      '* [Bad](broken-reference)',
      '',
    ].join('\n'),
  );
});

test('a text that cannot be edited is written anew', () => {
  expect(editedLines(['* - [A](a.md)', ''], nest)).toEqual([
    '# Table of contents',
    '',
    '* [A](a.md)',
    '  * [N](n.md)',
    '',
  ]);
});
