import { type Change, edited, fresh, group, page, place, refile, rename } from '../testing/summary-edits.js';
import { listedIn, pageTitled, taken } from '../testing/summary-trees.js';
import { editSummary } from './summary-edits.js';

const append: Change = (pages) => pages.push(fresh);
const nest: Change = (pages) => pageTitled(pages, 'A').pages.push(fresh);

test.each<[name: string, text: string, change: Change, made: string]>([
  [
    'another bullet and four spaces',
    '- [A](a.md)\n    - [B](b.md)\n- [C](c.md)',
    (pages) => pageTitled(pages, 'C').pages.push(fresh),
    '- [A](a.md)\n    - [B](b.md)\n- [C](c.md)\n    - [N](n.md)',
  ],
  [
    'tabs',
    '+ [A](a.md)\n\t+ [B](b.md)\n\t\t+ [C](c.md)\n',
    (pages) => pageTitled(pages, 'B').pages.push(fresh),
    '+ [A](a.md)\n\t+ [B](b.md)\n\t\t+ [C](c.md)\n\t\t+ [N](n.md)\n',
  ],
  ['numbers', '1. [A](a.md)\n2. [B](b.md)\n', append, '1. [A](a.md)\n2. [B](b.md)\n3. [N](n.md)\n'],
  ['equal numbers', '1. [A](a.md)\n1. [B](b.md)\n', append, '1. [A](a.md)\n1. [B](b.md)\n1. [N](n.md)\n'],
  [
    'the first number of a list',
    '* [A](a.md)\n  1. [B](b.md)\n  2. [C](c.md)\n',
    (pages) => taken(pages, 'B'),
    '* [A](a.md)\n  1. [C](c.md)\n',
  ],
  [
    'loose lists',
    '* [A](a.md)\n\n* [B](b.md)\n\n* [C](c.md)',
    (pages) => pages.splice(1, 1, fresh),
    '* [A](a.md)\n\n* [N](n.md)\n\n* [C](c.md)',
  ],
  ['loose lists at their end', '* [A](a.md)\n\n* [B](b.md)\n', append, '* [A](a.md)\n\n* [B](b.md)\n\n* [N](n.md)\n'],
  [
    'one loose list among others',
    '* [A](a.md)\n* [B](b.md)\n\n## G\n* [C](c.md)\n\n* [D](d.md)\n',
    (pages) => {
      pageTitled(pages, 'G').pages.push(fresh);
      pageTitled(pages, 'A').pages.push(page('M'));
    },
    '* [A](a.md)\n  * [M](m.md)\n* [B](b.md)\n\n## G\n* [C](c.md)\n\n* [D](d.md)\n\n* [N](n.md)\n',
  ],
  ['absolute paths', '* [A](/a.md)\n', append, '* [A](/a.md)\n* [N](/n.md)\n'],
  [
    'angle brackets',
    '* [A](<a.md>)\n',
    (pages) => pages.push(page('X', { file: 'x y (1).md' })),
    '* [A](<a.md>)\n* [X](<x y (1).md>)\n',
  ],
  [
    'headings of another level without blank lines',
    '### G\n* [A](a.md)\n### H\n* [B](b.md)\n',
    (pages) => pages.push(group('I', [fresh])),
    '### G\n* [A](a.md)\n### H\n* [B](b.md)\n### I\n* [N](n.md)\n',
  ],
  [
    'underlined headings',
    'Group\n---\n* [A](a.md)\n',
    (pages) => rename(pages, 'Group', 'New'),
    '## New <a href="#group" id="group"></a>\n* [A](a.md)\n',
  ],
  [
    'closed headings with an anchor',
    '## G <a href="#g-1" id="g-1"></a> ##  \n* [A](a.md)\n',
    (pages) => rename(pages, 'G', 'H'),
    '## H <a href="#g-1" id="g-1"></a> ##  \n* [A](a.md)\n',
  ],
  [
    'other dividers',
    '## G\n\n* [A](a.md)\n\n---\n\n* [B](b.md)\n',
    (pages) => pages.push(group('H', []), fresh),
    '## G\n\n* [A](a.md)\n\n---\n\n* [B](b.md)\n\n## H\n\n---\n\n* [N](n.md)\n',
  ],
  ['a last line without end', '* [A](a.md)\n* [B](b.md)', (pages) => taken(pages, 'B'), '* [A](a.md)'],
  [
    'comments and text',
    '* [A](a.md) <!-- a -->\n\n<!--\n* [B](b.md)\n-->\n\nText\n\n* [C](c.md)  \n',
    (pages) => {
      rename(pages, 'A', 'New');
      rename(pages, 'C', 'Other');
      pages.splice(1, 0, fresh);
    },
    '* [New](a.md) <!-- a -->\n* [N](n.md)\n\n<!--\n* [B](b.md)\n-->\n\nText\n\n* [Other](c.md)  \n',
  ],
  [
    'text that a nested page cannot follow',
    '* [A](a.md)\n\nText\n\n* [C](c.md)\n* [D](d.md)',
    (pages) => pageTitled(pages, 'A').pages.push(taken(pages, 'C')),
    '* [A](a.md)\n  * [C](c.md)\n\nText\n\n* [D](d.md)',
  ],
  [
    'text between deleted pages',
    '# T\n\n* [A](a.md)\n\nText\n\n* [C](c.md)\n',
    (pages) => taken(pages, 'C'),
    '# T\n\n* [A](a.md)\n\nText\n',
  ],
  ['front matter', '---\ntitle: x\n---\n\n* [A](a.md)', nest, '---\ntitle: x\n---\n\n* [A](a.md)\n  * [N](n.md)'],
  [
    'lines of an item',
    '* [A](a.md)\n\n  more\n* [B](b.md)\n  and more\n',
    (pages) => {
      pages.reverse();
      pageTitled(pages, 'B').pages.push(taken(pages, 'A'));
    },
    '* [B](b.md)\n  and more\n  * [A](a.md)\n\n    more\n',
  ],
  [
    'marks around a link',
    '* **[A](a.md "Short")** and [B](b.md)\n',
    (pages) => rename(pages, 'A', 'New'),
    '* **[New](a.md "Short")** and [B](b.md)\n',
  ],
  [
    'references',
    '* [A][1]\n* [b]\n\n[1]: a.md\n[b]: b.md\n',
    (pages) => {
      rename(pages, 'A', 'New');
      rename(pages, 'b', 'Other');
    },
    '* [New][1]\n* [Other](b.md)\n\n[1]: a.md\n[b]: b.md\n',
  ],
  [
    'references to another file',
    '* [A][1]\n\n[1]: a.md\n',
    (pages) => refile(pages, 'A', 'n.md'),
    '* [A](n.md)\n\n[1]: a.md\n',
  ],
  ['addresses with spaces', '* [A](x y (1).md)\n', (pages) => rename(pages, 'A', 'New'), '* [New](x y (1).md)\n'],
  [
    'the way an address is written',
    '* [A]( </a.md>  "T" )\n* [b](case)\n',
    (pages) => {
      refile(pages, 'A', 'x y (1).md');
      rename(pages, 'b', 'New');
    },
    '* [A]( </x y (1).md>  "T" )\n* [New](case)\n',
  ],
  [
    'entries that are no pages',
    '* [Gone](gone.md)\n* [A](a.md)\n* [Bad](javascript:x)\n  * [B](b.md)\n',
    (pages) => {
      taken(pages, 'A');
      pages.push(fresh);
    },
    '* [Gone](gone.md)\n* [Bad](javascript:x)\n  * [B](b.md)\n* [N](n.md)\n',
  ],
  ['a missing file without pages below', '* [P](gone.md)\n  * [A](a.md)\n', (pages) => taken(pages, 'A'), '* P\n'],
])('keeps and copies %s', (_, text, change, made) => {
  expect(edited(text, change)).toBe(made);
});

test.each(['\r\n', '\r'])('keeps the line ends %j and the byte order mark', (end) => {
  const text = ['\ufeff* [A](a.md)', '* [C](c.md)'].join(end);
  const pages = listedIn(text, place);
  nest(pages);
  expect(editSummary(text, pages, place)).toBe(['\ufeff* [A](a.md)', '  * [N](n.md)', '* [C](c.md)'].join(end));
});
