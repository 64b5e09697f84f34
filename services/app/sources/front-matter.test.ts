import fc from 'fast-check';
import { parse } from 'yaml';
import { anyCharacter, runs } from '../../../shared/testing/runs.js';
import { type FieldValue, openFrontMatter } from './front-matter.js';

function changed(text: string, path: string, value: FieldValue): string | undefined {
  const change = openFrontMatter(text).change(path.split('.'), value);
  if (change === undefined) return undefined;
  return change === null ? text : text.slice(0, change.from) + change.insert + text.slice(change.to);
}
const readAt = (text: string, path: string) => openFrontMatter(text).read(path.split('.'));

const page = (yaml: string, body = '\n# Body\n') => `---\n${yaml}---\n${body}`;

describe('a field is read', () => {
  it.each<[string, string, string, FieldValue | undefined]>([
    ['a plain text', 'title: Some title # why\n', 'title', 'Some title'],
    ['in double quotes', 'title: "a: \\"b\\" \\u00e9" # why\n', 'title', 'a: "b" é'],
    ['in single quotes', "title: 'it''s' # why\n", 'title', "it's"],
    ['with a hash in it', 'title: C#\n', 'title', 'C#'],
    ['folded', 'description: >-\n  one\n  two\nicon: x\n', 'description', 'one two'],
    ['of several lines', 'description: |\n  one\n  # two\n\nicon: x\n', 'description', 'one\n# two'],
    ['nothing', 'title:\n', 'title', ''],
    ['null', 'title: ~\n', 'title', ''],
    ['that is not there', 'title: x\n', 'icon', null],
    ['a flag', 'hidden: true\n', 'hidden', true],
    ['inside of others', 'layout:\n  width: wide\n  title:\n    visible: false\n', 'layout.title.visible', false],
    ['inside, not there', 'layout:\n  title:\n    visible: false\n', 'layout.cover.visible', null],
    ['a switch in short', 'layout:\n  title: false\n', 'layout.title.visible', false],
    ['behind a quoted key', '"title": x\n', 'title', 'x'],
    ['beside lists', 'tags:\n- a\n- b\ntitle: x\nothers:\n  - c\n', 'title', 'x'],
    ['a list', 'tags:\n  - a\n', 'tags', undefined],
    ['a map on one line', 'layout: {title: false}\n', 'layout.title.visible', undefined],
    ['a preset', 'layout: landing\n', 'layout.title.visible', undefined],
    ['text that goes on', 'title: one\n  two\n', 'title', undefined],
    ['folded with a blank line', 'description: >-\n  one\n\n  two\n', 'description', undefined],
    ['an anchor', 'title: &a x\n', 'title', undefined],
    ['in what is no map', '- a\n- b\n', 'title', undefined],
    ['in what is broken', 'title: x\n  : y\n?\n', 'title', undefined],
    ['twice', 'title: x\ntitle: y\n', 'title', undefined],
  ])('%s', (_, yaml, path, value) => {
    expect(readAt(page(yaml), path)).toEqual(value);
    expect(readAt(`\uFEFF${page(yaml)}`.replaceAll('\n', '\r\n'), path)).toEqual(value);
  });

  it('only in front matter', () => {
    expect(readAt('title: x\n', 'title')).toBeNull();
    expect(readAt('---\ntitle: x\n', 'title')).toBeNull();
    expect(readAt('\n---\ntitle: x\n---\n', 'title')).toBeNull();
  });
});

describe('a change touches its own lines alone', () => {
  const front =
    '# About\ntitle: "Quoted" # kept\n\ndescription: >-\n  Folded\n  text\nunknown: [1,2]   \nlayout:\n  # inner\n  title:\n    visible: true # why\n  outline: false\n# end\n';
  it.each<[string, string, FieldValue, [string, string]]>([
    ['of a quoted text', 'title', 'New', ['"Quoted"', 'New']],
    ['to a text that needs quotes', 'title', 'a: b # c', ['"Quoted"', '"a: b # c"']],
    ['to a number', 'title', '12', ['"Quoted"', '"12"']],
    ['to the same text', 'title', 'Quoted', ['', '']],
    ['of a folded text', 'description', 'Short', ['>-\n  Folded\n  text', 'Short']],
    ['to lines', 'description', 'a\nb', ['>-\n  Folded\n  text', '"a\\nb"']],
    ['that removes a text', 'description', null, ['description: >-\n  Folded\n  text\n', '']],
    ['of a key that is not there', 'icon', 'bolt', ['# end\n', '# end\nicon: bolt\n']],
    ['that removes nothing', 'icon', null, ['', '']],
    ['of a switch', 'layout.title.visible', false, ['visible: true', 'visible: false']],
    ['of a switch in short', 'layout.outline.visible', true, ['outline: false', 'outline: true']],
    [
      'that removes a switch with what held it',
      'layout.title.visible',
      null,
      ['  title:\n    visible: true # why\n', ''],
    ],
    [
      'that adds a switch',
      'layout.cover.visible',
      false,
      ['outline: false\n', 'outline: false\n  cover:\n    visible: false\n'],
    ],
  ])('%s', (_, path, value, [before, after]) => {
    for (const text of [page(front), `\uFEFF${page(front, '')}`.replaceAll('\n', '\r\n')]) {
      const written = (part: string) => (text.includes('\r') ? part.replaceAll('\n', '\r\n') : part);
      const made = changed(text, path, value);
      expect(made).toBe(text.replace(written(before), () => written(after)));
      expect(readAt(made as string, path)).toEqual(value);
    }
  });

  it.each([
    ['icon: # none\n', 'icon: bolt # none\n'],
    ['icon:   #none\n', 'icon:   bolt #none\n'],
  ])('of an empty value before a comment: %j', (yaml, expected) => {
    expect(changed(page(yaml), 'icon', 'bolt')).toBe(page(expected));
    expect(readAt(page(expected), 'icon')).toBe('bolt');
  });

  it('and makes front matter where there is none', () => {
    expect(changed('# Body\r\n', 'layout.title.visible', false)).toBe(
      '---\r\nlayout:\r\n  title:\r\n    visible: false\r\n---\r\n\r\n# Body\r\n',
    );
    expect(changed('\uFEFF', 'icon', 'bolt')).toBe('\uFEFF---\nicon: bolt\n---\n');
    expect(changed('x', 'icon', null)).toBe('x');
  });

  it('and leaves alone what it does not read', () => {
    expect(changed(page('title: [\n'), 'title', 'x')).toBeUndefined();
    expect(changed(page('layout: landing\n'), 'layout.title.visible', true)).toBeUndefined();
    expect(changed(page('- a\n'), 'title', 'x')).toBeUndefined();
    expect(changed(page('tags: [\n'), 'title', 'x')).toBeUndefined();
    const long = page(`title: ${'x'.repeat(64_000)}\n`);
    expect([readAt(long, 'title'), changed(long, 'icon', 'x')]).toEqual([undefined, undefined]);
    expect(changed(page('tags:\n  - a\n'), 'tags', null)).toBeUndefined();
  });
});

const texts = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom(
    'yes',
    'Null',
    '1:30',
    '2024-01-31',
    'a #b',
    ' a',
    'a ',
    '- a',
    '? a',
    '"',
    "'",
    '\\',
    '@a',
    'é',
    '\u2028',
    '\uFEFFx',
    'a\n\nb',
  ),
);
const keys = ['title', 'description', 'icon', 'cover'];

it('any texts, set one after the other, are read again as they are, by YAML as well', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...keys), fc.option(texts)), { minLength: 1, maxLength: 8 });
  const starts = fc.constantFrom('', 'Body.\n', page(''), page('icon: x\n# c\nlayout:\n  title:\n    visible: true\n'));
  fc.assert(
    fc.property(starts, steps, (start, sets) => {
      let text = start;
      const expected: Record<string, unknown> = {};
      for (const [key, value] of sets) {
        text = changed(text, key, value) as string;
        if (value === null) delete expected[key];
        else expected[key] = value;
        expect(readAt(text, key)).toEqual(value);
      }
      const yaml = /^---\n([\s\S]*?)^---$/m.exec(text)?.[1] ?? '';
      const { layout: _, ...read } = parse(yaml) ?? {};
      const { icon, ...others } = read;
      const { icon: set, ...rest } = expected;
      expect(others).toEqual(rest);
      if (sets.some(([key]) => key === 'icon')) expect(icon).toEqual(set);
      expect(text.endsWith(start.replace(/^---\n[\s\S]*?---\n/, ''))).toBe(true);
    }),
    { numRuns: runs(300) },
  );
});
