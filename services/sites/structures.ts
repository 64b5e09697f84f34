import { LRUCache } from 'lru-cache';
import { notFound } from '../../shared/errors.js';
import { again } from '../../shared/store/again.js';
import { type Store, type Write, write } from '../../shared/store/port.js';
import { Turns } from '../../shared/work/turns.js';
import { type FormerPath, formerAfter, placesOf } from './former-paths.js';
import { type SiteDocument, sites, structures } from './model.js';
import { type Renderers, siteTag } from './renderers.js';
import { emptyStructure, type Structure, siteSpacesOf } from './structure.js';

/** What a change of a structure answers, and what is written with it. */
export interface StructureChange<T> {
  answer: T;
  /** Made also when the structure itself stays as it is. */
  writes: Write[];
  /** Made when the structure changes or `writes` holds something: the audit record. */
  record: Write;
}

export interface Kept {
  version: number;
  structure: Structure;
  former: readonly FormerPath[];
}

/** Structures of sites, kept in memory for as long as their version stands. */
export class Structures {
  private readonly kept = new LRUCache<string, Kept>({ max: 200 });
  private readonly turns = new Turns();

  constructor(
    private readonly store: Store,
    private readonly renderers: Pick<Renderers, 'told'>,
  ) {}

  /** As it is now; not to be changed. */
  async of(site: Pick<SiteDocument, '_id' | 'structureVersion'>): Promise<Structure> {
    return (await this.keptOf(site)).structure;
  }

  /** With its version, which changes with any text or condition too, and where its parts were before. */
  async keptOf({ _id, structureVersion }: Pick<SiteDocument, '_id' | 'structureVersion'>): Promise<Kept> {
    const known = this.kept.get(_id);
    if (known && known.version >= structureVersion) return known;
    const found = await this.store.get(structures, _id);
    if (!found) throw notFound('Site');
    const { version, structure, former = [] } = found;
    const kept = { version, structure, former };
    this.kept.set(_id, kept);
    return kept;
  }

  /** The writes that make the first one of a site. */
  first(site: Pick<SiteDocument, '_id' | 'organization'>, structure = emptyStructure()): Write[] {
    const { _id, organization } = site;
    return [write.insert(structures, { _id, organization, version: 1, structure, spaces: spacesOf(structure) })];
  }

  /**
   * Changes the structure of a site on the version that was read; `decide` changes the copy it is given and is asked again
   * when others were first. Changes of one site take turns in this process.
   */
  change<T>(
    site: string,
    decide: (structure: Structure, site: SiteDocument) => Promise<StructureChange<T>>,
  ): Promise<T> {
    return this.turns.run(site, () => again(() => this.attempt(site, decide)));
  }

  private async attempt<T>(
    id: string,
    decide: (structure: Structure, site: SiteDocument) => Promise<StructureChange<T>>,
  ): Promise<T> {
    const [found, site] = await Promise.all([this.store.get(structures, id), this.store.get(sites, id)]);
    if (!found || !site) throw notFound('Site');
    const { structure, version, former = [] } = found;
    const before = JSON.stringify(structure);
    const places = placesOf(structure);
    const { answer, writes, record } = await decide(structure, site);
    const changed = JSON.stringify(structure) !== before;
    if (!changed && writes.length === 0) return answer;
    const next: Kept = {
      version: version + 1,
      structure,
      former: changed ? formerAfter(former, places, placesOf(structure)) : former,
    };
    await this.store.batch([...updatesOf(id, next, changed), ...writes, ...this.renderers.told([siteTag(id)]), record]);
    this.kept.set(id, next);
    return answer;
  }
}

const spacesOf = (structure: Structure): string[] => [
  ...new Set(siteSpacesOf(structure).map(({ variant }) => variant.space)),
];

function updatesOf(id: string, { version, structure, former }: Kept, changed: boolean): Write[] {
  const next = { structureVersion: version, siteSpaces: siteSpacesOf(structure).length };
  const changes = changed ? { structure, spaces: spacesOf(structure), former: [...former], version } : { version };
  return [
    write.update(structures, { _id: id, version: version - 1 }, { $set: changes }, { expect: 1 }),
    write.update(sites, { _id: id }, { $set: next }, { expect: 1 }),
  ];
}
