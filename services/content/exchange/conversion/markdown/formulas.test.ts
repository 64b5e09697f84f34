import { expectLinear } from '../../../../../shared/testing/processor-time.js';
import { adaptDollarFormulas, adaptFormulas } from './formulas.js';

describe('formulas in Markdown', () => {
  it.each([
    ['Is $E=mc^2$, and $x$.', 'Is $$E=mc^2$$, and $$x$$.'],
    ['($\\frac{a}{b}$) $$c$$ $`d`$', '($$\\frac{a}{b}$$) $$c$$ $$d$$'],
    ['| $a$ | $b$ |', '| $$a$$ | $$b$$ |'],
    ['方程$x$と', '方程$$x$$と'],
    ['It costs $5 and $6, or $7.', 'It costs $5 and $6, or $7.'],
    ['From $5-$10, US$5 or 6$', 'From $5-$10, US$5 or 6$'],
    ['From $5 to 6$', 'From $5 to 6$'],
    ['Set $HOME and $PATH, $HOME/$USER', 'Set $HOME and $PATH, $HOME/$USER'],
    ['`$a$` and ``$b$ ` c`` \\$d\\$', '`$a$` and ``$b$ ` c`` \\$d\\$'],
    ['[a](https://a.b/$c$) https://a.b/$c$', '[a](https://a.b/$c$) https://a.b/$c$'],
  ])('%j', (line, ours) => {
    expect(adaptDollarFormulas(line)).toBe(ours);
  });

  it.each([
    ['```math\n\\sqrt{3}\n```\n$a$', '$$\n\\sqrt{3}\n$$\n$$a$$'],
    ['- One\n  ~~~ math\n  a\n  ~~~', '- One\n  $$\n  a\n  $$'],
    ['$$\n\\text{if $a$}\n$$\n$a$', '$$\n\\text{if $a$}\n$$\n$$a$$'],
    ['```sh\necho $a$\n```\n$a$', '```sh\necho $a$\n```\n$$a$$'],
    ['Text\n\n    $code$\n\n- a\n\n    $b$', 'Text\n\n    $code$\n\n- a\n\n    $$b$$'],
  ])('%j in its lines', (text, ours) => {
    expect(adaptFormulas(text.split('\n')).join('\n')).toBe(ours);
  });

  it('of mdBook', () => {
    const text = 'Is \\\\( a \\\\) `\\\\(`\n\\\\[\nb\n\\\\]\n```\n\\\\(\n```';
    expect(adaptFormulas(text.split('\n'), { isBook: true }).join('\n')).toBe(
      'Is $$ a $$ `\\\\(`\n$$\nb\n$$\n```\n\\\\(\n```',
    );
  });

  it.each(['$', '$a', '$a ', '$$ ', '`', '` `` ', '$`', '](', 'http://$'])(
    'take time by the length only where a line is nothing but %j',
    (part) => expectLinear((size) => adaptDollarFormulas(`${part.repeat(size)}$`), 20_000),
  );
});
