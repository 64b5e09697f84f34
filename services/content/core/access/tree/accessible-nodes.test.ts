import fc from 'fast-check';
import { runs } from '../../../../../shared/testing/runs.js';
import { type Role, roles } from '../../../../identity/resources.js';
import type { DefaultLevel } from '../../nodes/resources.js';
import { AccessibleNodes } from './accessible-nodes.js';
import { type GrantChange, type Reader, roleOnNode, type TreeNode, withGrants } from './content-tree.js';

const users = ['u1', 'u2', 'u3'];
const teams = ['t1', 't2', 't3'];

const granted = fc.array(
  fc.record<GrantChange>({
    principal: fc.constantFrom('user', 'team'),
    id: fc.constantFrom(...users, ...teams),
    role: fc.constantFrom(...roles, null),
  }),
  { maxLength: 3 },
);
const planned = fc.record({
  kind: fc.constantFrom<TreeNode['kind']>('space', 'collection'),
  parent: fc.nat(8),
  level: fc.constantFrom<DefaultLevel>('inherit', 'inherit', 'inherit', null, 'read', 'create'),
  creator: fc.constantFrom(...users, 'other'),
  deleted: fc.boolean(),
  grants: fc.oneof(fc.constant([]), granted),
});
const trees = fc.array(planned, { maxLength: 12 }).map((plans) => {
  const nodes = new Map<string, TreeNode>();
  for (const [at, { kind, parent, level: defaultLevel, creator, deleted, grants }] of plans.entries()) {
    const bare: TreeNode = {
      id: `n${at}`,
      kind,
      parent: parent < at && nodes.get(`n${parent}`)?.kind === 'collection' ? `n${parent}` : null,
      defaultLevel,
      creator,
      deleted: kind === 'space' && deleted,
    };
    nodes.set(bare.id, withGrants(bare, grants));
  }
  return nodes;
});
const readers = fc.record<Reader>({
  user: fc.constantFrom(...users, 'u9'),
  role: fc.constantFrom<Role | null>(...roles, null),
  teams: fc.shuffledSubarray([...teams, 't9']),
});

test('lists and counts agree with the role on each node, whoever asked before', () => {
  fc.assert(
    fc.property(trees, fc.array(readers, { minLength: 1, maxLength: 8 }), (tree, asking) => {
      const accessible = new AccessibleNodes(tree);
      for (const reader of asking) {
        const expected = [...tree.values()].flatMap((node) => {
          const role = node.kind === 'space' && !node.deleted ? roleOnNode(tree, node.id, reader) : undefined;
          return role ? [`${node.id} ${role}`] : [];
        });
        expect(accessible.count(reader)).toBe(expected.length);
        expect(accessible.list(reader, 'space').map(({ node, role }) => `${node.id} ${role}`)).toEqual(expected.sort());
      }
    }),
    { numRuns: runs(125) },
  );
});

test('members that no grant names share one list', () => {
  const nodes = Array.from({ length: 4 }, (_, at): [string, TreeNode] => {
    const node: TreeNode = {
      id: `s${at}`,
      kind: 'space',
      parent: null,
      defaultLevel: 'inherit',
      creator: 'u1',
      deleted: false,
    };
    return [node.id, at === 0 ? withGrants(node, [{ principal: 'team', id: 't1', role: null }]) : node];
  });
  const accessible = new AccessibleNodes(new Map(nodes));
  const of = (user: string, own: string[]) => accessible.list({ user, role: 'read', teams: own }, 'space');
  expect(of('u1', ['t8'])).toBe(of('u2', ['t7', 't9']));
  expect(of('u1', ['t1', 't8'])).toBe(of('u2', ['t1']));
  expect(of('u1', ['t1'])).toHaveLength(3);
});

test('collections that hold each other do not loop forever', () => {
  const node = (id: string, kind: TreeNode['kind'], parent: string): [string, TreeNode] => [
    id,
    { id, kind, parent, defaultLevel: 'inherit', creator: 'u1', deleted: false },
  ];
  const accessible = new AccessibleNodes(
    new Map([node('s', 'space', 'a'), node('a', 'collection', 'b'), node('b', 'collection', 'a')]),
  );
  expect(accessible.count({ user: 'u1', role: 'edit', teams: [] })).toBe(0);
});
