import { createRequire } from 'node:module';
import { documentOutline, htmlOutline } from './testing/document-outline.js';
import { normalHtml, treeHtml } from './testing/tree-html.js';

interface Example {
  number: number;
  section: string;
  markdown: string;
  html: string;
}

const require = createRequire(import.meta.url);
const { tests }: { tests: Example[] } = require('commonmark-spec');
/** The specification writes tabs as arrows. */
const examples = tests.map(({ number, section, markdown, html }): [number, string, string, string] => [
  number,
  section,
  markdown.replaceAll('→', '\t'),
  html.replaceAll('→', '\t'),
]);

/** Examples that are read otherwise than the specification says, by the reason. */
type Differences = Record<string, Record<number, string>>;

const ofTheDialect: Differences = {
  'A page may begin with front matter': {
    96: 'the first heading, between two rules, is front matter',
    98: 'two rules are empty front matter',
  },
  'Bare addresses are links, as in GFM': {
    602: 'an address with a space after it, in angles',
    606: 'a mail address with an escaped character, in angles',
    608: 'an address with spaces around it, in angles',
    611: 'a web address',
    612: 'a mail address',
  },
  'A <pre> inside other HTML holds blank lines, as one that begins a block does: they are lines of code': {
    148: 'a <pre> in a table',
  },
};

const ofTheDocument: Differences = {
  ...ofTheDialect,
  'A document has no raw HTML: what is shown nowhere is left out': {
    170: 'a script',
    172: 'a style sheet',
    173: 'a style sheet that is not closed',
    176: 'a style sheet on one line',
    178: 'a script before text',
    180: 'a processing instruction; the browser shows its end',
    629: 'a CDATA section; the browser shows its end',
  },
  'An element that nobody knows is shown as it is written: it may be a placeholder, such as <name>': {
    150: 'a <foo> at the end of a line',
    201: 'a <bar> that looks like the target of a definition',
    491: 'a <foo bar> that looks like the target of a link',
    524: 'a <bar> around the end of a link',
    536: 'a <bar> around the end of a reference',
    613: 'a <bab> and a <c2c>',
    614: 'a <b2/>',
    615: 'a <b2> over two lines',
    617: 'a <responsive-image/>',
    623: 'a </foo>',
  },
  'A tag that is cut off is shown as it is written': {
    156: 'a <div> without its end, text after it',
    157: 'a <div> without its end, in its attributes',
    158: 'a <div> without its end, signs in its attributes',
  },
  'A known inline element that is never closed holds nothing': {
    187: 'a link that is open to the end of the paragraph',
    344: 'a link before a backtick',
    494: 'a <b> that broken links leave open',
  },
  'Inline elements around blocks do not mark the blocks': {
    167: 'a <del> around a paragraph',
  },
  'A table has a column for every cell, with an empty title where it has no header': {
    149: 'a table of one cell',
    160: 'a table of one cell on a line',
    190: 'a table with blank lines',
    191: 'a table whose cell is indented code',
  },
  'Code has no empty first line': {
    169: 'a <pre> whose <code> begins with a line end',
  },
};

function check(differences: Differences, number: number, read: string, expected: string): void {
  const [reason] = Object.entries(differences).find(([, listed]) => number in listed) ?? [];
  if (reason === undefined) expect(read).toBe(expected);
  // An example that no longer differs is taken off the list.
  else expect({ reason, read }).not.toEqual({ reason, read: expected });
}

const numbers = (differences: Differences) => Object.values(differences).flatMap((listed) => Object.keys(listed));

describe('the examples of CommonMark', () => {
  it('are all there, and listed once where they differ', () => {
    expect(examples).toHaveLength(652);
    const listed = numbers(ofTheDocument);
    expect(listed).toEqual([...new Set(listed)]);
    expect(examples.map(([number]) => String(number))).toEqual(expect.arrayContaining(listed));
  });

  it.each(examples)('%i are parsed (%s)', (number, _section, markdown, html) => {
    check(ofTheDialect, number, normalHtml(treeHtml(markdown)), normalHtml(html));
  });

  it.each(examples)('%i become a document (%s)', (number, _section, markdown, html) => {
    check(ofTheDocument, number, documentOutline(markdown), htmlOutline(html));
  });
});
