import fc from 'fast-check';
import { marked } from 'marked';
import { runs } from '../../../../shared/testing/runs.js';
import { isPlainText } from '../../../../shared/text/plain-text.js';
import { type BothForms, readText } from './read-text.js';
import { nasty, randomDocument } from './testing/random-documents.js';

function taken(text: Parameters<typeof readText>[0]): BothForms | undefined {
  const read = readText(text);
  if (!('refused' in read)) return read;
  expect(read.refused).toMatch(/shows nothing|not allowed|more than|must be an address/);
  return undefined;
}

it('a document is the same after it was written in Markdown and read again', () => {
  fc.assert(
    fc.property(randomDocument, (document) => {
      const given = taken({ document });
      fc.pre(given !== undefined);
      expect(taken({ document: given?.document })).toEqual(given);
      const again = taken({ markdown: given?.markdown ?? '' });
      expect(again?.document).toEqual(given?.document);
      expect(again?.markdown).toBe(given?.markdown);
      expectHarmless(given?.markdown ?? '');
    }),
    { numRuns: runs(75) },
  );
});

const elements =
  /^(?:p|h[1-6]|ul|ol|li|blockquote|pre|code|hr|table|thead|tbody|tr|th|td|a|img|em|strong|del|br|input)$/;

function expectHarmless(markdown: string): void {
  const html = marked.parse(markdown, { async: false });
  for (const [, name = ''] of html.matchAll(/<\/?([^\s>/]+)/g)) expect(name).toMatch(elements);
  for (const [, address = ''] of html.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
    const decoded = address
      .replace(/&#(\d+);?/g, (_, code) => String.fromCodePoint(Number(code)))
      .replaceAll('&amp;', '&');
    expect([
      address,
      // Nothing but links to other programs comes of the last two.
      decoded === '' || /^(?:https?:\/\/|mailto:|ftp:|xmpp:)/i.test(decoded) || !/^[^/?#]*:/.test(decoded),
    ]).toEqual([address, true]);
  }
}

const hostile = fc
  .array(
    fc.oneof(
      nasty,
      fc.constantFrom(
        '<script>',
        '</a>',
        '<img src=x onerror=y>',
        '<a href="`">',
        '`',
        '```\n',
        '~~~\n',
        '\n',
        '\n\n',
        '    ',
        '> ',
        '- ',
      ),
      fc.constantFrom(
        '[a](javascript:b)',
        '[a]: data:b\n',
        '[a]',
        '](java&#115;cript:b)',
        '<javascript:a>',
        '![a](file:b)',
        '[a](\tjava\nscript:b)',
        '<https://a.example>',
      ),
      fc.constantFrom(
        '```\u00a0\n',
        '| a | b |\n',
        '|-|-|\n',
        '`|`',
        '\\`',
        '<!--',
        '-->',
        '<![CDATA[',
        '<?a',
        '<textarea>\n',
        '](vbscript&colon;a)',
        'a\n===\n',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

it('any text is safe to show, and stays as it is when it is read again', () => {
  fc.assert(
    fc.property(hostile, (markdown) => {
      const given = taken({ markdown });
      fc.pre(given !== undefined);
      expectHarmless(given?.markdown ?? '');
      const again = taken({ markdown: given?.markdown ?? '' });
      expect(again).toEqual(given);
      expect(taken({ document: given?.document })?.document).toEqual(given?.document);
    }),
    { numRuns: runs(75) },
  );
});

it.each([
  '[`` ` ``\\*](https://a.example/)[`<b>`](https://a.example/)',
  '\\www.a.example`<b>`',
  '![www.a.example`<b>`',
  'a@b.example`<b>`',
  '- - \t<script>',
])('what a program may take for HTML is written otherwise: %s', (markdown) => {
  const given = taken({ markdown });
  expectHarmless(given?.markdown ?? '<b>');
  expect(taken({ markdown: given?.markdown ?? '' })).toEqual(given);
});

it('a plain text stays as it is, without mentions', () => {
  fc.assert(
    fc.property(
      hostile.map((markdown) => `a ${markdown}`),
      (markdown) => {
        fc.pre(isPlainText(markdown));
        expect(readText({ markdown })).toMatchObject({ markdown, mentions: [] });
      },
    ),
    { numRuns: runs(75), examples: [['a https://a.example\u200d'], ['a www.a.example/👩‍👩‍👧']] },
  );
});
