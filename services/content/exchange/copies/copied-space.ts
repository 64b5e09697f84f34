import type { Call } from '../../../../shared/contract/service.js';
import { notFound } from '../../../../shared/errors/errors.js';
import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import { type HasStore, type Write, write } from '../../../../shared/store/port.js';
import { titleOfCopy } from '../../../../shared/text/copy-title.js';
import { timestamp } from '../../../../shared/values/ids.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import type { Role } from '../../../identity/resources.js';
import { findMemberReader } from '../../core/access/effective-access.js';
import { grantWrite } from '../../core/access/grants.js';
import {
  type ContentTree,
  type GrantChange,
  outranks,
  roleOnNode,
  type TreeNode,
  toTreeNode,
  withGrants,
  withNode,
} from '../../core/access/tree/content-tree.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { type SpaceDocument, spaces } from '../../core/nodes/model.js';
import { type RevisionDocument, revisions } from '../../core/revisions/model.js';
import { keysAt, orderWrite, shownParent, siblingsOf } from '../../core/spaces/moving/siblings.js';
import { newSpace, parentExistsCheck } from '../../core/spaces/new-space.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import { indexLater } from '../../reading/search/indexer.js';
import type { CopiedContent } from './copied-content.js';

type Dependencies = HasStore & HasTrees & HasLedger & HasJobs;

export interface NewCopy {
  organization: string;
  source: string;
  /** The id of the copy. */
  copy: string;
  /** The user who makes it, and its role on the source. */
  user: string;
  role: Role;
  content: CopiedContent;
  /** The writes that go with it. */
  writes: Write[];
}

const maxTitle = 50;

/** Makes a space with content that is stored already, after the one that it is a copy of. Returns the id of its revision. */
export async function makeCopy(deps: Dependencies, made: NewCopy, call: Call): Promise<string> {
  let revision = '';
  const { store, trees, ledger, jobs } = deps;
  const { organization, source: sourceId, copy: id, user, content } = made;
  const reader = await findMemberReader(call, organization, user);
  await trees.change(organization, id, async () => {
    const { tree, unchanged } = await trees.latest(organization);
    const [source, node] = [await store.get(spaces, sourceId), tree.get(sourceId)];
    if (!source || source.deletedAt || !node) throw notFound('Space');
    const siblings = siblingsOf(tree, shownParent(tree, node));
    const keys = keysAt(siblings, id, siblings.indexOf(node) + 1);
    const space = { ...copyOf(source, made), orderKey: keys.get(id) as string };
    keys.delete(id);
    revision = space.revision;
    const granted = grantsOfCopy(tree, { node, space, made, reader });
    const now = timestamp();
    return {
      writes: [
        unchanged,
        ...parentExistsCheck(space.parent ?? undefined),
        write.insert(spaces, space),
        write.insert(revisions, firstRevision(space, content)),
        ledger.commitCheck(id),
        ...granted.map((change) => grantWrite({ kind: 'space', id, organization }, change, { before: undefined, now })),
        ...[...keys].map(([each, orderKey]) => orderWrite(tree.get(each) as TreeNode, orderKey)),
        indexLater(jobs, { space: id, revision: space.revision }),
        ...made.writes,
      ],
    };
  });
  return revision;
}

/** The copy has the settings of the space, but none of its Git sync, comments and change requests. */
function copyOf(source: SpaceDocument, { organization, copy: id, user }: NewCopy): SpaceDocument {
  const { title, emoji, language, editMode, icon, defaultLevel, parent, formerParent } = source;
  const { space } = newSpace({
    organization,
    creator: user,
    id,
    title: titleOfCopy(title, maxTitle),
    emoji,
    language,
    editMode,
    parent: parent ?? undefined,
  });
  return { ...space, defaultLevel, ...omitUndefined({ icon, formerParent }) };
}

const firstRevision = (
  { _id: space, revision, creator: author, createdAt }: SpaceDocument,
  { roots, fields }: CopiedContent,
): RevisionDocument => ({
  _id: revision,
  space,
  parents: [],
  type: 'edits',
  ...roots,
  ...fields,
  author,
  primary: true,
  createdAt,
});

interface Granting {
  node: TreeNode;
  space: SpaceDocument;
  made: NewCopy;
  reader: Parameters<typeof roleOnNode>[2];
}

/** Who is refused the space is refused the copy. Who makes it keeps the role that a grant on the space gave. */
function grantsOfCopy(tree: ContentTree, { node, space, made, reader }: Granting): GrantChange[] {
  const refused = [
    ...refusalsIn('user', node.grants?.users).filter(({ id }) => id !== made.user),
    ...refusalsIn('team', node.grants?.teams),
  ];
  const copy = withGrants(toTreeNode('space', space), refused);
  const role = roleOnNode(withNode(tree, copy), copy.id, reader);
  return outranks(made.role, role ?? null)
    ? [...refused, { principal: 'user', id: made.user, role: made.role }]
    : refused;
}

const refusalsIn = (
  principal: GrantChange['principal'],
  granted: ReadonlyMap<string, Role | null> = new Map(),
): GrantChange[] => [...granted].flatMap(([id, role]) => (role === null ? [{ principal, id, role }] : []));
