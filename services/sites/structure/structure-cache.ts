import { LRUCache } from 'lru-cache';
import { notFound } from '../../../shared/errors/errors.js';
import { estimateMemory } from '../../../shared/process/memory.js';
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

export interface KeptStructure extends StructureVersion {
  /** About how many bytes of memory it takes. */
  bytes: number;
}

/** Bytes of all kept structures together, about. */
const maxKeptBytes = 64 * 1024 * 1024;

/** Keeps the structures of sites in memory for as long as their version is current. */
export class StructureCache {
  private readonly versions = new LRUCache<string, KeptStructure>({
    maxSize: maxKeptBytes,
    sizeCalculation: ({ bytes }) => bytes,
  });

  constructor(private readonly store: Store) {}

  /** The current structure of a site. Shared: do not change it. */
  async structureOf(site: Pick<SiteDocument, '_id' | 'structureVersion'>): Promise<Structure> {
    return (await this.versionOf(site)).structure;
  }

  /** The current version of the structure of a site. Throws 404 when the site does not exist. */
  async versionOf({ _id, structureVersion }: Pick<SiteDocument, '_id' | 'structureVersion'>): Promise<KeptStructure> {
    const known = this.versions.get(_id);
    if (known && known.version >= structureVersion) return known;
    const found = await this.store.get(structures, _id);
    if (!found) throw notFound('Site');
    const { version, former = [] } = found;
    return this.keep(_id, { version, structure: fromStored(found), former });
  }

  keep(site: string, current: StructureVersion): KeptStructure {
    const kept = { ...current, bytes: 500 + estimateMemory(current) };
    this.versions.set(site, kept);
    return kept;
  }
}

export type HasStructureCache = { structureCache: StructureCache };
