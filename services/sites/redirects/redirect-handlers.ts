import type { Caller } from '../../../shared/contract/caller.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import { conflict, notFound } from '../../../shared/errors.js';
import { newId, timestamp } from '../../../shared/ids.js';
import { listPage } from '../../../shared/paging.js';
import { checkBound } from '../../../shared/store/bounds.js';
import { changesOf } from '../../../shared/store/changes.js';
import { type Store, StoreDuplicate, type Write, write } from '../../../shared/store/port.js';
import type { redirectOperations } from '../contract/redirects.js';
import type { sitesContract } from '../contract.js';
import type { SitesDependencies } from '../dependencies.js';
import { siteTag } from '../renderers/renderers.js';
import { siteOf, sites } from '../site/model.js';
import { presentRedirect, type RedirectDocument, redirects, sourceKey } from './model.js';
import { findRedirect } from './redirect-lookup.js';
import { checkDestination } from './redirect-targets.js';
import type { RedirectDestination } from './resources.js';

export const redirectHandlers = (
  deps: SitesDependencies,
): HandlersOf<typeof sitesContract, typeof redirectOperations> => {
  const { store, renderers } = deps;
  return {
    listSiteRedirects({ path: { siteId }, query }) {
      const list = { filter: { site: siteId }, sort: { createdAt: -1 as const }, request: query };
      return listPage(store, redirects, list, async (items) => items.map(presentRedirect));
    },

    async createSiteRedirect({ path: { siteId }, body: { source, destination } }, { caller, audit }) {
      await checkOnSite(deps, { caller, site: siteId, destination });
      await checkBound(store, redirects, { site: siteId }, { most: 10_000, what: 'redirects of a site' });
      const made = {
        _id: newId(),
        site: siteId,
        source,
        key: sourceKey(source),
        destination,
        createdAt: timestamp(),
      };
      await writeRedirect(store, [
        write.check(sites, { _id: siteId }, 1),
        write.insert(redirects, made),
        ...renderers.revalidate([siteTag(siteId)]),
        audit('site-redirect', made._id, { details: { site: siteId, source, destination } }),
      ]);
      return presentRedirect(made);
    },

    async updateSiteRedirectById({ path: { siteId, siteRedirectId: id }, body }, { caller, audit }) {
      const { source, destination } = body;
      const before = await redirectOf(store, { site: siteId, id });
      if (destination) await checkOnSite(deps, { caller, site: siteId, destination });
      const key = source === undefined ? undefined : sourceKey(source);
      const changes = changesOf(before, { source, key, destination });
      if (changes)
        await writeRedirect(store, [
          write.update(redirects, { _id: id }, changes.update, { expect: 1 }),
          ...renderers.revalidate([siteTag(siteId)]),
          audit('site-redirect', id, { details: { site: siteId, ...changes.details } }),
        ]);
      return presentRedirect(changes?.after ?? before);
    },

    async deleteSiteRedirectById({ path: { siteId, siteRedirectId: id } }, { audit }) {
      await redirectOf(store, { site: siteId, id });
      await store.batch([
        write.delete(redirects, { _id: id }, { expect: 1 }),
        ...renderers.revalidate([siteTag(siteId)]),
        audit('site-redirect', id, { details: { site: siteId } }),
      ]);
    },

    getSiteRedirectBySource: ({ path: { siteId }, query }, { call, caller }) =>
      findRedirect(deps, { call, caller, id: siteId, query }),
  };
};

/** Throws 400 for a destination that is not on the site. */
async function checkOnSite(
  deps: SitesDependencies,
  { caller, site, destination }: { caller: Caller; site: string; destination: RedirectDestination },
): Promise<void> {
  const structure = await deps.structureCache.structureOf(await siteOf(deps.store, site));
  await checkDestination(deps, { caller, structure, destination });
}

/** Writes a redirect. Throws 409 when another one of the site has its source. */
async function writeRedirect(store: Store, writes: Write[]): Promise<void> {
  await store.batch(writes).catch((error: unknown) => {
    if (error instanceof StoreDuplicate) throw conflict('source: another redirect of this site has it');
    throw error;
  });
}

async function redirectOf(store: Store, { site, id }: { site: string; id: string }): Promise<RedirectDocument> {
  const found = await store.get(redirects, id);
  if (found?.site !== site) throw notFound('Site redirect');
  return found;
}
