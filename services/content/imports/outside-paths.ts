import type { SourceTree } from './source-tree.js';

/** The mentioned paths that are files or folders of the repository but do not belong to the space, in order. */
export function outsideOf(
  { files, paths = files.map(({ path }) => path) }: SourceTree,
  mentioned: ReadonlySet<string>,
  inside: ReadonlySet<string>,
): string[] {
  const known = withFolders(paths);
  const wanted = new Set([...mentioned].map((path) => path.replace(/\/+$/, '')));
  return [...wanted].filter((path) => known.has(path) && !inside.has(path)).sort();
}

function withFolders(paths: Iterable<string>): Set<string> {
  const known = new Set(['']);
  for (const path of paths) {
    known.add(path);
    for (
      let end = path.lastIndexOf('/');
      end > 0 && !known.has(path.slice(0, end));
      end = path.lastIndexOf('/', end - 1)
    )
      known.add(path.slice(0, end));
  }
  return known;
}
