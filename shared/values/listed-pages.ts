/** A group above pages in a list. */
export interface ListedGroup {
  title: string;
  /** 0 at the top. */
  depth: number;
}

export interface Listed<T> {
  page: T;
  /** 0 at the top. */
  depth: number;
  /** The groups that begin with this page, from the outermost. */
  groups: ListedGroup[];
}

interface Kinds<T> {
  /** The entries of a level that are listed; all if absent. */
  shown?: (entries: readonly T[]) => readonly T[];
  isPage: (entry: T) => boolean;
  isGroup: (entry: T) => boolean;
}

/** The pages of a tree in their order. Groups without pages are left out. */
export function* listedPages<T extends { title: string; pages: readonly T[] }>(
  entries: readonly T[],
  kinds: Kinds<T>,
  depth = 0,
  waiting: ListedGroup[] = [],
): Generator<Listed<T>> {
  for (const entry of kinds.shown?.(entries) ?? entries) {
    const group = kinds.isGroup(entry) ? { title: entry.title, depth } : undefined;
    if (group) waiting.push(group);
    if (kinds.isPage(entry)) yield { page: entry, depth, groups: waiting.splice(0) };
    yield* listedPages(entry.pages, kinds, depth + 1, waiting);
    if (group && waiting.at(-1) === group) waiting.pop();
  }
}
