import type { Context } from '../../../../../shared/contract/service.js';
import { apiError, conflict, forbidden, notFound } from '../../../../../shared/errors/errors.js';
import type { HasOutbox } from '../../../../../shared/jobs/outbox.js';
import { checkBound } from '../../../../../shared/store/bounds.js';
import { type HasStore, type Write, write } from '../../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../../shared/values/ids.js';
import { findPrincipals, identityContract } from '../../../../identity/contract.js';
import { grants } from '../../access/model.js';
import { type ContentTree, maxCollectionDepth, type TreeNode } from '../../access/tree/content-tree.js';
import type { HasTrees } from '../../access/tree/content-tree-cache.js';
import { findShownSpaces } from '../../contract/sites.js';
import { spaceTransferred } from '../../events.js';
import { collections, type SpaceDocument, spaces } from '../../nodes/model.js';
import type { HasLedger } from '../../storage/ledger.js';
import { translationSettings } from '../../translations/model.js';
import { checkAdministersAll, nodesInCollection } from '../collection-deletion.js';
import { maxCollectionsHeld, maxSpacesHeld } from '../new-space.js';

export interface TransferredSpaces {
  spaces: SpaceDocument[];
  /** The new organization. */
  to: string;
}

type Dependencies = HasStore &
  HasOutbox &
  HasTrees &
  HasLedger & {
    /** The writes of other groups that go with a transfer; throws where it cannot be now. */
    transferring: (transferred: TransferredSpaces) => Promise<Write[]>;
  };

interface Transfer {
  kind: TreeNode['kind'];
  id: string;
  to: string;
}

/** Spaces of one transfer: one batch moves all that belongs to them. */
const maxTransferred = 100;

/** Refuses a transfer that would break something of the organization that it leaves. */
export const inUse = (message: string) => apiError('PRECONDITION_FAILED', message, 'in_use');

/** Transfers a space, or a collection with everything in it, to the top level of another organization: all of it, or nothing. */
export async function transferNode(deps: Dependencies, transfer: Transfer, context: Context): Promise<void> {
  const { organization: from } = context.access;
  const { id, to } = transfer;
  if (to === from) throw conflict('organization: it belongs to this organization already', 'wrong_state');
  const target = await context.call(identityContract.getOrganizationById, { path: { organizationId: to } });
  if (!target.permissions.createContent)
    throw forbidden('organization: you may not create content at its top level', 'missing_right');
  await deps.trees.transfer({ from, to }, id, () => planTransfer(deps, transfer, context));
}

async function planTransfer(deps: Dependencies, { kind, id, to }: Transfer, context: Context): Promise<Write[]> {
  const { store, trees, ledger } = deps;
  const { caller, access, audit } = context;
  const { organization: from } = access;
  const { tree, unchanged } = await trees.latest(from);
  const root = tree.get(id);
  if (!root || root.deleted) throw notFound(kind === 'space' ? 'Space' : 'Collection');
  const nodes = kind === 'space' ? [root] : nodesInCollection(tree, id);
  checkAdministersAll(tree, { organization: from, caller, nodes });
  const ids = nodes.flatMap((node) => (node.kind === 'space' ? [node.id] : []));
  await checkNumbers(deps, to, { spaces: ids.length, collections: nodes.length - ids.length });
  if (isAccessNeeded(tree, nodes))
    throw inUse('A space that was restored from a deleted collection takes its access from here; set its level first');
  const [shown] = await context.call(findShownSpaces, { organization: from, spaces: ids });
  const found = await store.getMany(spaces, ids);
  if (shown !== undefined)
    throw inUse(`A site shows the space ${titleOf(found, shown)}; remove it from its sites first`);
  await checkUnbound(deps, found);
  const details = kind === 'collection' ? { spaces: ids.length, collections: nodes.length - ids.length } : {};
  return [
    unchanged,
    ...nodes.map((node) => nodeWrite(node, { from, to, isRoot: node.id === id })),
    ...(await grantWrites(context, nodes, { from, to })),
    ...(await ledger.transferWrites(ids, { from, to })),
    ...(await deps.transferring({ spaces: found, to })),
    ...ids.map((space) => deps.outbox.add(spaceTransferred, { organization: to, space, from })),
    audit(kind, id, { details: { ...details, to } }),
    audit(kind, id, { organization: to, details: { ...details, from } }),
  ];
}

/** Throws 412 while something of the organization reads the spaces, or writes them. */
async function checkUnbound({ store }: HasStore, found: SpaceDocument[]): Promise<void> {
  const sources = { 'source.space': { $in: found.map(({ _id }) => _id) } };
  const translation = await store.findOne(translationSettings, sources, { fields: ['source'] });
  if (translation?.source)
    throw inUse(`The space ${titleOf(found, translation.source.space)} is translated; delete its translations first`);
  for (const { title, translationOf, gitInstallation, gitOperation } of found) {
    if (translationOf) throw inUse(`The space "${title}" is a translation; delete the translation first`);
    if (gitInstallation)
      throw inUse(`The space "${title}" is connected with a Git repository; end the connection first`);
    if (gitOperation && isUnderWay(gitOperation))
      throw inUse(`A Git operation of the space "${title}" is under way; wait until it has ended`);
  }
}

const titleOf = (found: SpaceDocument[], id: string) => `"${found.find(({ _id }) => _id === id)?.title}"`;

const isUnderWay = ({ state }: NonNullable<SpaceDocument['gitOperation']>) => state === 'queued' || state === 'running';

async function checkNumbers(
  { store }: HasStore,
  organization: string,
  adding: { spaces: number; collections: number },
): Promise<void> {
  if (adding.spaces > maxTransferred)
    throw conflict(`A transfer takes at most ${maxTransferred} spaces; transfer them in parts`, 'limit_reached');
  const max = { spaces: maxSpacesHeld - adding.spaces + 1, collections: maxCollectionsHeld - adding.collections + 1 };
  const what = (kind: string) => `${kind} in an organization, with those that come`;
  await checkBound(store, spaces, { organization }, { max: max.spaces, what: what('spaces') });
  await checkBound(store, collections, { organization }, { max: max.collections, what: what('collections') });
}

/** Whether a space that stays takes its access from one of the nodes: its deleted collection was in it. */
function isAccessNeeded(tree: ContentTree, nodes: TreeNode[]): boolean {
  const leaving = new Set(nodes.map(({ id }) => id));
  return [...tree.values()].some((node) => {
    if (node.kind !== 'space' || leaving.has(node.id)) return false;
    let above = node.parent;
    for (let depth = 0; above !== null && depth <= maxCollectionDepth; depth++) {
      if (leaving.has(above)) return true;
      above = tree.get(above)?.parent ?? null;
    }
    return false;
  });
}

interface Leaving {
  from: string;
  to: string;
}

/** The root comes to the end of the top level; all others stay where they are in it. */
function nodeWrite({ kind, id: _id }: TreeNode, { from, to, isRoot }: Leaving & { isRoot: boolean }): Write {
  const place = isRoot ? { parent: null, orderKey: newId() } : {};
  const own = { _id, organization: from };
  const moved = { organization: to, ...place };
  if (kind === 'collection') return write.update(collections, own, { $set: moved }, { expect: 1 });
  const update = {
    $set: { ...moved, updatedAt: timestamp() },
    ...(isRoot ? { $unset: { formerParent: true as const } } : {}),
  };
  // Both write the space for the organization that has them.
  return write.update(spaces, { ...own, gitInstallation: null, translationOf: null }, update, { expect: 1 });
}

/** Grants to members of both organizations stay; those to teams, and to people who are not in the new one, end. */
async function grantWrites({ call }: Context, nodes: TreeNode[], { from, to }: Leaving): Promise<Write[]> {
  const users = [...new Set(nodes.flatMap((node) => [...(node.grants?.users.keys() ?? [])]))];
  const { members } = await call(findPrincipals, { organization: to, users, teams: [] });
  const ofNodes = { organization: from, node: { $in: nodes.map(({ id }) => id) } };
  const staying = { principal: 'user' as const, id: { $in: members.map(({ user }) => user) } };
  return [
    write.update(grants, { ...ofNodes, ...staying }, { $set: { organization: to } }),
    write.delete(grants, ofNodes),
  ];
}
