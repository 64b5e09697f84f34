import { fromStored, toStored } from './model.js';
import type { Structure } from './structure.js';

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
    { id: 'g', sections: [{ id: 'b', path: 'b', siteSpaces: { items: [], default: null } }] },
  ],
  defaultSection: 'a',
};

it('reads and writes structures in the form in which the first release stored them', () => {
  expect([fromStored(stored), toStored(structure)]).toEqual([structure, stored]);
});
