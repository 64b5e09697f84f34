import { type Caller, membershipOf } from '../../../../shared/contract/caller.js';
import type { HandlersOf } from '../../../../shared/contract/service.js';
import { notFound } from '../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { findPrincipals } from '../../../identity/contract.js';
import type { Role } from '../../../identity/resources.js';
import { readerInOrganization, roleOnNode } from '../access/tree/content-tree.js';
import type { HasTrees } from '../access/tree/content-tree-cache.js';
import { pageOfNodes } from '../access/tree/node-pages.js';
import type { memberSpaceOperations } from '../contract/member-spaces.js';
import { presentSpace, spaces } from '../nodes/model.js';
import { openCommentCounts } from './presenting/open-comments.js';

/** Whether the caller may know of every space that the user has access to. */
const mayListAll = (caller: Caller, organization: string, user: string): boolean =>
  caller.kind === 'system' ||
  (caller.kind === 'user' && caller.user === user) ||
  membershipOf(caller, organization)?.role === 'admin';

export function memberSpaceHandlers({
  store,
  trees,
  baseUrl,
}: HasStore & HasTrees & { baseUrl: string }): HandlersOf<typeof memberSpaceOperations> {
  return {
    async listSpacesForOrganizationMember({ path, query }, { call, caller }) {
      const { organizationId: organization, userId: user } = path;
      const { members } = await call(findPrincipals, { organization, users: [user], teams: [] });
      const [member] = members;
      if (!member) throw notFound('Member');
      const accessible = await trees.accessibleOf(organization);
      const tree = await trees.treeOf(organization);
      const reader = readerInOrganization(caller, organization);
      const callerRoleOn = (id: string) => (reader ? roleOnNode(tree, id, reader) : undefined);
      const all = member.disabled ? [] : accessible.list(member, 'space');
      const shown = mayListAll(caller, organization, user) ? all : all.filter(({ node }) => callerRoleOn(node.id));
      const listed = shown.toSorted((a, b) => (a.node.id < b.node.id ? -1 : 1));
      const present = async (ids: string[], roleOf: ReadonlyMap<string, Role>) => {
        const found = await store.getMany(spaces, ids);
        const known = found.filter(({ _id }) => callerRoleOn(_id));
        const commentsOn = await openCommentCounts({ call, caller }, known);
        return found.map((space) => {
          const { _id: id } = space;
          const shownWith = { role: callerRoleOn(id) ?? null, comments: commentsOn(id) };
          return { permission: roleOf.get(id) as Role, space: presentSpace(baseUrl, space, shownWith) };
        });
      };
      return pageOfNodes(listed, query, present, ({ id }) => id);
    },
  };
}
