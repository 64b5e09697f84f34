import { notFound } from '../../shared/errors.js';
import { newId, newSecret, sha256, timestamp } from '../../shared/ids.js';
import { listPage, type Page, type PageRequest } from '../../shared/paging.js';
import { type Store, write } from '../../shared/store/port.js';
import { type ShareLinkDocument, shareLinks } from './model-publishing.js';
import { viewOf } from './present.js';
import type { PublishingRules } from './publishing-rules.js';
import { siteTag } from './renderers.js';
import type { ShareLink } from './resources.js';
import type { Acting, Looking } from './rules.js';
import { siteOf } from './sites.js';
import { publishedURLs } from './urls.js';

/** Bytes of a key: 16 characters in a URL. */
const keyBytes = 12;

async function present(
  rules: PublishingRules,
  looking: Pick<Looking, 'call'>,
  site: string,
  links: ShareLinkDocument[],
): Promise<ShareLink[]> {
  if (links.length === 0) return [];
  const { site: shown, organization, structure } = await viewOf(rules, looking, await siteOf(rules.store, site));
  return links.map(({ _id: id, createdAt, name, active, sealed }) => {
    const urls = publishedURLs(rules.config, shown, organization, structure, rules.secrets.decrypt(sealed));
    return {
      object: 'share-link',
      id,
      createdAt,
      name,
      active,
      urls: urls ? { published: urls.site } : {},
    };
  });
}

async function presentOne(
  rules: PublishingRules,
  acting: Acting,
  site: string,
  link: ShareLinkDocument,
): Promise<ShareLink> {
  const [shown] = await present(rules, acting, site, [link]);
  return shown as ShareLink;
}

/** The latest first. */
export const listShareLinks = (
  rules: PublishingRules,
  looking: Looking,
  site: string,
  request: PageRequest,
): Promise<Page<ShareLink>> =>
  listPage(rules.store, shareLinks, { filter: { site }, sort: { createdAt: -1 }, request }, (links) =>
    present(rules, looking, site, links),
  );

export async function createShareLink(
  rules: PublishingRules,
  acting: Acting,
  site: string,
  { name }: { name: string },
): Promise<ShareLink> {
  const key = newSecret(keyBytes);
  const sealed = rules.secrets.encrypt(key);
  const link = { _id: newId(), site, name, active: true, hash: sha256(key), sealed, createdAt: timestamp() };
  await rules.store.batch([
    write.insert(shareLinks, link),
    ...rules.renderers.told([siteTag(site)]),
    acting.audit('share-link', link._id, { details: { site, name } }),
  ]);
  return presentOne(rules, acting, site, link);
}

async function linkOf(store: Store, site: string, id: string): Promise<ShareLinkDocument> {
  const link = await store.get(shareLinks, id);
  if (link?.site !== site) throw notFound('Share link');
  return link;
}

export async function updateShareLink(
  rules: PublishingRules,
  acting: Acting,
  site: string,
  id: string,
  { name, active }: { name?: string | undefined; active?: boolean | undefined },
): Promise<ShareLink> {
  const before = await linkOf(rules.store, site, id);
  const link = { ...before, name: name ?? before.name, active: active ?? before.active };
  if (link.name !== before.name || link.active !== before.active)
    await rules.store.batch([
      write.update(shareLinks, { _id: id }, { $set: { name: link.name, active: link.active } }, { expect: 1 }),
      ...rules.renderers.told([siteTag(site)]),
      acting.audit('share-link', id, { details: { site, name: link.name, active: link.active } }),
    ]);
  return presentOne(rules, acting, site, link);
}

export async function deleteShareLink(
  { store, renderers }: PublishingRules,
  { audit }: Acting,
  site: string,
  id: string,
): Promise<void> {
  await linkOf(store, site, id);
  await store.batch([
    write.delete(shareLinks, { _id: id }, { expect: 1 }),
    ...renderers.told([siteTag(site)]),
    audit('share-link', id, { details: { site } }),
  ]);
}
