import type { GroupMapping } from '../organizations/model.js';
import { grantedByGroups } from './granted.js';

const mappings: GroupMapping[] = [
  { group: 'writers', team: 'docs', role: 'edit' },
  { group: 'leads', team: 'docs' },
  { group: 'leads', role: 'create' },
  { group: 'everybody', role: 'read' },
];
const mapped = { roles: ['edit', 'create', 'read'], teams: ['docs'] };
const granted = (...groups: string[]) => grantedByGroups(mappings, new Set(groups));

it('groups give their teams once, and the highest of their roles', () => {
  expect(granted('everybody', 'writers', 'leads')).toEqual({ role: 'create', teams: ['docs'], mapped });
  expect(granted('writers', 'everybody')).toEqual({ role: 'edit', teams: ['docs'], mapped });
  expect(granted('everybody')).toEqual({ role: 'read', teams: [], mapped });
});

it('groups that nothing is said of give nothing, and names are whole', () => {
  expect(granted('Writers', 'writer', 'writers ', 'constructor')).toEqual({ role: undefined, teams: [], mapped });
  expect(granted()).toEqual({ role: undefined, teams: [], mapped });
});
