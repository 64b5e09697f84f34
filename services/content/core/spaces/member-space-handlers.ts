import { type Caller, membershipOf } from '../../../../shared/contract/caller.js';
import type { HandlersOf } from '../../../../shared/contract/service.js';
import { notFound } from '../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { findPrincipals } from '../../../identity/contract.js';
import type { Role } from '../../../identity/resources.js';
import { readerOf, roleOn } from '../access/tree/content-tree.js';
import type { HasTrees } from '../access/tree/content-tree-cache.js';
import { pageOfNodes } from '../access/tree/node-pages.js';
import type { memberSpaceOperations } from '../contract/member-spaces.js';
import { presentSpace, spaces } from '../nodes/model.js';
import { openComments } from './presenting/open-comments.js';

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
      const accessible = await trees.accessible(organization);
      const tree = await trees.of(organization);
      const reader = readerOf(caller, organization);
      const ownRole = (id: string) => (reader ? roleOn(tree, id, reader) : undefined);
      const all = member.disabled ? [] : accessible.list(member, 'space');
      const listed = mayListAll(caller, organization, user) ? all : all.filter(({ node }) => ownRole(node.id));
      return pageOfNodes(listed, query, async (ids, roleOf) => {
        const known = ids.filter((id) => ownRole(id));
        const [found, commentsOn] = await Promise.all([
          store.getMany(spaces, ids),
          openComments({ call, caller }, known),
        ]);
        return found.map((space) => {
          const { _id: id } = space;
          const shownWith = { role: ownRole(id) ?? null, comments: commentsOn(id) };
          return { permission: roleOf.get(id) as Role, space: presentSpace(baseUrl, space, shownWith) };
        });
      });
    },
  };
}
