import type { BodyOf } from '../../../../shared/contract/operation.js';
import type { Context, HandlersOf } from '../../../../shared/contract/service.js';
import { conflict, forbidden, invalid, notFound } from '../../../../shared/errors/errors.js';
import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import { checkBound } from '../../../../shared/store/bounds.js';
import { changesOf } from '../../../../shared/store/changes.js';
import { type HasStore, type Write, write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import type { Role } from '../../../identity/resources.js';
import { checkLevelChange } from '../access/grants.js';
import { toTreeNode } from '../access/tree/content-tree.js';
import type { HasTrees } from '../access/tree/content-tree-cache.js';
import type { spaceOperations } from '../contract/spaces.js';
import { spaceUpdated } from '../events.js';
import { presentSpace, spaces } from '../nodes/model.js';
import type { Space } from '../nodes/resources.js';
import { checkParent, creatorId, maxSpacesHeld, newSpace, parentExistsCheck, type Templates } from './new-space.js';
import { type NodeChange, nodeChanger, updateNode } from './node-changes.js';
import { encodeSpaces } from './presenting/encoded-spaces.js';
import { listSpaces } from './presenting/listed-spaces.js';
import { openCommentCounts } from './presenting/open-comments.js';
import { mayRestore, moveToTrashWrites } from './trash.js';
import { visibilityEventWrite } from './visibility.js';

type Dependencies = HasStore &
  HasOutbox &
  HasJobs &
  HasTrees & {
    baseUrl: string;
    restoring: (restored: { organization: string; space: string }) => Write[];
    templates: Templates;
  };

export function spaceHandlers(deps: Dependencies): HandlersOf<typeof spaceOperations> {
  const { store, trees, outbox, baseUrl, restoring, templates } = deps;

  /** A deleted space is found only by callers who may restore it. */
  const presentById = async (id: string, role: string | null, context: Context): Promise<Space> => {
    const space = await store.get(spaces, id);
    if (!space) throw notFound('Space');
    const commentsOn = await openCommentCounts(context, [space]);
    const resource = presentSpace(baseUrl, space, { role: role as Role | null, comments: commentsOn(id) });
    if (space.deletedAt && !mayRestore(role)) throw notFound('Space');
    return resource;
  };

  return {
    async createSpace({ path: { organizationId: organization }, body }, { caller, audit }) {
      const { parent, template } = body;
      if (template) templates.check(template.id);
      // All nodes together are counted already; only near the bound it matters which of them are spaces.
      if ((await trees.treeOf(organization)).size >= maxSpacesHeld)
        await checkBound(store, spaces, { organization }, { max: maxSpacesHeld, what: 'spaces in an organization' });
      const { space, writes } = newSpace({ ...body, organization, creator: creatorId(caller) });
      const { _id: id, title, editMode } = space;
      await trees.change(organization, id, async () => {
        if (parent !== undefined) await checkParent(deps, { organization, parent, caller });
        const details = omitUndefined({ title, editMode, parent });
        return {
          writes: [...writes, ...parentExistsCheck(parent), audit('space', id, { details })],
          apply: (tree) => tree.set(id, toTreeNode('space', space)),
        };
      });
      if (template) await templates.fill({ organization, space: id, template: template.id, caller, audit });
      const filled = template ? ((await store.get(spaces, id)) ?? space) : space;
      const [access] = await trees.resolve({ caller, ids: [id] }, 'space');
      return presentSpace(baseUrl, filled, { role: (access?.role ?? null) as Role | null, comments: 0 });
    },

    async listSpacesInOrganizationById({ path: { organizationId }, query }, context) {
      const accessible = await trees.nodesAccessibleTo(context.caller, organizationId, 'space');
      return listSpaces(deps, { accessible, query }, context);
    },

    async getSpaceById({ path: { spaceId } }, context) {
      const role = context.access.role as Role | null;
      const found = (await encodeSpaces(deps, new Map([[spaceId, role]]), context)).get(spaceId);
      if (!found || (found.isDeleted && !mayRestore(role))) throw notFound('Space');
      return found.space;
    },

    async updateSpaceById({ path: { spaceId: id }, body }, context) {
      const { organization } = context.access;
      if (context.caller.kind === 'installation' && body.defaultLevel !== undefined)
        throw forbidden(
          'defaultLevel: integrations may not change who has access to a space',
          'token_kind_not_allowed',
        );
      await updateNode(deps, {
        organization,
        id,
        setsLevel: body.defaultLevel !== undefined,
        decide: () => planSpaceUpdate(deps, { id, body }, context),
      });
      const [access] = await trees.resolve({ caller: context.caller, ids: [id] }, 'space');
      return presentById(id, (access ?? context.access).role, context);
    },

    async deleteSpaceById({ path: { spaceId: id } }, { access: { organization }, audit }) {
      await trees.change(organization, id, async () => {
        const space = await store.get(spaces, id, { fields: ['deletedAt'] });
        if (!space || space.deletedAt) throw notFound('Space');
        return {
          writes: [...moveToTrashWrites(deps, { organization, space: id }), audit('space', id)],
          apply: nodeChanger(id, { deleted: true }),
        };
      });
    },

    /** The space returns to its collection, or to the top level when the collection is gone; its access stays as it was there. */
    async restoreSpace({ path: { spaceId: id } }, context) {
      const { access, audit } = context;
      const { organization } = access;
      await trees.change(organization, id, async () => {
        const space = await store.get(spaces, id);
        if (!space?.deletedAt) throw conflict('This space is not deleted', 'wrong_state');
        const tree = await trees.treeOf(organization);
        const { parent, deletedAt } = space;
        const isGone = parent !== null && tree.get(parent)?.deleted !== false;
        const place = isGone ? { parent: null, formerParent: parent } : {};
        const restored = write.update(
          spaces,
          { _id: id, deletedAt, parent },
          { $set: { ...place, deletedAt: null, updatedAt: timestamp() } },
          { expect: 1 },
        );
        const events = [
          outbox.add(spaceUpdated, { organization, space: id }),
          ...(isGone ? [visibilityEventWrite(deps, { organization, space: id, from: parent })] : []),
        ];
        return {
          writes: [restored, ...events, ...restoring({ organization, space: id }), audit('space', id)],
          apply: nodeChanger(id, { deleted: false }),
        };
      });
      return presentById(id, access.role, context);
    },
  };
}

type UpdateBody = BodyOf<typeof spaceOperations.updateSpaceById>;

/** The change from the stored space to the request; undefined if nothing differs. */
async function planSpaceUpdate(
  deps: Dependencies,
  { id, body }: { id: string; body: UpdateBody },
  { caller, access: { organization }, audit }: Context,
): Promise<NodeChange | undefined> {
  const space = await deps.store.get(spaces, id);
  if (!space || space.deletedAt) throw notFound('Space');
  if (body.editMode === 'live' && space.git) throw invalid('editMode: a space with Git sync cannot be edited live');
  const { defaultLevel } = body;
  // A space whose level is set does not keep the access of a deleted collection any longer.
  const wanted = defaultLevel === undefined ? body : { ...body, formerParent: null };
  const changes = changesOf(space, wanted, { nullable: ['defaultLevel'] });
  if (!changes) return undefined;
  const { update, after } = changes;
  const { formerParent, ...changed } = changes.details;
  const details = formerParent === undefined ? changed : { ...changed, defaultLevel };
  const node = toTreeNode('space', after);
  if (details.defaultLevel !== undefined) await checkLevelChange(deps, { organization, node, caller });
  const writes = [
    write.update(
      spaces,
      { _id: id, deletedAt: null },
      { ...update, $set: { ...update.$set, updatedAt: timestamp() } },
      { expect: 1 },
    ),
    deps.outbox.add(spaceUpdated, { organization, space: id }),
    audit('space', id, { details }),
  ];
  return { writes, node };
}
