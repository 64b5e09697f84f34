import type { Page } from '../../content/resources.js';
import { coverIn, withLook } from './front-matter.js';

const shown: NonNullable<Page['layout']> = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
  coverMask: 'none',
  tags: true,
  actions: true,
  anchors: true,
};

it('a look is written beside what the front matter says already', () => {
  const source = '---\n# Ours\nicon: book\nlayout: landing\n---\n\n# Title\n';
  const layout = { ...shown, width: 'wide' as const, outline: false, coverSize: 'full' as const };
  expect(withLook(source, { cover: 'a.png', layout }, { ...shown, tableOfContents: false })).toBe(
    '---\n# Ours\nicon: book\nlayout:\n  width: wide\n  cover:\n    size: full\n  outline:\n    visible: false\ncover: a.png\n---\n\n# Title\n',
  );
});

it('a look that is the default leaves no front matter behind, and adds none', () => {
  const source = '---\ncover: a.png\ncoverY: 3\nlayout:\n  width: wide\n---\n# Title\n';
  expect(coverIn(source)).toBe('a.png');
  expect(withLook(source, { cover: '', layout: shown }, { ...shown, width: 'wide' })).toBe('# Title\n');
  expect(withLook('# Title\n', { cover: '', layout: shown }, shown)).toBe('# Title\n');
  expect(withLook('# Title\n', { cover: 'b.png', layout: shown }, shown)).toBe('---\ncover: b.png\n---\n\n# Title\n');
});

it('front matter that cannot be read is left alone', () => {
  for (const source of ['---\na: [\n---\n', '---\n- a\n---\n', `---\na: ${'x'.repeat(70_000)}\n---\n`]) {
    expect(coverIn(source)).toBeUndefined();
    expect(withLook(source, { cover: '', layout: shown }, shown)).toBeUndefined();
  }
});

it.each(['\n', '\r\n'])('other lines stay as they are written: %j', (end) => {
  const written = (lines: string) => `\uFEFF${lines.replaceAll('\n', end)}`;
  const source = written(
    '---\n# Ours\ntags: [a,b]   # kept\nlayout: # of this page\n  unknown: 1\n  # Why\n  outline:\n    visible: false # so\n  title:\n    visible: true\n---\n\n# Title\n',
  );
  const before = { ...shown, outline: false };
  expect(withLook(source, { cover: '', layout: before }, before)).toBe(source);
  expect(withLook(source, { cover: '', layout: shown }, before)).toBe(
    source.replace(written('  outline:\n    visible: false # so\n').slice(1), ''),
  );
  expect(withLook(source, { cover: 'a.png', layout: { ...before, title: false } }, before)).toBe(
    source
      .replace('visible: true', 'visible: false')
      .replace(`${end}---${end}${end}`, `${end}cover: a.png${end}---${end}${end}`),
  );
});

it('a layout that is written in one line, or not as a map of lines, is left alone', () => {
  const source = '---\nlayout: { outline: false }\n---\n';
  expect(withLook(source, { cover: '', layout: shown }, { ...shown, outline: false })).toBeUndefined();
  expect(withLook(source, { cover: 'a.png', layout: shown }, shown)).toBe(source.replace('}\n', '}\ncover: a.png\n'));
});
