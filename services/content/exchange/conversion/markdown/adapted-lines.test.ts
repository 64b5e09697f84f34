import { expectLinear } from '../../../../../shared/testing/processor-time.js';
import { adaptLines, type Dialect } from './adapted-lines.js';

const adapted = (text: string, dialect: Dialect = {}) =>
  adaptLines(text.split('\n'), dialect).join('\n').replace(/\n+/g, '\n').trim();

describe('Markdown of other dialects', () => {
  it.each([
    ['::: tip Title\nText\n:::', '{% hint style="success" %}\n**Title**\nText\n{% endhint %}'],
    [
      ':::::note\n:::warning[A *b*]\nText\n:::\n:::::',
      '{% hint style="info" %}\n{% hint style="warning" %}\n**A \\*b\\***\nText\n{% endhint %}\n{% endhint %}',
    ],
    [':::note\nText', '{% hint style="info" %}\nText\n{% endhint %}'],
    ['> [!CAUTION]\n> a\n>\n> b\nc', '{% hint style="warning" %}\na\nb\n{% endhint %}\nc'],
    ['!!! danger "Hot"\n    a\n\n      b\nc', '{% hint style="danger" %}\n**Hot**\na\n  b\n{% endhint %}\nc'],
    ['??? note "More"\n    a', '<details>\n<summary>More</summary>\na\n</details>'],
    ['- a\n\n  !!! tip\n      b', '- a\n  {% hint style="success" %}\n  b\n  {% endhint %}'],
    ['```\n:::note\n```\n:::other\n:::', '```\n:::note\n```\n:::other\n:::'],
    ['~~~~\n```\n> [!NOTE]\n~~~~', '~~~~\n```\n> [!NOTE]\n~~~~'],
    ['## Head {#own-id}', '## Head<a href="#own-id" id="own-id"></a>'],
    ['import a from "b"\nexport const x = 1;', 'import a from "b"\nexport const x = 1;'],
  ])('%j becomes ours', (text, ours) => {
    expect(adapted(text)).toBe(ours);
  });

  it.each([
    [
      '<aside>\n💡 **Tip** text\n\nMore\n\n</aside>\nAfter',
      '{% hint style="info" %}\n**Tip** text\nMore\n{% endhint %}\nAfter',
    ],
    ['<aside>\n⚠️\n\nHot\n\n</aside>', '{% hint style="warning" %}\nHot\n{% endhint %}'],
    ['<aside>\n🔎 Look\n</aside>', '{% hint style="info" %}\n🔎 Look\n{% endhint %}'],
    [
      '<aside>\n<img src="https://www.notion.so/icons/bell_yellow.svg" alt="bell" width="40px" />\n\nRing\n</aside>',
      '{% hint style="info" %}\nRing\n{% endhint %}',
    ],
    ['- a\n    <aside>\n    ✅ b\n\n    </aside>', '- a\n    {% hint style="success" %}\n    b\n    {% endhint %}'],
    ['<aside>\nPlain', '{% hint style="info" %}\nPlain\n{% endhint %}'],
    ['```\n<aside>\n```', '```\n<aside>\n```'],
  ])('%j of Notion becomes ours', (text, ours) => {
    expect(adapted(text, { notion: true })).toBe(ours);
    expect(adapted(text)).toContain('<aside>');
  });

  it('leaves the code of MDX out, but not what is code', () => {
    const text =
      'import A from "a";\n\nexport const B = () => {\n  return 1;\n};\n\n{/* note */}\n\nText `{/* x */}`\n\n```js\nimport A from "a";\n```';
    expect(adapted(text, { mdx: true })).toBe('Text `{/* x */}`\n```js\nimport A from "a";\n```');
  });

  it.each([
    ':::note[',
    '> [!NOTE]\n',
    '!!! note\n    ',
    ':::note\n',
    '{/*',
    '# {#',
    '```\n',
    '<aside>\n',
    '<aside>\n💡 ',
  ])('takes time by its length only where it is nothing but %j', (part) =>
    expectLinear((size) => adapted(part.repeat(size), { mdx: true, notion: true }), 2500),
  );
});
