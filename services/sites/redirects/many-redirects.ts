import type { HasCallAs } from '../../../shared/contract/context.js';
import type { BodyOf, ResponseOf } from '../../../shared/contract/operation.js';
import type { Context } from '../../../shared/contract/service.js';
import { conflict, failureOf, invalid } from '../../../shared/errors/errors.js';
import { again } from '../../../shared/store/again.js';
import { changesOf, type Wanted } from '../../../shared/store/changes.js';
import { type HasStore, type Store, type Write, write } from '../../../shared/store/port.js';
import { newId, timestamp } from '../../../shared/values/ids.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import { findPage } from '../../content/contract.js';
import type { redirectOperations } from '../contract/redirects.js';
import { type HasRenderers, siteTag } from '../renderers/renderers.js';
import { siteOf, sites } from '../site/model.js';
import { type Structure, siteSpacesShowing } from '../structure/structure.js';
import type { HasStructureCache } from '../structure/structure-cache.js';
import { type RedirectDocument, redirects } from './model.js';
import { sourceKey } from './redirect-keys.js';
import { checkDestination, targetOf } from './redirect-targets.js';
import { asRead, checkCapture, maxRedirects } from './redirect-writes.js';
import type { RedirectDestination } from './resources.js';

type Bulk = (typeof redirectOperations)['bulkUpsertSiteRedirects'];
type Item = BodyOf<Bulk>['redirects'][number];
type Upsert = Exclude<Item, { intent: 'publish' }>;
type Result = ResponseOf<Bulk>['results'][number];

interface Change {
  site: string;
  items: Item[];
  context: Pick<Context, 'call' | 'caller' | 'audit'>;
}

type Dependencies = HasStore & HasRenderers & HasStructureCache & HasCallAs;

/**
 * Creates, changes, deletes and publishes redirects, one after the other, and stores all that came of it at once. An item that is refused
 * changes nothing, and hinders no other.
 */
export function changeRedirects(deps: Dependencies, change: Change): Promise<ResponseOf<Bulk>> {
  const { store, renderers } = deps;
  const { site, items, context } = change;
  return again(
    async () => {
      const before = await redirectsWith(
        store,
        site,
        items.flatMap(({ source }) => [sourceKey(source), sourceKey(source, true)]),
      );
      const state = new Redirects(before, maxRedirects - (await store.count(redirects, { site })));
      const structure = await deps.structureCache.structureOf(await siteOf(store, site));
      const results: Result[] = [];
      for (const item of items) results.push(await resultOf(deps, { ...change, structure, state, item }));
      const writes = writesBetween(before, state.all());
      if (writes.length > 0)
        await store.batch([
          write.check(sites, { _id: site }, 1),
          ...writes,
          ...renderers.revalidate([siteTag(site)]),
          context.audit('site', site, { details: { redirects: changedSources(results) } }),
        ]);
      return { results };
    },
    { duplicates: true },
  );
}

/** The redirects with these sources, while they are changed. */
class Redirects {
  private readonly byKey: Map<string, RedirectDocument>;

  constructor(
    before: readonly RedirectDocument[],
    private room: number,
  ) {
    this.byKey = new Map(before.map((redirect) => [redirect.key, redirect]));
  }

  get = (key: string): RedirectDocument | undefined => this.byKey.get(key);
  all = (): RedirectDocument[] => [...this.byKey.values()];

  put(redirect: RedirectDocument): void {
    if (!this.byKey.has(redirect.key) && this.room-- <= 0)
      throw conflict(`There are at most ${maxRedirects.toLocaleString('en')} redirects of a site`, 'limit_reached');
    this.byKey.set(redirect.key, redirect);
  }

  remove(key: string): void {
    if (this.byKey.delete(key)) this.room++;
  }
}

interface Applied extends Change {
  structure: Structure;
  state: Redirects;
  item: Item;
}

async function resultOf(deps: HasCallAs, applied: Applied): Promise<Result> {
  const { item } = applied;
  const { source } = item;
  try {
    return item.intent === 'publish' ? publish(applied.state, source) : await upsert(deps, { ...applied, item });
  } catch (error) {
    const { status, message } = failureOf(error);
    if (status >= 500) throw error;
    return { status: 'error', source, draft: item.intent === 'draft', error: message };
  }
}

/** Makes the draft live, in place of a live redirect with its source. */
function publish(state: Redirects, source: string): Result {
  const draft = state.get(sourceKey(source, true));
  if (!draft) throw invalid('source: there is no draft with it');
  const key = sourceKey(source);
  const live = state.get(key);
  const { draft: _, ...published } = draft;
  const { _id, createdAt } = live ?? draft;
  state.remove(draft.key);
  state.put({ ...published, _id, key, createdAt });
  return { status: 'published', source, draft: false, id: _id };
}

async function upsert(
  deps: HasCallAs,
  { site, context, structure, state, item }: Applied & { item: Upsert },
): Promise<Result> {
  const { source, captureWildcard, permanent } = item;
  const draft = item.intent === 'draft';
  const key = sourceKey(source, draft);
  const before = state.get(key);
  if (item.destination === null) {
    if (!before) throw invalid('source: no redirect has it');
    state.remove(key);
    return { status: 'deleted', source, draft };
  }
  const destination = await destinationOf(deps, item.destination, { context, structure });
  const after: RedirectDocument = omitUndefined({
    ...(before ?? { _id: newId(), site, createdAt: timestamp() }),
    source,
    key,
    destination,
    draft: draft || undefined,
    captureWildcard: captureWildcard || undefined,
    permanent: (permanent ?? before?.permanent) || undefined,
  });
  checkCapture(after);
  state.put(after);
  return { status: before ? 'updated' : 'created', source, draft, id: after._id };
}

/** A destination by ids: a path names the page that has it now. Throws 400 for one that is not on the site, or that the caller may not see. */
async function destinationOf(
  deps: HasCallAs,
  given: NonNullable<Upsert['destination']>,
  { context: { call, caller }, structure }: Pick<Applied, 'context' | 'structure'>,
): Promise<RedirectDestination> {
  if (given.kind !== 'path') {
    await checkDestination(deps, { caller, structure, destination: given });
    return given;
  }
  const { spaceId: space, path } = given;
  const [siteSpace] = siteSpacesShowing(structure, space);
  if (!siteSpace) throw invalid('destination.spaceId: this site does not show the space');
  const page = (await call(findPage, { space, path: path.replace(/^\/+|\/+$/g, '') }))?.page;
  const destination = page && { kind: 'site-page' as const, siteSpaceId: siteSpace.id, pageId: page.id };
  // A page that the caller may not see is refused like one that is not there.
  if (!destination || !(await targetOf(deps, { caller, structure, destination })))
    throw invalid('destination.path: no such page in this space');
  return destination;
}

async function redirectsWith(store: Store, site: string, keys: string[]): Promise<RedirectDocument[]> {
  const filter = { site, key: { $in: [...new Set(keys)] } };
  return (await store.page(redirects, { filter, sort: {}, limit: keys.length })).items;
}

/** The writes that make one state of redirects of the other; what is deleted goes first, so that its source is free. */
function writesBetween(before: RedirectDocument[], after: RedirectDocument[]): Write[] {
  const kept = new Map(after.map((redirect) => [redirect._id, redirect]));
  const known = new Map(before.map((redirect) => [redirect._id, redirect]));
  const updatedAt = timestamp();
  const updates = before.flatMap((redirect) => {
    const wanted = kept.get(redirect._id);
    const cleared = Object.fromEntries(Object.keys(redirect).map((field) => [field, null]));
    const changes = wanted && changesOf(redirect, { ...cleared, ...wanted } as Wanted<RedirectDocument>);
    if (!changes) return [];
    const { update } = changes;
    return [
      write.update(redirects, asRead(redirect), { ...update, $set: { ...update.$set, updatedAt } }, { expect: 1 }),
    ];
  });
  return [
    ...before.filter(({ _id }) => !kept.has(_id)).map(({ _id }) => write.delete(redirects, { _id }, { expect: 1 })),
    ...updates,
    ...after.filter(({ _id }) => !known.has(_id)).map((redirect) => write.insert(redirects, redirect)),
  ];
}

/** Sources for the audit record, at most 100 of each kind. */
function changedSources(results: Result[]): Record<string, string[]> {
  const byStatus: Record<string, string[]> = {};
  for (const { status, source } of results)
    if (status !== 'error') {
      const sources = byStatus[status] ?? [];
      byStatus[status] = sources;
      if (sources.length < 100) sources.push(source);
    }
  return byStatus;
}
