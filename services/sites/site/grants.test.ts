import { type GivenRole, roleOnSite, type SiteReader } from './grants.js';

const ada = (fields: Partial<SiteReader> = {}): SiteReader => ({
  user: 'ada',
  role: 'edit',
  teams: ['writers', 'sales'],
  ...fields,
});
const user = (role: GivenRole['role'], id = 'ada'): GivenRole => ({ principal: 'user', id, role });
const team = (id: string, role: GivenRole['role']): GivenRole => ({ principal: 'team', id, role });

it.each<[string, GivenRole[], SiteReader, GivenRole['role']]>([
  ['its role in the organization without a grant', [user('create', 'bob'), team('others', 'admin')], ada(), 'edit'],
  ['its own grant, also a lower one', [user('read'), team('writers', 'admin')], ada(), 'read'],
  ['the highest of its teams', [team('sales', 'comment'), team('writers', 'create')], ada(), 'create'],
  ['none where that is refused', [user(null), team('writers', 'create')], ada(), null],
  ['that of a team before a refusal of another', [team('sales', null), team('writers', 'read')], ada(), 'read'],
  ['a grant as a guest', [user('review')], ada({ role: null }), 'review'],
  ['none as a guest without a grant', [], ada({ role: null }), null],
  ['admin as an admin of the organization, whatever is granted', [user(null)], ada({ role: 'admin' }), 'admin'],
])('a member has on a site %s', (_, given, reader, role) => {
  expect(roleOnSite(given, reader)).toBe(role);
});
