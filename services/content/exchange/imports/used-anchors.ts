import type { Store } from '../../../../shared/store/port.js';
import { documentId, type PageDocument, type PageNode, pageDocuments } from '../../core/revisions/model.js';
import { isAbsoluteUrl, openPageFileFinder, resolveRepositoryPath } from '../../core/revisions/references.js';
import { findAnchor } from '../../format/document/context/anchors.js';
import { percentDecode } from '../../format/space/paths.js';

export type Aliases = NonNullable<PageNode['aliases']>;

/** Characters of all names together. */
const maxNoted = 4_000_000;
const readAtOnce = 100;

/** Collects the names that the links of a tree use for anchors: a revision keeps only these of the possible aliases. */
export class UsedAnchors {
  private readonly names = new Map<string, Set<string>>();
  private room = maxNoted;

  /** Notes the links of a file. */
  noteLinks(path: string, { links }: Pick<PageDocument, 'links'>): void {
    for (const { url } of links) {
      const hash = url.indexOf('#');
      if (hash < 0 || isAbsoluteUrl(url)) continue;
      const [link = ''] = url.slice(0, hash).split('?', 1);
      const target = link === '' ? path : resolveRepositoryPath(path, link);
      if (target !== undefined) this.noteName(target, percentDecode(url.slice(hash + 1)));
    }
  }

  noteName(target: string, name: string): void {
    const known = this.names.get(target) ?? new Set<string>();
    const length = name.length + (known.size === 0 ? target.length : 0);
    if (known.has(name) || this.room < length) return;
    this.room -= length;
    this.names.set(target, known.add(name));
  }

  /** By file: the names used that are not the anchor's own, with the anchor. */
  async findAliases(
    store: Store,
    space: string,
    stored: ReadonlyMap<string, { oid: string }>,
  ): Promise<Map<string, Aliases>> {
    const wanted = [...this.namesByFile(stored)];
    const found = new Map<string, Aliases>();
    for (let start = 0; start < wanted.length; start += readAtOnce) {
      const part = wanted.slice(start, start + readAtOnce);
      const idOf = (file: string) => documentId(space, stored.get(file)?.oid ?? '');
      const ids = [...new Set(part.map(([file]) => idOf(file)))];
      const documents = await store.getMany(pageDocuments, ids, { fields: ['aliases'] });
      const known = new Map(documents.map(({ _id, aliases }) => [_id, new Map(aliases)]));
      for (const [file, names] of part) {
        const aliases = aliasesNamed(known.get(idOf(file)) ?? new Map(), names);
        if (aliases.length > 0) found.set(file, aliases);
      }
    }
    return found;
  }

  private namesByFile(stored: ReadonlyMap<string, unknown>): Map<string, Set<string>> {
    const files = new Map<string, Set<string>>();
    const find = openPageFileFinder(stored);
    for (const [target, names] of this.names) {
      const file = find(target);
      if (file !== undefined) files.set(file, new Set([...(files.get(file) ?? []), ...names]));
    }
    return files;
  }
}

const aliasesNamed = (aliases: ReadonlyMap<string, string>, names: ReadonlySet<string>): Aliases =>
  [...names].flatMap((name): Aliases => {
    const anchor = findAnchor(aliases, name);
    return anchor === name ? [] : [[name, anchor]];
  });
