import { type Change, edited, fresh, group, link, page, refile, rename } from '../testing/summary-edits.js';
import { pageTitled, taken } from '../testing/summary-trees.js';

const usual = [
  '# Table of contents',
  '',
  '* [A](a.md)',
  '  * [B](b.md)',
  '* [C](c.md)',
  '',
  '## G',
  '',
  '* [D](d.md)',
  '* [E](e.md)',
  '',
  '***',
  '',
  '* [F](f.md)',
  '',
];

/** Applies changes to the lines of the usual summary: `-12`: line 12 is gone; `+12 text`: a line after line 12. */
function applied(changes: string[]): string[] {
  const lines: (string | string[])[] = usual.map((line) => [line]);
  for (const change of changes) {
    const at = Number.parseInt(change.slice(1), 10);
    const line = lines[at - 1];
    if (Array.isArray(line)) change[0] === '-' ? line.shift() : line.push(change.slice(change.indexOf(' ') + 1));
  }
  return lines.flat();
}

test.each<[name: string, change: Change, changes: string[]]>([
  ['inserts first', (pages) => pages.unshift(fresh), ['+2 * [N](n.md)']],
  ['inserts after a parent', (pages) => pages.splice(1, 0, fresh), ['+4 * [N](n.md)']],
  ['inserts last before a group', (pages) => pages.splice(2, 0, fresh), ['+5 * [N](n.md)']],
  ['inserts last', (pages) => pages.push(fresh), ['+14 * [N](n.md)']],
  ['inserts after a divider', (pages) => pages.splice(3, 0, fresh), ['+13 * [N](n.md)']],
  ['inserts below', (pages) => pageTitled(pages, 'A').pages.unshift(fresh), ['+3   * [N](n.md)']],
  ['inserts below a page without others', (pages) => pageTitled(pages, 'C').pages.push(fresh), ['+5   * [N](n.md)']],
  ['inserts first in a group', (pages) => pageTitled(pages, 'G').pages.unshift(fresh), ['+8 * [N](n.md)']],
  ['inserts last in a group', (pages) => pageTitled(pages, 'G').pages.push(fresh), ['+10 * [N](n.md)']],
  [
    'inserts with pages below',
    (pages) => pages.push(page('N', { pages: [page('M')] })),
    ['+14 * [N](n.md)', '+14   * [M](m.md)'],
  ],
  ['deletes a page', (pages) => taken(pages, 'C'), ['-5']],
  ['deletes a page with those below', (pages) => taken(pages, 'A'), ['-3', '-4']],
  ['deletes the first of a group', (pages) => taken(pages, 'D'), ['-9']],
  ['deletes all of a group', (pages) => pageTitled(pages, 'G').pages.splice(0), ['-8', '-9', '-10']],
  ['deletes the last', (pages) => taken(pages, 'F'), ['-11', '-12', '-13', '-14']],
  ['deletes a group', (pages) => taken(pages, 'G'), ['-6', '-7', '-8', '-9', '-10', '-11', '-12', '-13']],
  ['moves up', (pages) => pages.unshift(taken(pages, 'C')), ['+2 * [C](c.md)', '-5']],
  ['moves a page with those below', (pages) => pages.splice(1, 0, taken(pages, 'A')), ['+2 * [C](c.md)', '-5']],
  ['moves below another', (pages) => pageTitled(pages, 'A').pages.push(taken(pages, 'C')), ['-5', '+5   * [C](c.md)']],
  ['moves out', (pages) => pages.splice(1, 0, taken(pages, 'B')), ['-4', '+4 * [B](b.md)']],
  ['moves into a group', (pages) => pageTitled(pages, 'G').pages.push(taken(pages, 'C')), ['-5', '+10 * [C](c.md)']],
  ['moves out of a group', (pages) => pages.unshift(taken(pages, 'E')), ['+2 * [E](e.md)', '-10']],
  [
    'moves the page after a divider into the group',
    (pages) => pageTitled(pages, 'G').pages.push(taken(pages, 'F')),
    ['-11', '-12', '-13'],
  ],
  [
    'moves a group to the end',
    (pages) => pages.push(taken(pages, 'G')),
    ['+5 * [F](f.md)', '-11', '-12', '-13', '-14'],
  ],
  ['renames a page', (pages) => rename(pages, 'B', 'New [b] & *c*'), ['-4', '+4   * [New \\[b\\] & \\*c\\*](b.md)']],
  [
    'renames a group, which keeps its slug',
    (pages) => rename(pages, 'G', 'Guides'),
    ['-7', '+7 ## Guides <a href="#g" id="g"></a>'],
  ],
  [
    'gives a group another slug',
    (pages) => Object.assign(pageTitled(pages, 'G'), { slug: 'x' }),
    ['-7', '+7 ## G <a href="#x" id="x"></a>'],
  ],
  ['gives a page another file', (pages) => refile(pages, 'B', 'x y (1).md'), ['-4', '+4   * [B](x%20y%20%281%29.md)']],
  ['adds a group', (pages) => pages.splice(2, 0, group('H', [page('N')])), ['+5 ', '+5 ## H', '+5 ', '+5 * [N](n.md)']],
  ['adds a group at the end', (pages) => pages.push(group('H', [])), ['+14 ', '+14 ## H']],
  [
    'adds a page after a new group',
    (pages) => pages.splice(2, 1, group('H', [page('N')])),
    ['-7', '+7 ## H', '-9', '-10', '+10 * [N](n.md)'],
  ],
  [
    'adds a link title and an emoji',
    (pages) => Object.assign(pageTitled(pages, 'C'), { linkTitle: 'See "C"', emoji: '🚀' }),
    ['-5', '+5 * [🚀 C](c.md "See \\"C\\"")'],
  ],
  [
    'leaves the emoji of the file to the file',
    (pages) => Object.assign(pageTitled(pages, 'C'), { emoji: '🚀', fileEmoji: '🚀' }),
    [],
  ],
  ['adds a link', (pages) => pages.push(link('Out', 'https://x.test/(a')), ['+14 * [Out](https://x.test/\\(a)']],
  ['adds a page without a file', (pages) => pages.push(page('2. Soon', { file: undefined })), ['+14 * 2\\. Soon']],
])('%s', (_, change, changes) => {
  expect(edited(usual.join('\n'), change).split('\n')).toEqual(applied(changes));
});
