import { type Write, write } from '../../../shared/store/port.js';
import { type SpaceDocument, spaces } from '../tree/model.js';
import type { RevisionDocument } from './model.js';

export interface PrimaryMove {
  space: string;
  /** The content that the new one was made from. */
  from: string;
  to: RevisionDocument;
  /** Fields of the space that change with it. */
  changes?: Partial<SpaceDocument> | undefined;
}

/** The write that makes a revision the primary content of its space; it fails when the space has other content by now. */
export const movePrimary = ({ space, from, to, changes = {} }: PrimaryMove): Write =>
  write.update(
    spaces,
    { _id: space, deletedAt: null, revision: from },
    { $set: { ...changes, revision: to._id, updatedAt: to.createdAt } },
    { expect: 1 },
  );
