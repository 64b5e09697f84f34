import { collection, type Write, write } from '../../../../shared/store/port.js';
import type { Role } from '../../../identity/resources.js';

/** The role of a user or a team on a space or a collection; `_id` is `<node>:<user|team>:<id of the user or team>`. */
export interface GrantDocument {
  _id: string;
  organization: string;
  node: string;
  kind: 'space' | 'collection';
  principal: 'user' | 'team';
  /** The id of the user or the team. */
  id: string;
  /** Null is an explicit "no access". */
  role: Role | null;
  createdAt: string;
}

/** The version of an organization's content tree; every change of its structure, levels or grants raises it. */
export interface TreeDocument {
  _id: string;
  version: number;
}

export const grants = collection<GrantDocument>('content_grants', [
  { on: { node: 1, principal: 1, createdAt: 1 }, where: 'role' },
  { on: { node: 1 } },
  { on: { organization: 1 } },
  { on: { organization: 1, principal: 1, id: 1, createdAt: 1 } },
]);
export const trees = collection<TreeDocument>('content_trees');

export const grantId = ({ node, principal, id }: Pick<GrantDocument, 'node' | 'principal' | 'id'>) =>
  `${node}:${principal}:${id}`;

/** The write that raises the version of an organization's tree: goes with every change of who may read what. */
export const treeVersionWrite = (organization: string): Write =>
  write.upsert(trees, { _id: organization }, { $inc: { version: 1 } });
