import fc from 'fast-check';
import type { ListedPage } from '../summary/listed-pages.js';
import { placesOf } from './summary-trees.js';

/** Files that the entries of random summaries lead to, and that inserted pages have. */
export const randomFiles = [
  ...Array.from({ length: 60 }, (_, at) => `p${at}.md`),
  ...Array.from({ length: 40 }, (_, at) => `docs/n ${at} (x).md`),
  'sheet.pdf',
];

export const layouts = fc.record({
  bullet: fc.constantFrom('*', '-', '+', '*  ', '1.'),
  indent: fc.constantFrom('  ', '    ', '\t', '   '),
  lineEnd: fc.constantFrom('\n', '\n', '\n', '\r\n', '\r'),
  loose: fc.boolean(),
  heading: fc.constantFrom('##', '##', '###'),
  blanks: fc.constantFrom(0, 1, 1, 2),
  divider: fc.constantFrom('***', '---', '* * *'),
  head: fc.constantFrom(
    '# Table of contents\n\n',
    '',
    '---\ntitle: x\n---\n\n# Summary\n\n',
    '\ufeff# T\n\nSome text\n\n',
    '\ufeff',
  ),
  tail: fc.constantFrom('', '\n', '\n', '\n\n', '\n\n<!-- end -->\n'),
  absolute: fc.boolean(),
});
export type Layout = typeof layouts extends fc.Arbitrary<infer T> ? T : never;

export const rows = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'page',
      'page',
      'page',
      'page',
      'page',
      'link',
      'group',
      'divider',
      'text',
      'empty',
      'computed',
      'gone',
    ),
    depth: fc.nat(4),
    dress: fc.constantFrom(
      '',
      '',
      '',
      'spaces',
      'comment',
      'title',
      'strong',
      'angle',
      'lazy',
      'more',
      'escape',
      'reference',
    ),
  }),
  { maxLength: 14 },
);
type Row = (typeof rows extends fc.Arbitrary<infer T> ? T : never)[number];

/** A table of contents with these rows in this layout. `hoists`: items that hold no pages have items below them. Every row has one line, but for `lazy`, `more` and computed pages. */
export function summaryText(list: Row[], layout: Layout, { hoists = false } = {}): string {
  const { indent, bullet, loose, heading, blanks, divider, head, tail, lineEnd } = layout;
  const gap = '\n'.repeat(blanks);
  let text = head;
  let most = 0;
  for (const [at, { kind, depth, dress }] of list.entries()) {
    if (kind === 'group' || kind === 'divider' || kind === 'text') {
      const line = kind === 'group' ? `${heading} Group ${at}` : kind === 'divider' ? divider : `Text ${at}`;
      text += `${text.endsWith('\n\n') || text === '' ? '' : kind === 'text' ? '\n' : gap}${line}\n${kind === 'text' ? '\n' : gap}`;
      most = 0;
      continue;
    }
    const level = Math.min(depth, most);
    most = level + (hoists || kind === 'page' || kind === 'empty' ? 1 : 0);
    const space = indent.repeat(level);
    const under = `${space}${' '.repeat(bullet.length + 1)}`;
    text += `${space}${bullet} ${itemText(kind, at, { dress, under, absolute: layout.absolute })}\n${loose ? '\n' : ''}`;
  }
  return (text.trimEnd() + tail).replaceAll('\n', lineEnd);
}

function itemText(
  kind: Row['kind'],
  at: number,
  { dress, under, absolute }: { dress: Row['dress']; under: string; absolute: boolean },
): string {
  if (kind === 'empty') return `Only ${at}`;
  if (kind === 'computed')
    return `\`\`\`yaml\n${under}type: builtin:openapi\n${under}props:\n${under}  at: ${at}\n${under}\`\`\``;
  const page = `${absolute ? '/' : ''}${kind === 'gone' ? 'gone' : 'p'}${at}.md`;
  const address = kind === 'link' ? `https://example.com/${at}` : page;
  const title = `Title ${at}`;
  switch (dress) {
    case 'spaces':
      return `[${title}](${address})   `;
    case 'comment':
      return `[${title}](${address}) <!-- ${at} -->`;
    case 'title':
      return `[🚀 ${title}](${address} "Short ${at}")`;
    case 'strong':
      return `**[${title}](${address})** and more`;
    case 'angle':
      return `[${title}](<${address}>)`;
    case 'lazy':
      return `[${title}](${address})\n${under}and more`;
    case 'more':
      return `[${title}](${address})\n\n${under}And more`;
    case 'escape':
      return `[\\[${at}\\] \`${title}\` &amp; *more*](${address})`;
    default:
      return `[${title}](${address})`;
  }
}

export const treeEdits = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'insert',
      'insert',
      'move',
      'move',
      'delete',
      'rename',
      'dissolve',
      'address',
      'group',
      'link',
    ),
    page: fc.nat(30),
    into: fc.nat(30),
    at: fc.nat(6),
    title: fc.oneof(
      fc.constantFrom(
        'New',
        'New [x]',
        '🎉 Party',
        'a_b *c* `d`',
        '[x] done',
        '<b>&amp;',
        '2. two',
        'https://x.test/?a',
        '***',
        '{% x %}',
        'C #',
        '$$a$$',
      ),
      fc.string({ maxLength: 8 }),
    ),
  }),
  { minLength: 1, maxLength: 5 },
);
export type TreeEdit = (typeof treeEdits extends fc.Arbitrary<infer T> ? T : never)[number];

/** Changes the tree; returns how many pages the edit touches. */
export function applyEdit(pages: ListedPage[], edit: TreeEdit, number: number): number {
  const all = [...placesOf(pages)];
  const holders = all.filter(({ page }) => page.type === 'document' || page.type === 'group');
  const chosen = all[edit.page % Math.max(all.length, 1)];
  const place = (except?: ListedPage): ListedPage[] => {
    const fitting = holders.filter(({ page, above }) => page !== except && !above.includes(except as ListedPage));
    return fitting[edit.into % (fitting.length + 1)]?.page.pages ?? pages;
  };
  const put = (page: ListedPage, level: ListedPage[]) => level.splice(edit.at % (level.length + 1), 0, page);
  const inserted = { title: edit.title, slug: 'x', pages: [] };
  switch (edit.kind) {
    case 'insert':
      put({ ...inserted, type: 'document', file: `docs/n ${number} (x).md` }, place());
      return 1;
    case 'link':
      put({ ...inserted, type: 'link', target: { href: `https://x.test/${number}(a b` } }, place());
      return 1;
    case 'group':
      put({ ...inserted, type: 'group', slug: `group-${number}` }, pages);
      return 1;
  }
  if (!chosen) return 0;
  const { page, level } = chosen;
  const size = [...placesOf([page])].length;
  if (edit.kind === 'rename') {
    page.title = edit.title;
    return 1;
  }
  if (edit.kind === 'address') {
    if (page.type === 'document' && page.file !== undefined) {
      page.formerFile ??= page.file;
      page.file = `docs/n ${number} (x).md`;
    } else if (page.type === 'link') page.target = { file: 'sheet.pdf' };
    return 1;
  }
  level.splice(level.indexOf(page), 1);
  if (edit.kind === 'dissolve') for (const child of page.pages.toReversed()) put(child, level);
  else if (edit.kind === 'move') put(page, page.type === 'group' ? pages : place(page));
  return size;
}
