import type { Caller } from '../../../shared/contract/caller.js';
import type { HasCallAs } from '../../../shared/contract/context.js';
import type { BodyOf } from '../../../shared/contract/operation.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import type { SignedTokens } from '../../../shared/secrets/signed-tokens.js';
import { checkBound } from '../../../shared/store/bounds.js';
import { changesOf, type Wanted } from '../../../shared/store/changes.js';
import { type HasStore, type Store, write } from '../../../shared/store/port.js';
import { newId, timestamp } from '../../../shared/values/ids.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { redirectOperations } from '../contract/redirects.js';
import { type HasRenderers, siteTag } from '../renderers/renderers.js';
import type { HasDomainOwners } from '../site/domain-owners.js';
import { siteOf, sites } from '../site/model.js';
import type { HasConfig } from '../site/urls.js';
import type { HasStructureCache } from '../structure/structure-cache.js';
import type { HasVisibleSites } from '../visiting/visible-site-cache.js';
import { changeRedirects } from './many-redirects.js';
import { presentRedirect, type RedirectDocument, redirects } from './model.js';
import { sourceKey } from './redirect-keys.js';
import { listRedirects } from './redirect-list.js';
import { findRedirect } from './redirect-lookup.js';
import { checkDestination } from './redirect-targets.js';
import { asRead, checkCapture, maxRedirects, writeRedirect } from './redirect-writes.js';
import type { RedirectDestination } from './resources.js';

export const redirectHandlers = (
  deps: HasStore &
    HasConfig &
    HasRenderers &
    HasDomainOwners &
    HasStructureCache &
    HasVisibleSites &
    HasCallAs & { previewTokens: SignedTokens },
): HandlersOf<typeof redirectOperations> => {
  const { store, renderers } = deps;
  return {
    listSiteRedirects: ({ path, query }) => listRedirects(store, path.siteId, query),

    async createSiteRedirect({ path: { siteId }, body: { source, destination, ...flags } }, { caller, audit }) {
      await checkOnSite(deps, { caller, site: siteId, destination });
      await checkBound(store, redirects, { site: siteId }, { max: maxRedirects, what: 'redirects of a site' });
      const made: RedirectDocument = omitUndefined({
        _id: newId(),
        site: siteId,
        source,
        key: sourceKey(source, flags.draft),
        destination,
        draft: flags.draft || undefined,
        captureWildcard: flags.captureWildcard || undefined,
        permanent: flags.permanent || undefined,
        createdAt: timestamp(),
      });
      checkCapture(made);
      await writeRedirect(store, [
        write.check(sites, { _id: siteId }, 1),
        write.insert(redirects, made),
        ...renderers.revalidate([siteTag(siteId)]),
        audit('site-redirect', made._id, { details: { site: siteId, source, destination, ...flags } }),
      ]);
      return presentRedirect(made);
    },

    async updateSiteRedirectById({ path: { siteId, siteRedirectId: id }, body }, { caller, audit }) {
      const before = await redirectOf(store, { site: siteId, id });
      if (body.destination) await checkOnSite(deps, { caller, site: siteId, destination: body.destination });
      const changes = changesOf(before, wantedRedirect(before, body));
      if (!changes) return presentRedirect(before);
      const { update, details, after } = changes;
      checkCapture(after);
      const updatedAt = timestamp();
      await writeRedirect(store, [
        write.update(redirects, asRead(before), { ...update, $set: { ...update.$set, updatedAt } }, { expect: 1 }),
        ...renderers.revalidate([siteTag(siteId)]),
        audit('site-redirect', id, { details: { site: siteId, ...details } }),
      ]);
      return presentRedirect({ ...after, updatedAt });
    },

    async deleteSiteRedirectById({ path: { siteId, siteRedirectId: id } }, { audit }) {
      await redirectOf(store, { site: siteId, id });
      await store.batch([
        write.delete(redirects, { _id: id }, { expect: 1 }),
        ...renderers.revalidate([siteTag(siteId)]),
        audit('site-redirect', id, { details: { site: siteId } }),
      ]);
    },

    bulkUpsertSiteRedirects: ({ path: { siteId }, body }, context) =>
      changeRedirects(deps, { site: siteId, items: body.redirects, context }),

    getSiteRedirectBySource: ({ path: { siteId }, query }, { call, caller }) =>
      findRedirect(deps, { call, caller, id: siteId, query }),
  };
};

/** A redirect with the changes that a request asks for. */
function wantedRedirect(
  { source, draft }: RedirectDocument,
  body: BodyOf<typeof redirectOperations.updateSiteRedirectById>,
): Wanted<RedirectDocument> {
  const flag = (value: boolean | undefined) => (value === undefined ? undefined : value || null);
  return {
    source: body.source,
    key: sourceKey(body.source ?? source, body.draft ?? draft),
    destination: body.destination,
    draft: flag(body.draft),
    captureWildcard: flag(body.captureWildcard),
    permanent: flag(body.permanent),
  };
}

/** Throws 400 for a destination that is not on the site. */
async function checkOnSite(
  deps: HasStore & HasStructureCache & HasCallAs,
  { caller, site, destination }: { caller: Caller; site: string; destination: RedirectDestination },
): Promise<void> {
  const structure = await deps.structureCache.structureOf(await siteOf(deps.store, site));
  await checkDestination(deps, { caller, structure, destination });
}

async function redirectOf(store: Store, { site, id }: { site: string; id: string }): Promise<RedirectDocument> {
  const found = await store.get(redirects, id);
  if (found?.site !== site) throw notFound('Site redirect');
  return found;
}
