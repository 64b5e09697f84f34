import { collection, type Document, type Filter, type Sort } from '../port.js';
import { asUntyped, type MongoFilter } from './fields.js';
import { filterFacts } from './filters.js';
import { chooseCover, indexDescriptions, indexFields } from './indexes.js';
import { sortOrder } from './pages.js';

interface Member extends Document {
  organization: string;
  role: string;
  joinedAt: string;
  email?: string | null;
  name: string;
  teams: string[];
  state: string;
}

const members = collection<Member>('test_members', [
  { on: { organization: 1 } },
  { on: { organization: 1, joinedAt: -1 } },
  { on: { organization: 1, role: 1, joinedAt: -1 } },
  { on: { organization: 1, name: 1 }, unique: true },
  { on: { email: 1 }, unique: true, where: 'email' },
  { kind: 'multikey', array: 'teams', within: ['organization'], sort: { joinedAt: -1 } },
  { kind: 'contains', name: 'text', fields: ['name', 'email'], within: ['organization'] },
]);

const cover = (filter: Filter<Member>, sort: Sort<Member> = {}) =>
  chooseCover(asUntyped(members), filterFacts(filter as MongoFilter), sortOrder(sort));

const organization = 'o';

describe('the indexes in MongoDB', () => {
  test('end in _id, so that ties need no sort; unique ones do not', () => {
    const made = indexDescriptions(asUntyped(members)).map(({ key, unique = false }) => [Object.entries(key), unique]);
    expect(made).toContainEqual([
      [
        ['organization', 1],
        ['joinedAt', -1],
        ['_id', -1],
      ],
      false,
    ]);
    expect(made).toContainEqual([
      [
        ['organization', 1],
        ['name', 1],
      ],
      true,
    ]);
    expect(made).toContainEqual([
      [
        ['organization', 1],
        ['_text.name.grams', 1],
      ],
      false,
    ]);
    expect(made).toContainEqual([
      [
        ['organization', 1],
        ['teams', 1],
        ['joinedAt', -1],
        ['_id', -1],
      ],
      false,
    ]);
  });

  test('name their declared fields', () => {
    for (const { name = '' } of indexDescriptions(asUntyped(members)))
      expect(indexFields(asUntyped(members), name)).toBeDefined();
    expect(indexFields(asUntyped(members), '_id_')).toEqual(['_id']);
    expect(indexFields(asUntyped(members), 'organization_1_name_1_unique')).toEqual(['organization', 'name']);
  });

  test.each<[Filter<Member>, Sort<Member>, string | undefined]>([
    [{ organization }, {}, 'organization_1__id_1'],
    [{ organization }, { joinedAt: -1 }, 'organization_1_joinedAt_-1__id_-1'],
    [{ organization }, { joinedAt: 1 }, 'organization_1_joinedAt_-1__id_-1'],
    [{ organization, joinedAt: { $gt: 'a' } }, { joinedAt: 1 }, 'organization_1_joinedAt_-1__id_-1'],
    [{ organization, role: 'admin' }, { joinedAt: -1 }, 'organization_1_role_1_joinedAt_-1__id_-1'],
    [{ organization, role: { $in: ['admin', 'guest'] } }, { joinedAt: 1 }, 'organization_1_role_1_joinedAt_-1__id_-1'],
    [{ organization }, { role: 1 }, undefined],
    [{ organization }, { role: -1, joinedAt: 1 }, 'organization_1_role_1_joinedAt_-1__id_-1'],
    [{ organization }, { role: 1, joinedAt: 1 }, undefined],
    [{ organization }, { name: -1 }, 'organization_1_name_1_unique'],
    [{ organization, name: 'n' }, {}, 'organization_1_name_1_unique'],
    [{ organization: { $in: ['o', 'p'] } }, { name: 1 }, undefined],
    [{ organization, teams: 't' }, { joinedAt: -1 }, 'organization_1_teams_1_joinedAt_-1__id_-1'],
    [{ email: 'e' }, {}, 'email_1_unique_where_email'],
    [{ email: null }, {}, undefined],
    [{ role: 'admin' }, {}, undefined],
    // The condition that is left over may be more selective, so the planner decides.
    [{ organization, state: 'x' }, { joinedAt: -1 }, undefined],
    [{ organization, $or: [{ role: 'a' }, { role: 'b' }] }, { joinedAt: -1 }, undefined],
    [{ organization, $contains: { index: 'text', text: 'abc' } }, { joinedAt: -1 }, undefined],
  ])('serve %j sorted by %j: %s', (filter, sort, hint) => {
    expect(cover(filter, sort).hint).toBe(hint);
  });

  test('make _id needless where a unique index tells all matches apart', () => {
    expect(cover({ organization }, { name: 1 }).total).toBe(true);
    expect(cover({ organization, state: 'x' }, { name: 1 }).total).toBe(true);
    expect(cover({ organization: { $in: ['o', 'p'] } }, { name: 1 }).total).toBe(false);
    expect(cover({ organization }, { joinedAt: 1 }).total).toBe(false);
  });
});
