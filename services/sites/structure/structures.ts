import { notFound } from '../../../shared/errors/errors.js';
import { again } from '../../../shared/store/again.js';
import { type Store, type Write, write } from '../../../shared/store/port.js';
import { KeyedSemaphore } from '../../../shared/work/semaphore.js';
import { type Renderers, siteTag } from '../renderers/renderers.js';
import { type SiteDocument, sites } from '../site/model.js';
import { formerAfter, placesOf } from './former-paths.js';
import {
  fromStored,
  type GroupDocument,
  type LinkDocument,
  type SectionDocument,
  type SiteSpaceDocument,
  structures,
  toStored,
} from './model.js';
import { type Structure, siteSpacesOf, spacesOf } from './structure.js';
import type { StructureCache, StructureVersion } from './structure-cache.js';

/** Documents of the parts of a site, known without reading them. */
export interface PartDocuments {
  section?: SectionDocument;
  group?: GroupDocument;
  siteSpace?: SiteSpaceDocument;
  link?: LinkDocument;
}

/** Audit record and further writes that are stored with a change of a structure. */
export interface StructureChange {
  /** The audit record; made when the structure changes or `writes` holds something. */
  record: Write;
  /** Made even when the structure itself stays the same. */
  writes?: Write[];
  /** The documents of parts that `writes` changes, as they are afterwards. */
  documents?: PartDocuments;
  /** The document of the site as it is afterwards, when `writes` changes it. */
  site?: SiteDocument;
}

/** A site as it is after a change. */
export interface ChangedSite {
  site: SiteDocument;
  structure: Structure;
  documents: PartDocuments;
}

export interface StructuresOptions {
  store: Store;
  cache: StructureCache;
  renderers: Pick<Renderers, 'revalidate'>;
}

/** Decides on a change: changes the copy of the structure that it is given, and says what is written with it. */
export type Decide = (current: {
  structure: Structure;
  site: SiteDocument;
}) => StructureChange | Promise<StructureChange>;

/** Changes the structures of sites. */
export class Structures {
  private readonly turns = new KeyedSemaphore();

  constructor(private readonly options: StructuresOptions) {}

  /**
   * Changes the structure of a site on the version that was read; `decide` is called again when another change was first.
   * Changes of one site take turns in this process. Throws 404 when the site does not exist.
   */
  change(site: string, decide: Decide): Promise<ChangedSite> {
    return this.turns.run(site, () => again(() => this.attempt(site, decide)));
  }

  private async attempt(id: string, decide: Decide): Promise<ChangedSite> {
    const { store, cache, renderers } = this.options;
    const [found, site] = await Promise.all([store.get(structures, id), store.get(sites, id)]);
    if (!found || !site) throw notFound('Site');
    const { version, former = [] } = found;
    const structure = fromStored(found);
    const before = JSON.stringify(structure);
    const places = placesOf(structure);
    const { record, writes = [], documents = {}, site: siteAfter = site } = await decide({ structure, site });
    const isChanged = JSON.stringify(structure) !== before;
    if (!isChanged && writes.length === 0) return { site, structure, documents };
    const next: StructureVersion = {
      version: version + 1,
      structure,
      former: isChanged ? formerAfter(former, places, placesOf(structure)) : former,
    };
    const counts = { structureVersion: next.version, siteSpaces: siteSpacesOf(structure).length };
    await store.batch([
      structureWrite(id, next, isChanged),
      write.update(sites, { _id: id }, { $set: counts }, { expect: 1 }),
      ...writes,
      ...renderers.revalidate([siteTag(id)]),
      record,
    ]);
    cache.keep(id, next);
    return { site: { ...siteAfter, ...counts }, structure, documents };
  }
}

function structureWrite(_id: string, { version, structure, former }: StructureVersion, isChanged: boolean): Write {
  const $set = isChanged
    ? { ...toStored(structure), spaces: spacesOf(structure), former: [...former], version }
    : { version };
  return write.update(structures, { _id, version: version - 1 }, { $set }, { expect: 1 });
}

/** The write of the first structure of a site. */
export const firstStructure = (site: Pick<SiteDocument, '_id' | 'organization'>, structure: Structure): Write =>
  write.insert(structures, {
    _id: site._id,
    organization: site.organization,
    version: 1,
    ...toStored(structure),
    spaces: spacesOf(structure),
  });

export type HasStructures = { structures: Structures };
