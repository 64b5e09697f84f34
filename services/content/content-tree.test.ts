import type { Caller } from '../../shared/contract/caller.js';
import { roles } from '../identity/resources.js';
import { type ContentTree, roleOn, type TreeNode } from './content-tree.js';
import type { DefaultLevel } from './resources.js';

const organization = 'acme';
const member = (role: string | null, user = 'ada'): Caller => ({
  kind: 'user',
  user,
  token: 't',
  memberships: { [organization]: { role, teams: [] } },
});

function treeOf(levels: Record<string, [DefaultLevel, string | null]>): ContentTree {
  return new Map(
    Object.entries(levels).map(([id, [defaultLevel, parent]]): [string, TreeNode] => [
      id,
      {
        id,
        kind: id.startsWith('space') ? 'space' : 'collection',
        parent,
        defaultLevel,
        creator: 'grace',
        deleted: false,
      },
    ]),
  );
}

describe('the role on a space', () => {
  it.each(roles)('is the role in the organization where all inherit: %s', (role) => {
    const tree = treeOf({ space: ['inherit', 'inner'], inner: ['inherit', 'outer'], outer: ['inherit', null] });
    expect(roleOn(tree, 'space', organization, member(role))).toBe(role);
  });

  it('is the nearest level that is set, higher or lower than the member role', () => {
    const tree = treeOf({ space: ['inherit', 'inner'], inner: ['comment', 'outer'], outer: ['create', null] });
    expect(roleOn(tree, 'space', organization, member('read'))).toBe('comment');
    expect(roleOn(tree, 'space', organization, member('create'))).toBe('comment');
    expect(roleOn(tree, 'outer', organization, member('read'))).toBe('create');
  });

  it('is admin for admins, whatever is set', () => {
    const tree = treeOf({ space: [null, null] });
    expect(roleOn(tree, 'space', organization, member('admin'))).toBe('admin');
  });

  it('is none below a level of null, but for the creator', () => {
    const tree = treeOf({ space: ['inherit', 'hidden'], hidden: [null, null] });
    expect(roleOn(tree, 'space', organization, member('create'))).toBeUndefined();
    expect(roleOn(tree, 'space', organization, member('create', 'grace'))).toBe('create');
  });

  it('is none for guests, strangers and members of other organizations', () => {
    const tree = treeOf({ space: ['read', null], open: ['inherit', null] });
    for (const id of ['space', 'open']) {
      expect(roleOn(tree, id, organization, member(null))).toBeUndefined();
      expect(roleOn(tree, id, organization, { kind: 'anonymous' })).toBeUndefined();
      expect(roleOn(tree, id, 'other', member('admin'))).toBeUndefined();
      expect(roleOn(tree, id, '__proto__', member('admin'))).toBeUndefined();
    }
  });

  it('ends where collections hold each other', () => {
    const tree = treeOf({ space: ['inherit', 'a'], a: ['inherit', 'b'], b: ['inherit', 'a'] });
    expect(roleOn(tree, 'space', organization, member('edit'))).toBe('edit');
  });
});
