import type { Call, HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import { listPage } from '../../../shared/lists/paging.js';
import type { HasSecrets } from '../../../shared/secrets/secrets.js';
import { checkBound } from '../../../shared/store/bounds.js';
import { changesOf } from '../../../shared/store/changes.js';
import { eachDocument, type HasStore, type Store, write } from '../../../shared/store/port.js';
import { newId, sha256, timestamp } from '../../../shared/values/ids.js';
import type { shareLinkOperations } from '../contract/publishing.js';
import { type HasRenderers, siteTag } from '../renderers/renderers.js';
import type { HasDomainOwners } from '../site/domain-owners.js';
import { type SiteDocument, siteOf } from '../site/model.js';
import { type HasConfig, publishedURL, publisherOf } from '../site/urls.js';
import { type ShareLinkDocument, shareLinks } from './model.js';
import type { ShareLink } from './resources.js';
import { makeShareKey } from './share-keys.js';

export const shareLinkHandlers = (
  deps: HasStore & HasConfig & HasSecrets & HasRenderers & HasDomainOwners,
): HandlersOf<typeof shareLinkOperations> => {
  const { store, secrets, renderers } = deps;
  return {
    async listSiteShareLinks({ path: { siteId: site }, query: { search, ...request } }, { call }) {
      const found = search
        ? { $or: [{ hash: sha256(search) }, { _id: { $in: await linksNamed(store, site, search) } }] }
        : {};
      const list = { filter: { site, ...found }, sort: { createdAt: -1 as const }, request };
      return listPage(store, shareLinks, list, async (links) => {
        if (links.length === 0) return [];
        return presentLinks(deps, { call, site: await siteOf(store, site), links });
      });
    },

    async createSiteShareLink({ path: { siteId }, body: { name } }, { call, audit }) {
      const site = await siteOf(store, siteId);
      await checkBound(store, shareLinks, { site: siteId }, { max: 1000, what: 'share links of a site' });
      const link = {
        _id: newId(),
        site: siteId,
        name,
        active: true,
        ...makeShareKey(secrets),
        createdAt: timestamp(),
      };
      await store.batch([
        write.insert(shareLinks, link),
        ...renderers.revalidate([siteTag(siteId)]),
        audit('share-link', link._id, { details: { site: siteId, name } }),
      ]);
      return presentLink(deps, { call, site, link });
    },

    async updateSiteShareLinkById({ path: { siteId, shareLinkId: id }, body }, { call, audit }) {
      const [site, before] = await Promise.all([siteOf(store, siteId), linkOf(store, { site: siteId, id })]);
      const changes = changesOf(before, body);
      if (changes)
        await store.batch([
          write.update(shareLinks, { _id: id }, changes.update, { expect: 1 }),
          ...renderers.revalidate([siteTag(siteId)]),
          audit('share-link', id, { details: { site: siteId, ...changes.details } }),
        ]);
      return presentLink(deps, { call, site, link: changes?.after ?? before });
    },

    async deleteSiteShareLinkById({ path: { siteId, shareLinkId: id } }, { audit }) {
      await linkOf(store, { site: siteId, id });
      await store.batch([
        write.delete(shareLinks, { _id: id }, { expect: 1 }),
        ...renderers.revalidate([siteTag(siteId)]),
        audit('share-link', id, { details: { site: siteId } }),
      ]);
    },
  };
};

/** The links whose names hold a text, in any case: a site has few. */
async function linksNamed(store: Store, site: string, text: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { _id, name } of eachDocument(store, shareLinks, { site }, ['name']))
    if (name.toLowerCase().includes(text.toLowerCase())) ids.push(_id);
  return ids;
}

async function linkOf(store: Store, { site, id }: { site: string; id: string }): Promise<ShareLinkDocument> {
  const link = await store.get(shareLinks, id);
  if (link?.site !== site) throw notFound('Share link');
  return link;
}

interface Presented {
  call: Call;
  site: SiteDocument;
}

function presentLinks(
  deps: HasConfig & HasSecrets & HasDomainOwners,
  { call, site, links }: Presented & { links: ShareLinkDocument[] },
): Promise<ShareLink[]> {
  const publisher = publisherOf(deps, { call, organization: site.organization });
  return Promise.all(
    links.map(async ({ _id: id, createdAt, name, active, sealed }) => {
      const published = await publishedURL(deps.config, { site, publisher, shareKey: deps.secrets.decrypt(sealed) });
      return { object: 'share-link', id, createdAt, name, active, urls: published === null ? {} : { published } };
    }),
  );
}

async function presentLink(
  deps: HasConfig & HasSecrets & HasDomainOwners,
  { link, ...presented }: Presented & { link: ShareLinkDocument },
): Promise<ShareLink> {
  const [shown] = await presentLinks(deps, { ...presented, links: [link] });
  return shown as ShareLink;
}
