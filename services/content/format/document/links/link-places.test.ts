import { expectLinear } from '../../../../../shared/testing/processor-time.js';
import { findLinkPlaces } from './link-places.js';

/** The body with every address replaced, and with every address taken away. */
function rewritten(body: string, address: (url: string, kind: string) => string | undefined): string {
  let out = '';
  let from = 0;
  for (const place of findLinkPlaces(body)) {
    const shown = address(place.url, place.kind);
    const { from: start, to, text } = shown === undefined ? place.without : { ...place, text: shown };
    out += body.slice(from, start) + text;
    from = to;
  }
  return out + body.slice(from);
}

const found = (body: string) => findLinkPlaces(body).map(({ kind, url }) => `${kind} ${url}`);

describe('the places of addresses', () => {
  it.each<[string, string, string, string[]]>([
    ['See [a](a.md).', 'See [a](NEW).', 'See a.', ['link a.md']],
    ['[a](<b c (d).md> "t"), b', '[a](NEW "t"), b', 'a, b', ['link b c (d).md']],
    ['[a](b\\).md#x)', '[a](NEW)', 'a', ['link b).md#x']],
    ['[a](b(c)d.md)', '[a](NEW)', 'a', ['link b(c)d.md']],
    ['![a](a.png "t")', '![a](NEW "t")', 'a', ['image a.png']],
    ['[![a](a.png)](b.md)', '[![a](NEW)](NEW)', '[a]', ['image a.png', 'link b.md']],
    ['[a](b.md "mention")', '[a](NEW "mention")', 'a', ['link b.md']],
    ['[a](&#98;&amp;.md)', '[a](NEW)', 'a', ['link b&.md']],
    ['[a][x] and [x]\n\n[x]: b.md "t"\n', '[a][x] and [x]\n\n[x]: NEW "t"\n', '[a][x] and [x]\n\n\n', ['link b.md']],
    ['> ![a][x]\n>\n> [x]: <b c.png>\n', '> ![a][x]\n>\n> [x]: NEW\n', '> ![a][x]\n>\n> \n', ['image b c.png']],
    ['[a](b.md)(c)', '[a](NEW)(c)', 'a(c)', ['link b.md']],
    ['[a](b.md): c', '[a](NEW): c', 'a: c', ['link b.md']],
    ['a <a href="b.md">c</a>', 'a <a href="NEW">c</a>', 'a <a>c</a>', ['link b.md']],
    ["<img alt='x' src='a b.png'>", "<img alt='x' src='NEW'>", "<img alt='x'>", ['image a b.png']],
    ['<img src=a.png>', '<img src=NEW>', '<img>', ['image a.png']],
    [
      '<picture><source srcset="d.png" media="dark"><img src="a.png"></picture>',
      '<picture><source srcset="NEW" media="dark"><img src="NEW"></picture>',
      '<picture><source media="dark"><img></picture>',
      ['image d.png', 'image a.png'],
    ],
    [
      '<table data-view="cards"><tbody><tr><td><a href="x.md">x.md</a></td></tr></tbody></table>',
      '<table data-view="cards"><tbody><tr><td><a href="NEW">x.md</a></td></tr></tbody></table>',
      '<table data-view="cards"><tbody><tr><td><a>x.md</a></td></tr></tbody></table>',
      ['link x.md'],
    ],
    ['{% file src="a/b c.pdf" %}', '{% file src="NEW" %}', '{% file %}', ['file a/b c.pdf']],
    [
      '{% content-ref url="b.md" %}\n[b.md](b.md)\n{% endcontent-ref %}',
      '{% content-ref url="NEW" %}\n[b.md](NEW)\n{% endcontent-ref %}',
      '{% content-ref %}\nb.md\n{% endcontent-ref %}',
      ['content-ref b.md', 'link b.md'],
    ],
    ['| a |\n|---|\n| [x](y.md) |\n', '| a |\n|---|\n| [x](NEW) |\n', '| a |\n|---|\n| x |\n', ['link y.md']],
    ['* a\n  > **[x](y.md)**\n', '* a\n  > **[x](NEW)**\n', '* a\n  > **x**\n', ['link y.md']],
    ['a[^1]\n\n[^1]: [x](y.md)\n', 'a[^1]\n\n[^1]: [x](NEW)\n', 'a[^1]\n\n[^1]: x\n', ['link y.md']],
    ['[`a`](b.md)(c)', '[`a`](NEW)(c)', '[`a`]\\(c)', ['link b.md']],
    ['[- a](b.md)', '[- a](NEW)', '[- a]', ['link b.md']],
    ['[1. a](b.md): c', '[1. a](NEW): c', '[1. a]\\: c', ['link b.md']],
    ['\\![a](b.md) ![*a* b](c.md)', '\\![a](NEW) ![*a* b](NEW)', '\\!a *a* b', ['link b.md', 'image c.md']],
    ['[x \\[a](b.md)', '[x \\[a](NEW)', '[x \\[a]', ['link b.md']],
    ['# [x](y.md)', '# [x](NEW)', '# x', ['link y.md']],
  ])('of %j', (body, addressed, bare, places) => {
    expect(found(body)).toEqual(places);
    expect(rewritten(body, () => 'NEW')).toBe(addressed);
    expect(rewritten(body, () => undefined)).toBe(bare);
    expect(found(bare)).toEqual([]);
  });

  it.each([
    '`[a](b.md)`',
    '```\n[a](b.md)\n<img src="b.png">\n{% file src="b.pdf" %}\n```',
    '    [a](b.md)',
    '``a ` [b](c.md)``',
    '<!-- [a](b.md) <img src="b.png"> -->',
    '\\[a](b.md)',
    '[a](https://example.com) <a href="mailto:a@b.c">b</a> ![c](//d.e/f.png)',
    '[a](b.md',
    '[x]: unused.md',
    '{% swagger path="/v1/a" method="get" %}\n{% endswagger %}',
    '{% @name/block url="a.md" %}',
    '<code class="expression">a["x"](b)</code>',
    '$$[a](b.md)$$',
    '{% code title="url=x" %}\n```\nsrc="a"\n```\n{% endcode %}',
  ])('are none in %j', (body) => {
    expect(found(body)).toEqual([]);
  });

  it('of an include are the whole tag', () => {
    const body = '> {% include "a.md" %}\n\n`{% include "b.md" %}`\n';
    const [place] = findLinkPlaces(body);
    expect(found(body)).toEqual(['include a.md']);
    expect(body.slice(place?.from, place?.to)).toBe('{% include "a.md" %}');
  });

  it('are found next to code too', () => {
    expect(found('`](`[a](b.md) ``]: c`` [d](e.md)')).toEqual(['link b.md', 'link e.md']);
    expect(found('a [note]: [b](c.md)\n[d]: [e](f.md)')).toEqual(['link c.md', 'link f.md']);
    expect(found('- a ` b\n- [c](d.md)\n- e ` f')).toEqual(['link d.md']);
  });

  it.each(['[a](', '[a]:', '[a]: b', '](<', '[a](b "', '[a](b (', ' href=', ' href="', '{% include "', '`](a'])(
    'are looked for in time that grows with the length of %j alone',
    (part) => expectLinear((count) => findLinkPlaces(part.repeat(count)), 5000),
  );
});
