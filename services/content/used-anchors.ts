import { anchorNamed } from './format/anchors.js';
import { percentDecoded } from './format/paths.js';
import type { PageDocument, PageNode } from './model.js';
import { isOutside, pageFiles, targetPath } from './references.js';

/** A link to an anchor: the path of the file and the name that it gives the anchor. */
export type AnchorLink = [path: string, name: string];

type Aliases = NonNullable<PageNode['aliases']>;

/** Characters of all together: a revision keeps the names that its links have, not all that they might have. */
const mostKept = 2_000_000;

/** The links of a file that lead to an anchor. */
export const anchorLinksOf = (path: string, { links }: Pick<PageDocument, 'links'>): AnchorLink[] =>
  links.flatMap(({ url }): AnchorLink[] => {
    const hash = url.indexOf('#');
    if (hash < 0 || isOutside(url)) return [];
    const [link = ''] = url.slice(0, hash).split('?', 1);
    const target = link === '' ? path : targetPath(path, link);
    return target === undefined ? [] : [[target, percentDecoded(url.slice(hash + 1))]];
  });

/** By file: the names other than its own that links give an anchor, with the anchor. */
export function usedAliases(
  files: ReadonlyMap<string, { aliases: ReadonlyMap<string, string>; anchorLinks: AnchorLink[] }>,
): Map<string, Aliases> {
  const used = new Map<string, Map<string, string>>();
  let room = mostKept;
  for (const { anchorLinks } of files.values()) {
    for (const [target, name] of anchorLinks) {
      const file = pageFiles(target).find((path) => files.has(path)) ?? '';
      const anchor = anchorNamed(files.get(file)?.aliases ?? new Map(), name);
      const known = used.get(file) ?? new Map<string, string>();
      if (anchor === name || known.has(name) || room < name.length + anchor.length) continue;
      room -= name.length + anchor.length;
      used.set(file, known.set(name, anchor));
    }
  }
  return new Map([...used].map(([file, known]) => [file, [...known]]));
}
