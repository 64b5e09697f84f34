import * as rules from './rules.js';
import { emptyStructure, findGroup, type Structure } from './structure.js';
import { outline, refused } from './testing/outlines.js';

/** The section `s1`, then `g` with `s2`, `s3` and the link `l`, then `s4` and the link `k`. */
function linked(): Structure {
  const structure = emptyStructure();
  for (const id of ['s1', 's2', 's3', 's4'])
    rules.addSection(
      structure,
      { id, slug: id, siteSpace: { id: `${id}v`, space: id, path: id } },
      { id: 'w', slug: 'w' },
    );
  rules.addGroup(structure, 'g', ['s2', 's3']);
  rules.moveGroup(structure, 'g', { before: 's4' });
  rules.addLink(structure, 'k', null);
  rules.addLink(structure, 'l', 'g');
  return structure;
}

describe('an external link', () => {
  it.each<[string, (structure: Structure) => void, string]>([
    ['is added at the end', () => {}, 's1 g(s2,s3,l) s4 k'],
    ['moves next to a section in a group', (s) => rules.moveLink(s, 'k', { before: 's3' }), 's1 g(s2,k,s3,l) s4'],
    ['moves out of its group next to another', (s) => rules.moveLink(s, 'l', { before: 'k' }), 's1 g(s2,s3) s4 l k'],
    ['moves to the end of its group', (s) => rules.moveLink(s, 'l', undefined), 's1 g(s2,s3,l) s4 k'],
    ['has sections move next to it', (s) => rules.moveSection(s, 's1', { after: 'l' }), 'g(s2,s3,l,s1) s4 k'],
    ['has groups move next to it', (s) => rules.moveGroup(s, 'g', { after: 'k' }), 's1 s4 k g(s2,s3,l)'],
    ['takes the place of its group with the sections', (s) => rules.removeGroup(s, 'g'), 's1 s2 s3 l s4 k'],
    ['goes to the end of another parent', (s) => rules.setParent(s, 'k', 'g'), 's1 g(s2,s3,l,k) s4'],
    ['goes to the end of the top level', (s) => rules.setParent(s, 'l', null), 's1 g(s2,s3) s4 k l'],
    ['has sections join its group', (s) => rules.setGroup(s, 's1', 'g'), 'g(s2,s3,l,s1) s4 k'],
    ['stays where its parent is the same', (s) => rules.setParent(s, 'l', 'g'), 's1 g(s2,s3,l) s4 k'],
    ['is removed', (s) => rules.removeLink(s, 'l'), 's1 g(s2,s3) s4 k'],
  ])('%s', (_, act, expected) => {
    const structure = linked();
    act(structure);
    expect(outline(structure)).toBe(expected);
  });

  it.each<[number, string, (structure: Structure) => unknown]>([
    [400, 'section', () => rules.addLink(emptyStructure(), 'm', null)],
    [400, 'parent', (structure) => rules.addLink(structure, 'm', 's1')],
    [400, 'parent', (structure) => rules.setParent(structure, 'k', 'no')],
    [400, 'siteSectionGroupId', (structure) => rules.setGroup(structure, 's1', 'no')],
    [404, 'Site section', (structure) => rules.setGroup(structure, 'l', 'g')],
    [400, 'position', (structure) => rules.moveGroup(structure, 'g', { after: 'l' })],
    [400, 'position', (structure) => rules.moveLink(structure, 'k', { after: 'k' })],
    [404, 'Site external link', (structure) => rules.setParent(structure, 's1', null)],
    [404, 'Site external link', (structure) => rules.removeLink(structure, 'g')],
    [404, 'Site section', (structure) => rules.removeSection(structure, 'k')],
    [404, 'Site section', (structure) => rules.removeFromGroup(structure, findGroup(structure, 'g'), 'l')],
  ])('%i %s', (code, text, act) => {
    expect(refused(() => act(linked()))).toEqual([code, expect.stringContaining(text)]);
  });

  it('is one of a hundred at most', () => {
    const structure = linked();
    for (let at = 0; at < 98; at++) rules.addLink(structure, `l${at}`, null);
    expect(refused(() => rules.addLink(structure, 'more', null))[0]).toBe(409);
  });
});
