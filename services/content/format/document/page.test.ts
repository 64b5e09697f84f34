import { toDocument } from './document.js';
import { type PageLink, parsePage, withTitleHeading } from './page.js';
import { sectionsUnderTitle } from './sections.js';

describe('parsePage', () => {
  it('reads the front matter', () => {
    const page = parsePage(
      [
        '---',
        'description: >-',
        '  Two',
        '  lines',
        'icon: book-open',
        'hidden: true',
        'noIndex: true',
        'cover: .gitbook/assets/a b.png',
        'coverY: -12.5',
        'if: visitor.claims.beta',
        'vars:',
        '  version: 2',
        'tags:',
        '  - one',
        '  - tag: two',
        '    primary: true',
        'layout:',
        '  width: wide',
        '  cover:',
        '    visible: true',
        '    size: full',
        '  outline:',
        '    visible: false',
        'metaLinks: {}',
        '---',
        '',
        '# The *title*',
      ].join('\n'),
    );
    expect(page).toEqual({
      plain: true,
      title: 'The title',
      description: 'Two lines',
      icon: 'book-open',
      hidden: true,
      noIndex: true,
      noRobotsIndex: false,
      cover: { url: '.gitbook/assets/a b.png', yPos: -12.5 },
      condition: 'visitor.claims.beta',
      variables: { version: 2 },
      tags: [
        { tag: 'one', primary: false },
        { tag: 'two', primary: true },
      ],
      layout: {
        width: 'wide',
        cover: true,
        coverSize: 'full',
        title: true,
        description: true,
        tableOfContents: true,
        outline: false,
        pagination: true,
        metadata: true,
      },
      sections: [
        { level: 0, text: '' },
        { level: 1, title: 'The title', anchor: 'the-title', text: '', lead: true },
      ],
      headings: [],
      anchors: ['the-title'],
      aliases: [['thetitle', 'the-title']],
      links: [],
    });
  });

  it('takes the title from the front matter, else from the first heading of level 1', () => {
    expect(parsePage('---\ntitle: A\n---\n# B').title).toBe('A');
    expect(parsePage('![](logo.png)\n\n# B `c` &amp; **d** <a href="#x" id="x"></a>').title).toBe('B c & d');
    expect(parsePage('Set\n===').title).toBe('Set');
    expect(parsePage('## A').title).toBeUndefined();
  });

  it('splits a leading emoji from the title', () => {
    expect(parsePage('# 🎉 Party')).toMatchObject({ title: 'Party', emoji: '🎉' });
    expect(parsePage('# :rocket: Go')).toMatchObject({ title: 'Go', emoji: '🚀' });
    expect(parsePage('# 🎉')).toMatchObject({ title: '🎉' });
  });

  it('imports a page with bad front matter and says why', () => {
    const page = parsePage('---\ntitle: [a\n---\n# B\n\nc');
    expect(page).toMatchObject({ title: 'B', hidden: false, sections: [{ text: '' }, { text: 'c' }] });
    expect(page.problem).toMatch(/^The front matter is not valid YAML: /);
    expect(parsePage('---\n- a\n---\n').problem).toBe('The front matter is not a list of keys and values');
    expect(parsePage('---\na: 1\n\nno end').problem).toBeUndefined();
  });

  it('accepts a byte order mark, Windows line ends, and an empty source', () => {
    expect(parsePage('\uFEFF---\r\ndescription: d\r\n---\r\n\r\n# A\r\n\r\nb\r\nc\r\n')).toMatchObject({
      title: 'A',
      description: 'd',
      sections: [{ level: 0 }, { lead: true, text: 'b c' }],
    });
    expect(parsePage('')).toMatchObject({ sections: [{ level: 0, text: '' }], links: [], headings: [] });
    expect(parsePage('---\n---')).toMatchObject({ sections: [{ text: '' }] });
  });

  it('cuts the visible text at its headings', () => {
    const { sections, headings } = parsePage(
      '# T\n\nlead **bold** [link](x.md)\n\n## One\n\n{% hint style="info" %}\nin a hint\n{% endhint %}\n\n```js\nlet code;\n```\n\n' +
        '{% stepper %}\n{% step %}\n### Two\n\nstep\n{% endstep %}\n{% endstepper %}\n\n<details><summary>More</summary><p>hidden &lt;text&gt;</p></details>\n\n| H |\n| - |\n| cell |',
    );
    expect(sections).toEqual([
      { level: 0, text: '' },
      { level: 1, title: 'T', anchor: 't', text: 'lead bold link', lead: true },
      { level: 1, title: 'One', anchor: 'one', text: 'in a hint\nlet code;' },
      { level: 2, title: 'Two', anchor: 'two', text: 'step\nMore\nhidden <text>\nH\ncell' },
    ]);
    expect(headings).toEqual([
      { level: 1, title: 'One', anchor: 'one' },
      { level: 2, title: 'Two', anchor: 'two' },
    ]);
  });

  it('has a section for the first heading unless it repeats the title', () => {
    const { sections } = parsePage('Before\n\n# The Title\n\nAfter\n\n## One\n\nx');
    const one = { level: 1, title: 'One', anchor: 'one', text: 'x' };
    expect(sectionsUnderTitle('The title', sections)).toEqual([{ level: 0, text: 'Before\nAfter' }, one]);
    expect(sectionsUnderTitle('Other', sections)).toEqual([
      { level: 0, text: 'Before' },
      { level: 1, title: 'The Title', anchor: 'the-title', text: 'After' },
      one,
    ]);
  });

  it('lists every use of a URL by its kind, the same URLs that the document resolves', () => {
    const source =
      '[a](a.md#x) ![](i.png) <https://b.c> <me@b.c>\n\n<a href="p.md" class="button primary">P</a>\n\n{% file src="f.pdf" %}\n\n{% embed url="https://e.f" %}\n\n' +
      '{% content-ref url="r.md" %}\n[r](r.md)\n{% endcontent-ref %}\n\n{% include "../n.md" %}\n\n{% openapi-operation spec="s" path="/" method="get" %}\n\n[m](m.md "mention")\n\n' +
      '<table><tr><th data-type="content-ref">T</th></tr><tr><td><a href="t.md">t</a></td></tr></table>';
    const { links } = parsePage(source);
    expect(links).toEqual([
      { url: 'a.md#x', kind: 'link', section: 0 },
      { url: 'i.png', kind: 'image', section: 0 },
      { url: 'https://b.c', kind: 'link', section: 0 },
      { url: 'mailto:me@b.c', kind: 'link', section: 0 },
      { url: 'p.md', kind: 'button', section: 0 },
      { url: 'f.pdf', kind: 'file', section: 0 },
      { url: 'https://e.f', kind: 'embed', section: 0 },
      { url: 'r.md', kind: 'content-ref', section: 0 },
      { url: '../n.md', kind: 'include', section: 0 },
      { url: 's', kind: 'openapi', section: 0 },
      { url: 'm.md', kind: 'mention', section: 0 },
      { url: 't.md', kind: 'content-ref', section: 0 },
    ]);
    const resolved: PageLink[] = [];
    toDocument(source, (url, kind, section) => {
      resolved.push({ url, kind, section });
      return undefined;
    });
    expect(resolved).toEqual(links);
  });

  it('says under which of its anchors a URL is used', () => {
    const { links, anchors } = parsePage(
      '# T [l](l.md)\n\n[a](a.md)\n\n## One [b](b.md)\n\n{% tabs %}\n{% tab title="Tab" %}\n[c](c.md)[^n]\n\n### Two <a href="#x" id="x"></a>\n\n' +
        '[d](d.md)\n{% endtab %}\n{% endtabs %}\n\n<details>\n\n<summary>More</summary>\n\n[e](e.md)\n\n</details>\n\n[^n]: [f](f.md)\n',
    );
    expect(anchors).toEqual(['one-b', 'x', 't-l', 'tab', 'more']);
    const under = links.map(({ url, section }) => [url, anchors[section - 1]]);
    expect(under).toEqual([
      ['l.md', undefined],
      ['a.md', undefined],
      ['b.md', 'one-b'],
      ['c.md', 'one-b'],
      ['f.md', 'one-b'],
      ['d.md', 'x'],
      ['e.md', 'x'],
    ]);
  });
});

describe('withTitle', () => {
  it('gives the source without its front matter', () => {
    expect(withTitleHeading('---\nicon: x\n---\n\n# Own\n\na\n', 'Own')).toBe('# Own\n\na\n');
    expect(withTitleHeading('Own\n===\n\na', 'own')).toBe('Own\n===\n\na');
  });

  it('puts the title above a first heading that says something else', () => {
    expect(withTitleHeading('# Own\n\na\n', 'T')).toBe('# T\n\n# Own\n\na\n');
  });

  it.each([
    '# Own\n\na\n',
    '# Own #\na\n',
    '# :tada: OWN\n\na\n',
    'Own\n===\n\na\n',
    'Own\n=\na\n',
    '<h1>Own</h1>\n\na\n',
    '<h1 align="center">\n  Own\n</h1>\n\na\n',
    '---\ntitle: x\n---\n\n# Own\n\n\na\n',
  ])('puts the title in the place of a first heading that says the title before it: %j', (source) => {
    expect(withTitleHeading(source, 'New', 'Own')).toBe('# New\n\na\n');
  });

  it('keeps any other heading of a renamed page', () => {
    expect(withTitleHeading('# Other\n\na\n', 'New', 'Own')).toBe('# New\n\n# Other\n\na\n');
    expect(withTitleHeading('## Own\n', 'New', 'Own')).toBe('# New\n\n## Own\n');
    expect(withTitleHeading('a\n\n# Own\n', 'New', 'Own')).toBe('# New\n\na\n\n# Own\n');
    expect(withTitleHeading('# Own\n', 'OWN', 'Own')).toBe('# OWN\n');
  });

  it('adds the title where the body does not begin with one', () => {
    expect(withTitleHeading('a\n', 'T')).toBe('# T\n\na\n');
    expect(withTitleHeading('## S\n', 'Two\nlines')).toBe('# Two lines\n\n## S\n');
    expect(withTitleHeading('', 'T')).toBe('# T\n');
  });
});
