import fc from 'fast-check';
import { anyCharacter, runs } from '../../../../../shared/testing/runs.js';
import type { ListedPage } from '../summary/listed-pages.js';
import { listedIn, placeWith } from '../testing/summary-trees.js';
import { editSummary, listsExactly } from './summary-edits.js';

const signs = fc.constantFrom(
  ...[
    '[',
    ']',
    '(',
    ')',
    '\\',
    '*',
    '_',
    '`',
    '<',
    '>',
    '&amp;',
    '&',
    '#',
    '!',
    '$$',
    '~~',
    '|',
    '^',
    '"',
    ' ',
    '\u00a0',
  ],
  ...[
    '{% if x %}',
    '1. ',
    '[x] ',
    '- ',
    'https://x.y',
    'www.a.b',
    '🚀',
    '<!--',
    '<i class="fa-x">',
    '%20',
    '\u2028',
    'a',
  ],
);
const texts = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 10 }),
  fc.array(signs, { maxLength: 6 }).map((parts) => parts.join('')),
);
const emojis = fc.constantFrom(undefined, '🚀', '1️⃣', '🇩🇪', 'x');
const settings = { numRuns: runs(15) };

/** Lists the page and its change in a text that must stay, and checks that it is read back. */
function check(text: string, pages: ListedPage[], files: string[]): void {
  const place = placeWith(files, { root: 'docs', summary: 'docs/toc/SUMMARY.md' });
  const made = editSummary(text, pages, place);
  if (!listsExactly(made, pages, place)) throw new Error(`other pages:\n${made}`);
  expect(made).toContain('# Kept `');
}

test('every title, link title and file of a page comes back', () => {
  const names = texts.map((text) => `docs/${text.replace(/[\0/]/g, '')}.md`).filter((name) => !/\/\.+md$/.test(name));
  fc.assert(
    fc.property(
      fc.tuple(texts, texts, emojis, emojis),
      names,
      fc.boolean(),
      ([title, linkTitle, emoji, own], file, absolute) => {
        const fields = { title, linkTitle, ...(emoji && { emoji }), ...(own && { fileEmoji: own }) };
        const text = `# Kept \`\n\n* **[🎉 A](${absolute ? '/a.md' : '../a.md'} "T")** \`x\` --> more\n`;
        const files = ['docs/a.md', file];
        const [old] = listedIn(text, placeWith(files, { root: 'docs', summary: 'docs/toc/SUMMARY.md' }));
        if (!old) throw new Error('there is no page');
        const added: ListedPage = { ...fields, type: 'document', slug: 'x', file, pages: [] };
        check(text, [old, added], files);
        check(
          text,
          [
            { ...added, formerFile: 'docs/a.md' },
            { ...added, file: undefined },
          ],
          files,
        );
      },
    ),
    settings,
  );
});

test('every link, group and computed page comes back', () => {
  const props = fc.dictionary(texts, fc.oneof(texts, fc.integer(), fc.constant(null), fc.array(texts)));
  const hrefs = fc.oneof(
    texts,
    texts.map((text) => `https://x.test/${text}`),
    texts.map((text) => `/broken/${text}`),
  );
  fc.assert(
    fc.property(texts, hrefs, texts, props, (title, href, anchor, values) => {
      const own = { title, slug: 'own-slug', pages: [] };
      const computed = { type: 'builtin:openapi', props: { ...values }, dependencies: {} };
      const pages: ListedPage[] = [
        { ...own, type: 'link', target: { href } },
        { ...own, type: 'link', target: { file: 'docs/a.md', anchor } },
        { ...own, type: 'computed', computed },
        { ...own, type: 'group' },
      ];
      check('# Kept `\n\n* [A](https://x.test)\n', pages, ['docs/a.md']);
      check(
        '# Kept `\n\n## T `x`\n\n* T\n\n  ```yaml\n  type: builtin:openapi\n  ```\n',
        [{ ...own, type: 'group', slug: 't-x', pages: pages.slice(2, 3) }],
        [],
      );
    }),
    settings,
  );
});
