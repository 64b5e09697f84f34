import { fromStored, toStored } from './model.js';
import type { GroupEntry, SectionEntry, Structure } from './structure.js';

const stored = {
  siteSpaces: { items: [], default: null },
  entries: [
    { id: 'a', path: 'a', variants: { items: [{ id: 'a1', space: 's', path: 'v1' }], default: 'a1' } },
    { id: 'g', sections: [{ id: 'b', path: 'b', variants: { items: [], default: null } }] },
  ],
  defaultSection: 'a',
};

const structure: Structure = {
  siteSpaces: { items: [], default: null },
  entries: [
    { id: 'a', path: 'a', siteSpaces: { items: [{ id: 'a1', space: 's', path: 'v1' }], default: 'a1' } },
    { id: 'g', children: [{ id: 'b', path: 'b', siteSpaces: { items: [], default: null } }] },
  ],
  defaultSection: 'a',
};

it('reads and writes structures in the form in which the first release stored them', () => {
  const written = { structure: stored, links: [] };
  expect([fromStored({ structure: stored }), toStored(structure)]).toEqual([structure, written]);
});

it('external links are where they were, whatever a process of the last release did to what is around them', () => {
  const [link, inside] = ['k', 'l'].map((id) => ({ id, isLink: true as const }));
  const [section, group] = structure.entries as [SectionEntry, GroupEntry];
  const entries = [link, section, { ...group, children: [inside, ...group.children] }] as Structure['entries'];
  const { structure: others, links = [] } = toStored({ ...structure, entries });
  expect([others, fromStored({ structure: others, links })]).toEqual([stored, { ...structure, entries }]);
  const emptied = { ...stored, entries: [] };
  expect(fromStored({ structure: emptied, links }).entries).toEqual([inside, link]);
});
