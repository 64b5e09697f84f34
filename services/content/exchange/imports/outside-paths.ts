import { findKnownPath } from '../../format/space/path-names.js';

/** The files and folders of a repository. */
export class RepositoryPaths {
  private readonly files: readonly string[];
  private set: ReadonlySet<string> | undefined;

  constructor(files: readonly string[]) {
    this.files = files.toSorted();
  }

  /** A file or folder as it is in the repository; a file may have its letters composed otherwise. */
  findKnown(path: string): string | undefined {
    if (this.hasPath(path)) return path;
    this.set ??= new Set(this.files);
    return findKnownPath(this.set, path);
  }

  /** Whether it is a file or a folder. */
  hasPath(path: string): boolean {
    return path === '' || this.isFile(path) || (this.firstFrom(`${path}/`)?.startsWith(`${path}/`) ?? false);
  }

  isFile(path: string): boolean {
    return this.firstFrom(path) === path;
  }

  /** The first file at or after a path. */
  private firstFrom(path: string): string | undefined {
    let [low, high] = [0, this.files.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.files[middle] as string) < path) low = middle + 1;
      else high = middle;
    }
    return this.files[low];
  }
}

/** The path of a link to a folder, without slashes at its end. */
export function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** The mentioned paths that do not belong to the space, in order. */
export const outsidePaths = (mentioned: Iterable<string>, inside: ReadonlySet<string>): string[] =>
  [...new Set([...mentioned].map(withoutEndSlashes))].filter((path) => !inside.has(path)).sort();
