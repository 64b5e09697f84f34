import { LRUCache } from 'lru-cache';
import { notFound } from '../../../shared/errors.js';
import type { Store } from '../../../shared/store/port.js';
import type { SiteDocument } from '../site/model.js';
import type { FormerPath } from './former-paths.js';
import { fromStored, structures } from './model.js';
import type { Structure } from './structure.js';

/** A structure with its version, which changes with any text or condition of its parts too. */
export interface StructureVersion {
  version: number;
  structure: Structure;
  /** Where its parts were before. */
  former: readonly FormerPath[];
}

/** Keeps the structures of sites in memory for as long as their version is current. */
export class StructureCache {
  private readonly versions = new LRUCache<string, StructureVersion>({ max: 200 });

  constructor(private readonly store: Store) {}

  /** The current structure of a site. Shared: do not change it. */
  async structureOf(site: Pick<SiteDocument, '_id' | 'structureVersion'>): Promise<Structure> {
    return (await this.versionOf(site)).structure;
  }

  /** The current version of the structure of a site. Throws 404 when the site does not exist. */
  async versionOf({
    _id,
    structureVersion,
  }: Pick<SiteDocument, '_id' | 'structureVersion'>): Promise<StructureVersion> {
    const known = this.versions.get(_id);
    if (known && known.version >= structureVersion) return known;
    const found = await this.store.get(structures, _id);
    if (!found) throw notFound('Site');
    const { version, structure, former = [] } = found;
    const read = { version, structure: fromStored(structure), former };
    this.keep(_id, read);
    return read;
  }

  keep(site: string, version: StructureVersion): void {
    this.versions.set(site, version);
  }
}
