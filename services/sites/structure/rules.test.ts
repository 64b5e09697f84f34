import { freePath, slugOf } from './paths.js';
import * as rules from './rules.js';
import {
  defaultPlace,
  emptyStructure,
  findGroup,
  findSection,
  isGroup,
  isLink,
  type LinkEntry,
  type SectionEntry,
  type Structure,
  sectionsOf,
  siteSpacesShowing,
} from './structure.js';
import { outline, refused } from './testing/outlines.js';

/** The order of everything as text: `root:a*,b [s1*:a*,b] {g:[s2:c*]<l>}`, `*` marks defaults. */
function notationOf(structure: Structure): string {
  const items = ({ items, default: first }: Structure['siteSpaces']) =>
    items.map(({ id }) => (id === first ? `${id}*` : id)).join(',');
  const part = (entry: SectionEntry | LinkEntry) => {
    if (isLink(entry)) return `<${entry.id}>`;
    const { id, siteSpaces } = entry;
    return `[${id}${structure.defaultSection === id ? '*' : ''}:${items(siteSpaces)}]`;
  };
  const entries = structure.entries.map((entry) =>
    isGroup(entry) ? `{${entry.id}:${entry.children.map(part).join('')}}` : part(entry),
  );
  return [...(structure.siteSpaces.items.length > 0 ? [`root:${items(structure.siteSpaces)}`] : []), ...entries].join(
    ' ',
  );
}

/** Sections `s1`… with a site space of the same number each. */
function sectioned(...numbers: number[]): Structure {
  const structure = emptyStructure();
  for (const n of numbers) add(structure, `s${n}`, `${n}`);
  return structure;
}

const add = (structure: Structure, id: string, siteSpace: string, slug = id) =>
  rules.addSection(
    structure,
    { id, slug, siteSpace: { id: siteSpace, space: siteSpace, path: siteSpace } },
    { id: 'w', slug: 'w' },
  );

const put = (structure: Structure, section: string | null, id: string, slug = id) =>
  rules.addSiteSpace(structure, section === null ? null : findSection(structure, section), { id, space: id }, slug);

/** `s1`, then `g` with `s2` and `s3`, then `s4`. */
function grouped(): Structure {
  const structure = sectioned(1, 2, 3, 4);
  rules.addGroup(structure, 'g', ['s2', 's3']);
  rules.moveGroup(structure, 'g', { before: 's4' });
  return structure;
}

describe('moving a section', () => {
  it.each<[string, rules.Position | undefined, string]>([
    ['before the first', { before: 's1' }, 's3 s1 s2 s4'],
    ['before the next, which changes nothing', { before: 's4' }, 's1 s2 s3 s4'],
    ['after the first', { after: 's1' }, 's1 s3 s2 s4'],
    ['after the last', { after: 's4' }, 's1 s2 s4 s3'],
    ['with both anchors: before wins', { before: 's1', after: 's4' }, 's3 s1 s2 s4'],
    ['with neither, to the end', {}, 's1 s2 s4 s3'],
    ['without a position, to the end', undefined, 's1 s2 s4 s3'],
  ])('%s', (_, position, expected) => {
    const structure = sectioned(1, 2, 3, 4);
    rules.moveSection(structure, 's3', position);
    expect([outline(structure), structure.defaultSection]).toEqual([expected, 's1']);
  });

  it.each<[string, string, rules.Position, string]>([
    ['next to one in a group joins it, before', 's4', { before: 's3' }, 's1 g(s2,s4,s3)'],
    ['next to one in a group joins it, after', 's1', { after: 's3' }, 'g(s2,s3,s1) s4'],
    ['next to one outside leaves the group', 's2', { before: 's1' }, 's2 s1 g(s3) s4'],
    ['next to the group stands outside of it', 's2', { after: 'g' }, 's1 g(s3) s2 s4'],
    ['before its own group stands outside of it', 's3', { before: 'g' }, 's1 s3 g(s2) s4'],
    ['without a position stays in its group', 's2', {}, 's1 g(s3,s2) s4'],
  ])('%s', (_, id, position, expected) => {
    const structure = grouped();
    rules.moveSection(structure, id, position);
    expect(outline(structure)).toBe(expected);
  });

  it('to the group of another', () => {
    const structure = grouped();
    rules.addGroup(structure, 'h', ['s4']);
    rules.moveSection(structure, 's2', { after: 's4' });
    expect(outline(structure)).toBe('s1 g(s3) h(s4,s2)');
  });
});

describe('moving a group', () => {
  it.each<[string, rules.Position | undefined, string]>([
    ['before a section', { before: 's1' }, 'g(s2,s3) s1 s4'],
    ['after a section', { after: 's4' }, 's1 s4 g(s2,s3)'],
    ['with both anchors: before wins', { before: 's1', after: 's4' }, 'g(s2,s3) s1 s4'],
    ['with neither, to the end', {}, 's1 s4 g(s2,s3)'],
    ['without a position, to the end', undefined, 's1 s4 g(s2,s3)'],
  ])('%s', (_, position, expected) => {
    const structure = grouped();
    rules.moveGroup(structure, 'g', position);
    expect(outline(structure)).toBe(expected);
  });

  it.each<[string, rules.Position, string]>([
    ['before a section in another group stands before that group', { before: 's4' }, 's1 g(s2,s3) h(s4)'],
    ['after a section in another group stands after that group', { after: 's4' }, 's1 h(s4) g(s2,s3)'],
    ['before another group', { before: 'h' }, 's1 g(s2,s3) h(s4)'],
  ])('%s', (_, position, expected) => {
    const structure = grouped();
    rules.addGroup(structure, 'h', ['s4']);
    rules.moveGroup(structure, 'g', position);
    expect(outline(structure)).toBe(expected);
  });

  it('next to a section of its own is refused', () => {
    expect(refused(() => rules.moveGroup(grouped(), 'g', { before: 's2' }))).toEqual([
      400,
      expect.stringMatching(/^position/),
    ]);
  });
});

describe('moving a site space', () => {
  const three = () => {
    const structure = sectioned(1, 2);
    for (const id of ['a', 'b']) put(structure, 's1', id);
    return structure;
  };

  it.each<[string, string, rules.Position | undefined, string]>([
    ['before another', 'b', { before: '1' }, '[s1*:b,1*,a] [s2:2*]'],
    ['after another', '1', { after: 'a' }, '[s1*:a,1*,b] [s2:2*]'],
    ['with both anchors: before wins', 'b', { before: '1', after: 'a' }, '[s1*:b,1*,a] [s2:2*]'],
    ['with neither, to the end of its section', '1', {}, '[s1*:a,b,1*] [s2:2*]'],
    ['without a position, to the end of its section', 'a', undefined, '[s1*:1*,b,a] [s2:2*]'],
    ['before one of another section joins it', 'a', { before: '2' }, '[s1*:1*,b] [s2:a,2*]'],
    ['after one of another section joins it', 'a', { after: '2' }, '[s1*:1*,b] [s2:2*,a]'],
    ['which was the default makes the next one the default', '1', { after: '2' }, '[s1*:a*,b] [s2:2*,1]'],
    ['which was the only one leaves an empty section', '2', { before: 'a' }, '[s1*:1*,2,a,b] [s2:]'],
  ])('%s', (_, id, position, expected) => {
    const structure = three();
    rules.moveSiteSpace(structure, id, position);
    expect(notationOf(structure)).toBe(expected);
  });

  it('to where its path is taken is a conflict that changes nothing', () => {
    const structure = three();
    rules.renameSiteSpace(structure, '2', 'A');
    const before = notationOf(structure);
    expect(refused(() => rules.moveSiteSpace(structure, 'a', { after: '2' }))).toEqual([
      409,
      expect.stringMatching(/^path/),
    ]);
    expect(notationOf(structure)).toBe(before);
  });
});

describe('a move', () => {
  const moves: [string, (structure: Structure, id: string, position: rules.Position) => void, string][] = [
    ['a section', rules.moveSection, 's2'],
    ['a group', rules.moveGroup, 'g'],
    ['a site space', rules.moveSiteSpace, '2'],
  ];
  it.each(moves)('of %s next to itself is 400, next to an unknown item 404', (_, move, id) => {
    const structure = grouped();
    const before = notationOf(structure);
    const other = id === '2' ? '1' : 's1';
    expect(refused(() => move(structure, id, { before: id }))).toEqual([
      400,
      expect.stringContaining('position.before'),
    ]);
    expect(refused(() => move(structure, id, { after: id }))).toEqual([400, expect.stringContaining('position.after')]);
    expect(refused(() => move(structure, id, { before: other, after: id }))[0]).toBe(400);
    expect(refused(() => move(structure, id, { before: 'no' }))).toEqual([
      404,
      expect.stringContaining('position.before'),
    ]);
    expect(refused(() => move(structure, id, { before: other, after: 'no' }))[0]).toBe(404);
    expect(refused(() => move(structure, 'no', { before: other }))[0]).toBe(404);
    expect(notationOf(structure)).toBe(before);
  });
});

describe('removing', () => {
  it.each([
    ['the default section makes the next one the default', 's1', '[s2*:2*] [s3:3*]'],
    ['a section that is not the default keeps the default', 's3', '[s1*:1*] [s2:2*]'],
  ])('%s', (_, id, expected) => {
    const structure = sectioned(1, 2, 3);
    rules.removeSection(structure, id);
    expect(notationOf(structure)).toBe(expected);
  });

  it('the default section at the end makes the previous one the default', () => {
    const structure = sectioned(1, 2);
    rules.setDefaultSection(structure, 's2');
    rules.removeSection(structure, 's2');
    expect(structure.defaultSection).toBe('s1');
  });

  it('the only section leaves a flat site, which takes site spaces again', () => {
    const structure = sectioned(1);
    rules.removeSection(structure, 's1');
    expect([structure, defaultPlace(structure)]).toEqual([emptyStructure(), null]);
    put(structure, null, 'a');
    expect(notationOf(structure)).toBe('root:a*');
  });

  it('the default site space makes the next one the default, the last one leaves none', () => {
    const structure = sectioned(1);
    put(structure, 's1', 'a');
    rules.removeSiteSpace(structure, '1');
    expect(notationOf(structure)).toBe('[s1*:a*]');
    rules.removeSiteSpace(structure, 'a');
    expect([notationOf(structure), findSection(structure, 's1').siteSpaces.default]).toEqual(['[s1*:]', null]);
    put(structure, 's1', 'b');
    expect(notationOf(structure)).toBe('[s1*:b*]');
  });

  it('a group puts its sections in its place', () => {
    const structure = grouped();
    rules.removeGroup(structure, 'g');
    expect(outline(structure)).toBe('s1 s2 s3 s4');
  });

  it('a section from a group puts it right after the group; a section outside the group is not found', () => {
    const structure = grouped();
    rules.removeFromGroup(structure, findGroup(structure, 'g'), 's2');
    expect(outline(structure)).toBe('s1 g(s3) s2 s4');
    expect(refused(() => rules.removeFromGroup(structure, findGroup(structure, 'g'), 's1'))[0]).toBe(404);
  });

  it.each<[string, (structure: Structure) => unknown]>([
    ['section', (structure) => rules.removeSection(structure, 'no')],
    ['group', (structure) => rules.removeGroup(structure, 's1')],
    ['site space', (structure) => rules.removeSiteSpace(structure, 's1')],
  ])('an unknown %s is 404', (_, act) => {
    expect(refused(() => act(sectioned(1)))[0]).toBe(404);
  });
});

describe('adding', () => {
  it('the first section of a flat site wraps its site spaces', () => {
    const structure = emptyStructure();
    for (const id of ['a', 'b']) put(structure, null, id);
    rules.setDefaultSiteSpace(structure, null, 'b');
    add(structure, 's', 'c');
    expect(notationOf(structure)).toBe('[w*:a,b*] [s:c*]');
  });

  it('the first section of an empty site wraps nothing', () => {
    expect(notationOf(sectioned(1))).toBe('[s1*:1*]');
  });

  it('the wrapping section never takes the path of the new one', () => {
    const structure = emptyStructure();
    put(structure, null, 'a');
    add(structure, 's', 'b', 'w');
    expect(sectionsOf(structure).map(({ path }) => path)).toEqual(['w', 'w-1']);
  });

  it('a group takes its sections out of their containers, in the order of their ids', () => {
    const structure = grouped();
    rules.addGroup(structure, 'h', ['s4', 's2']);
    expect(outline(structure)).toBe('s1 g(s3) h(s4,s2)');
  });

  it.each([
    [['s1', 'no'], 'sections.1'],
    [['s1', 's1'], 'sections.1'],
    [['g'], 'sections.0'],
  ])('a group of %j is refused', (ids, field) => {
    const structure = grouped();
    expect(refused(() => rules.addGroup(structure, 'h', ids))).toEqual([400, expect.stringContaining(field)]);
    expect(outline(structure)).toBe('s1 g(s2,s3) s4');
  });

  it('paths get a number where they are taken, ignoring case', () => {
    expect(freePath('a', [{ path: 'A' }, { path: 'a-1' }])).toBe('a-2');
  });
});

describe('a path', () => {
  it('may change its case, and is refused when another item has it', () => {
    const structure = sectioned(1, 2);
    rules.renameSection(structure, 's1', 'S1');
    expect(refused(() => rules.renameSection(structure, 's1', 'S2'))).toEqual([409, expect.stringMatching(/^path/)]);
    put(structure, 's1', 'a');
    expect(refused(() => rules.renameSiteSpace(structure, 'a', '1'))[0]).toBe(409);
    rules.renameSiteSpace(structure, 'a', '2');
  });

  it.each([
    ['Crème Brûlée & more', 'creme-brulee-more'],
    ['日本語 ガイド', '日本語-ガイド'],
    ['한국어 문서', '한국어-문서'],
    ['हिन्दी पाठ', 'हिन्दी-पाठ'],
    [`${'x'.repeat(89)}𠀀`, 'x'.repeat(89)],
    ['  --  ', 'space'],
    ['😀', 'space'],
    ['x'.repeat(200), 'x'.repeat(90)],
    ['../../etc', 'etc'],
  ])('of %j is %j', (title, slug) => {
    expect(slugOf(title, 'space')).toBe(slug);
  });
});

it('finds the site spaces that show a space, and makes one show another', () => {
  const structure = sectioned(1, 2);
  rules.repoint(structure, '2', '1');
  expect(siteSpacesShowing(structure, '1').map(({ id }) => id)).toEqual(['1', '2']);
  expect(refused(() => rules.repoint(structure, 'no', '1'))[0]).toBe(404);
});

it.each<[string, (structure: Structure) => void]>([
  ['defaultSiteSpace', (structure) => rules.setDefaultSiteSpace(structure, findSection(structure, 's1'), '2')],
  ['defaultSiteSpace', (structure) => rules.setDefaultSiteSpace(structure, null, '1')],
  ['defaultSiteSection', (structure) => rules.setDefaultSection(structure, 'g')],
])('a %s from another place is refused', (field, act) => {
  expect(refused(() => act(grouped()))).toEqual([400, expect.stringMatching(`^${field}`)]);
});
