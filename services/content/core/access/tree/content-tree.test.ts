import fc from 'fast-check';
import type { Caller, InstallationCaller, Membership } from '../../../../../shared/contract/caller.js';
import { runs } from '../../../../../shared/testing/runs.js';
import { type Role, roles } from '../../../../identity/resources.js';
import type { DefaultLevel } from '../../nodes/resources.js';
import {
  type ContentTree,
  effectiveLevel,
  outranks,
  type Reader,
  readerInOrganization,
  roleOfCaller,
  roleOnNode,
  type TreeNode,
  withGrants,
} from './content-tree.js';

fc.configureGlobal({ numRuns: runs(100) });

const organization = 'acme';
const reader = (role: Role | null, teams: string[] = [], user = 'ada'): Reader => ({ user, role, teams });

type Granted = Record<string, Role | null>;
interface Planned {
  level?: DefaultLevel;
  in?: string;
  users?: Granted;
  teams?: Granted;
}

function treeOf(nodes: Record<string, Planned>): ContentTree {
  const changes = (principal: 'user' | 'team', granted: Granted = {}) =>
    Object.entries(granted).map(([id, role]) => ({ principal, id, role }));
  return new Map(
    Object.entries(nodes).map(([id, { level = 'inherit', in: parent = null, users, teams }]): [string, TreeNode] => {
      const kind = id.startsWith('space') ? 'space' : 'collection';
      const bare: TreeNode = { id, kind, parent, defaultLevel: level, creator: 'grace', deleted: false };
      return [id, withGrants(bare, [...changes('user', users), ...changes('team', teams)])];
    }),
  );
}

describe('the role on a space', () => {
  it.each(roles)('is the role in the organization where all inherit: %s', (role) => {
    const tree = treeOf({ space: { in: 'inner' }, inner: { in: 'outer' }, outer: {} });
    expect(roleOnNode(tree, 'space', reader(role))).toBe(role);
  });

  it('is the nearest level that is set, higher or lower than the member role', () => {
    const tree = treeOf({
      space: { in: 'inner' },
      inner: { level: 'comment', in: 'outer' },
      outer: { level: 'create' },
    });
    expect(roleOnNode(tree, 'space', reader('read'))).toBe('comment');
    expect(roleOnNode(tree, 'space', reader('create'))).toBe('comment');
    expect(roleOnNode(tree, 'outer', reader('read'))).toBe('create');
  });

  const cases: [string, Record<string, Planned>, Reader, Role | undefined][] = [
    [
      'a grant to the user before the level',
      { space: { level: 'read', users: { ada: 'edit' } } },
      reader('read'),
      'edit',
    ],
    ['a lower grant too', { space: { users: { ada: 'read' } } }, reader('create'), 'read'],
    [
      'a grant to the user before those to teams',
      { space: { users: { ada: 'read' }, teams: { red: 'create' } } },
      reader('edit', ['red']),
      'read',
    ],
    [
      'a grant to a team before the level',
      { space: { level: 'create', teams: { red: 'comment' } } },
      reader('read', ['red']),
      'comment',
    ],
    [
      'the highest of the teams',
      { space: { teams: { red: 'comment', blue: 'review', pink: 'read' } } },
      reader('read', ['red', 'blue', 'pink']),
      'review',
    ],
    [
      'a team before the null of another',
      { space: { teams: { red: null, blue: 'read' } } },
      reader('edit', ['red', 'blue']),
      'read',
    ],
    [
      'none where the only team has null',
      { space: { teams: { red: null } } },
      reader('create', ['red', 'blue']),
      undefined,
    ],
    [
      'none where the user has null',
      { space: { level: 'edit', users: { ada: null }, teams: { red: 'create' } } },
      reader('create', ['red']),
      undefined,
    ],
    [
      'none below a node that is hidden from the user',
      { space: { in: 'a' }, a: { users: { ada: null } } },
      reader('create'),
      undefined,
    ],
    [
      'a closer grant before a farther null',
      { space: { in: 'a', users: { ada: 'read' } }, a: { users: { ada: null } } },
      reader('edit'),
      'read',
    ],
    [
      'a closer grant to a team before a farther one to the user',
      { space: { in: 'a', teams: { red: 'read' } }, a: { users: { ada: 'create' } } },
      reader('edit', ['red']),
      'read',
    ],
    [
      'a closer level before a farther grant',
      { space: { in: 'a', level: 'comment' }, a: { users: { ada: 'create' } } },
      reader('read'),
      'comment',
    ],
    [
      'what a collection above grants',
      { space: { in: 'a' }, a: { in: 'b' }, b: { teams: { red: 'review' } } },
      reader('read', ['red']),
      'review',
    ],
    [
      'admin for admins, whatever is granted',
      { space: { level: null, users: { ada: null }, teams: { red: 'read' } } },
      reader('admin', ['red']),
      'admin',
    ],
    ['none below a level of null', { space: { in: 'a' }, a: { level: null } }, reader('create'), undefined],
    [
      'the own role of the creator below a level of null',
      { space: { in: 'a' }, a: { level: null } },
      reader('edit', [], 'grace'),
      'edit',
    ],
    [
      'none for the creator whom a grant keeps out',
      { space: { level: null, users: { grace: null } } },
      reader('edit', [], 'grace'),
      undefined,
    ],
    [
      'a grant on what is hidden from all others',
      { space: { level: null, teams: { red: 'read' } } },
      reader('create', ['red']),
      'read',
    ],
    ['none for guests, whatever the level', { space: { level: 'read' } }, reader(null), undefined],
    ['none for guests at the top', { space: {} }, reader(null), undefined],
    ['none for the creator that is a guest now', { space: { level: null } }, reader(null, [], 'grace'), undefined],
    ['what is granted to a guest', { space: { users: { ada: 'comment' } } }, reader(null), 'comment'],
    [
      'what the team of a guest is granted above',
      { space: { in: 'a' }, a: { teams: { red: 'read' } } },
      reader(null, ['red']),
      'read',
    ],
    [
      'none for a guest where a level cuts off what is granted above',
      { space: { in: 'a', level: 'read' }, a: { users: { ada: 'edit' } } },
      reader(null),
      undefined,
    ],
    [
      'what others are granted: nothing',
      { space: { users: { bob: 'create' }, teams: { blue: 'create' } } },
      reader('read', ['red']),
      'read',
    ],
    [
      'none where collections hold each other',
      { space: { in: 'a' }, a: { in: 'b' }, b: { in: 'a' } },
      reader('edit'),
      undefined,
    ],
  ];
  it.each(cases)('is %s', (_, nodes, who, expected) => {
    expect(roleOnNode(treeOf(nodes), 'space', who)).toBe(expected);
  });

  const levels = fc.constantFrom<DefaultLevel>('inherit', 'inherit', null, ...roles);
  const teams = ['t1', 't2', 't3', 't4'];
  const granted = (ids: string[]) => fc.dictionary(fc.constantFrom(...ids), fc.constantFrom(...roles, null));
  const planned = fc.record({ level: levels, users: granted(['ada', 'bob']), teams: granted(teams) });
  const trees = fc
    .tuple(planned, planned, planned)
    .map(([space, a, b]) =>
      treeOf({ space: { ...space, in: 'a' } as Planned, a: { ...a, in: 'b' } as Planned, b: b as Planned }),
    );
  const members = fc.constantFrom<Role | null>(...roles, null);

  it('does not depend on the order of the teams', () => {
    fc.assert(
      fc.property(trees, members, fc.shuffledSubarray(teams), fc.shuffledSubarray(teams), (tree, role, one, other) => {
        const same = one.filter((team) => other.includes(team));
        const reordered = other.filter((team) => one.includes(team));
        expect(roleOnNode(tree, 'space', reader(role, same))).toBe(roleOnNode(tree, 'space', reader(role, reordered)));
      }),
    );
  });

  it('is never lowered by one more team where only teams have grants', () => {
    const ofTeams = fc.record({ teams: granted(teams) }).map(({ teams: t }) => treeOf({ space: { teams: t } }));
    fc.assert(
      fc.property(
        ofTeams,
        members,
        fc.shuffledSubarray(teams, { minLength: 2 }),
        (tree, role, [first = '', ...rest]) => {
          const [before, after] = [
            roleOnNode(tree, 'space', reader(role, rest)),
            roleOnNode(tree, 'space', reader(role, [first, ...rest])),
          ];
          const granting = (tree.get('space')?.grants?.teams ?? new Map()) as ReadonlyMap<string, Role | null>;
          if (rest.some((team) => granting.has(team))) expect(outranks(before ?? null, after ?? null)).toBe(false);
        },
      ),
    );
  });
});

describe('a caller', () => {
  const caller = (membership: Partial<Membership>): Caller => ({
    kind: 'user',
    user: 'ada',
    token: 't',
    memberships: { [organization]: { role: 'edit', teams: ['red'], owned: [], ...membership } },
  });

  it('reads with its membership of the organization', () => {
    expect(readerInOrganization(caller({}), organization)).toEqual({ user: 'ada', role: 'edit', teams: ['red'] });
  });

  it.each([
    ['anonymous', { kind: 'anonymous' } as Caller, organization],
    ['of another organization', caller({}), 'other'],
    ['of no such organization', caller({}), '__proto__'],
    ['whose token does not count there', caller({ refused: 'sign in' }), organization],
  ])('%s reads nothing', (_, who, where) => {
    expect(readerInOrganization(who, where)).toBeUndefined();
  });
});

describe('an installation', () => {
  const tree = treeOf({ space: { level: null }, collection: {} });
  const roleOf = (more: Partial<InstallationCaller>, id = 'space', changes: Partial<TreeNode> = {}) => {
    const node = { ...(tree.get(id) as TreeNode), ...changes };
    const caller = { kind: 'installation', organization, spaces: ['space'], scopes: [], user: 'ada', ...more };
    return roleOfCaller(caller as unknown as Caller, { tree, organization, node });
  };

  it.each<[string[], Role]>([
    [[], 'read'],
    [['space:content:read', 'space:metadata:read', 'site:adaptive:write'], 'read'],
    [['space:content:write'], 'review'],
    [['space:content:write', 'space:metadata:write'], 'create'],
    [['space:git:sync'], 'create'],
  ])('with %j has the lowest role that its operations need: %s', (scopes, role) => {
    expect(roleOf({ scopes })).toBe(role);
    expect(roleOf({ scopes, spaces: 'all' })).toBe(role);
  });

  it.each([
    ['a space that it is not installed on', { spaces: ['other'] }, 'space', {}],
    ['a space of another organization', { organization: 'other', spaces: 'all' as const }, 'space', {}],
    ['a deleted space', { spaces: 'all' as const }, 'space', { deleted: true }],
    ['a collection', { spaces: 'all' as const }, 'collection', {}],
  ])('has no role on %s', (_, more, id, changes) => {
    expect(roleOf({ scopes: ['space:metadata:write'], ...more }, id, changes)).toBeUndefined();
  });
});

describe('what a level gives', () => {
  it('is the level of the nearest collection above that sets one, where it inherits', () => {
    const tree = treeOf({ space: { in: 'a' }, a: { in: 'b' }, b: { level: 'admin' }, spaceAlone: {} });
    expect(effectiveLevel(tree, 'space', 'inherit')).toBe('admin');
    expect(effectiveLevel(tree, 'space', 'read')).toBe('read');
    expect(effectiveLevel(tree, 'spaceAlone', 'inherit')).toBe('inherit');
  });
});
