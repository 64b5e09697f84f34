/** The hashes of files, by path. */
type Oids = ReadonlyMap<string, string>;

interface Sides {
  /** The content that space and branch shared last. */
  base: Oids;
  /** The content of the space. */
  ours: Oids;
  /** All files of the branch. */
  theirs: Oids;
}

export interface FileChanges {
  /** Paths that are written as the space has them. */
  write: string[];
  remove: string[];
  /** Paths that space and branch both changed. */
  conflicts: string[];
}

/** The changes of the space since both sides were the same. Files that it did not change stay as the branch has them. */
export function fileChanges({ base, ours, theirs }: Sides): FileChanges {
  const changes: FileChanges = { write: [], remove: [], conflicts: [] };
  for (const path of new Set([...ours.keys(), ...base.keys()])) {
    const [was, is, there] = [base.get(path), ours.get(path), theirs.get(path)];
    if (is === was || is === there) continue;
    if (there !== was) changes.conflicts.push(path);
    if (is === undefined) changes.remove.push(path);
    else changes.write.push(path);
  }
  return changes;
}
