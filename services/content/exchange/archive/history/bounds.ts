/**
 * Bounds of the history of a space in an archive. An export leaves out the oldest revisions that are more than that; no import reads more.
 * A thousand revisions take an export and an import about a minute, and are more than what most spaces keep.
 */
export const historyBounds = {
  revisions: 1000,
  /** Bytes of all different files. */
  bytes: 1_000_000_000,
  /** Files of the first revision, and those that each of the others changes. */
  changes: 1_000_000,
  /** Git objects: files, folders and commits. */
  objects: 5_000_000,
};
