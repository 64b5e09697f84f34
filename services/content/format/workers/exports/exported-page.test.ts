import { parsePage } from '../../document/page.js';
import { rewriteExportedPage } from './exported-page.js';

const readTitle = (source: string) => parsePage(source).title;

const page = (
  source: string,
  { addresses = {}, ...rest }: { addresses?: Record<string, string>; title?: string } = {},
) => rewriteExportedPage({ source, addresses: new Map(Object.entries(addresses)), edits: {}, ...rest });

describe('links of an exported page', () => {
  it.each([
    [
      'a link',
      'See [it](/pages/P1#x "T") now.\n',
      'See [it](../a%20b.md#x "T") now.\n',
      'link /pages/P1#x',
      '../a%20b.md#x',
    ],
    ['an image', '![x](</files/F1>)\n', '![x](x.png)\n', 'image /files/F1', 'x.png'],
    ['a definition', '[it][a]\n\n[a]: /pages/P1 "T"\n', '[it][a]\n\n[a]: b.md "T"\n', 'link /pages/P1', 'b.md'],
    [
      'HTML',
      '<a class="button" href="/pages/P1">x</a>\n',
      '<a class="button" href="b.md">x</a>\n',
      'link /pages/P1',
      'b.md',
    ],
    ['an include', '{% include "../inc/a.md" %}\n', '{% include "inc/a.md" %}\n', 'include ../inc/a.md', 'inc/a.md'],
    [
      'a content-ref',
      '{% content-ref url="/pages/P1" %}\n[x](/pages/P1)\n{% endcontent-ref %}\n',
      '{% content-ref url="b.md" %}\n[x](/pages/P1)\n{% endcontent-ref %}\n',
      'content-ref /pages/P1',
      'b.md',
    ],
  ])('are written anew in %s, and no other byte', (_, source, made, key, address) => {
    const whole = `\uFEFF---\r\ntitle: "A" # c\r\n---\r\n\r\n# A\r\n${source.replaceAll('\n', '\r\n')}`;
    expect(page(whole, { addresses: { [key]: address } })).toBe(
      whole.replace(source.replaceAll('\n', '\r\n'), made.replaceAll('\n', '\r\n')),
    );
  });

  it('stay in code', () => {
    const source = '`[a](/pages/P1)`\n\n```\n[a](/pages/P1)\n```\n';
    expect(page(source, { addresses: { 'link /pages/P1': 'b.md' } })).toBe(source);
  });
});

describe('the title of an exported page', () => {
  it.each([
    ['---\nicon: x\n---\n\n# Old\n\nText.\n', '---\nicon: x\n---\n\n# New\n\nText.\n'],
    ['# Old <a href="#o" id="o"></a>\r\nText.\r\n', '# New <a href="#o" id="o"></a>\r\nText.\r\n'],
    ['Old\n===\n\nText.\n', '# New\n\nText.\n'],
    ['\n\n# Old', '\n\n# New'],
    ['No heading.\n', 'No heading.\n'],
    ['', '# New\n'],
  ])('takes the place of the first heading of %j', (source, made) => {
    expect(page(source, { title: 'New' })).toBe(made);
  });

  it.each(['Notes: part 1', 'a*b*', '[x](y)', '<b>', 'C\\D', 'x #', '&amp;', '$$x$$', '{% if %}', 'a  b'])(
    'is read again as it is: %s',
    (title) => {
      const made = page('# Old\n', { title });
      expect(rewriteExportedPage({ source: made, addresses: new Map(), title, edits: {} })).toBe(made);
      expect(readTitle(made)).toBe(title.replace(/\s+/g, ' '));
    },
  );
});

test('front matter is set beside what is there', () => {
  const source = '---\n# mine\ncover: /files/F1\n---\n\nText.\n';
  expect(rewriteExportedPage({ source, addresses: new Map(), edits: { cover: '.gitbook/assets/a.png' } })).toBe(
    '---\n# mine\ncover: .gitbook/assets/a.png\n---\n\nText.\n',
  );
});
