import { conflict, notFound } from '../../shared/errors.js';
import { newId, timestamp } from '../../shared/ids.js';
import { listPage, type Page, type PageRequest } from '../../shared/paging.js';
import { type Store, StoreDuplicate, type Write, write } from '../../shared/store/port.js';
import { type FoundPage, findPage } from '../content/contract.js';
import { addressesOf } from './addresses.js';
import { pathKey } from './former-paths.js';
import { formerStarts, formerTarget, type Target } from './former-target.js';
import { type Located, locate, readable, segmentsOf } from './locate.js';
import { sites } from './model.js';
import { type RedirectDocument, redirects } from './model-publishing.js';
import { organizationOf } from './present.js';
import type { PublishingRules } from './publishing-rules.js';
import { checkDestination, targetOf } from './redirect-targets.js';
import { siteTag } from './renderers.js';
import type { RedirectDestination, SiteRedirect } from './resources.js';
import type { Acting, Looking } from './rules.js';
import { activeShareKey } from './share-keys.js';
import { siteOf } from './sites.js';
import type { Seen } from './visible.js';

/** How a source is compared: in any case, whether encoded or not. */
const keyOf = (source: string) => pathKey(segmentsOf(source).map(readable).join('/'));

const present = ({ _id: id, source, destination }: RedirectDocument): SiteRedirect => ({
  object: 'site-redirect',
  id,
  source,
  destination,
});

/** The latest first. */
export const listRedirects = (
  { store }: PublishingRules,
  site: string,
  request: PageRequest,
): Promise<Page<SiteRedirect>> =>
  listPage(store, redirects, { filter: { site }, sort: { createdAt: -1 }, request }, (items) => items.map(present));

async function checked(rules: PublishingRules, { caller }: Acting, site: string, destination: RedirectDestination) {
  const structure = await rules.structures.of(await siteOf(rules.store, site));
  await checkDestination(rules, caller, structure, destination);
}

async function written(store: Store, writes: Write[]): Promise<void> {
  await store.batch(writes).catch((error: unknown) => {
    if (error instanceof StoreDuplicate) throw conflict('source: another redirect of this site has it');
    throw error;
  });
}

export interface RedirectInput {
  source: string;
  destination: RedirectDestination;
}

export async function createRedirect(
  rules: PublishingRules,
  acting: Acting,
  site: string,
  { source, destination }: RedirectInput,
): Promise<SiteRedirect> {
  await checked(rules, acting, site, destination);
  const made = { _id: newId(), site, source, key: keyOf(source), destination, createdAt: timestamp() };
  await written(rules.store, [
    write.check(sites, { _id: site }, 1),
    write.insert(redirects, made),
    ...rules.renderers.told([siteTag(site)]),
    acting.audit('site-redirect', made._id, { details: { site, source, destination } }),
  ]);
  return present(made);
}

async function redirectOf(store: Store, site: string, id: string): Promise<RedirectDocument> {
  const found = await store.get(redirects, id);
  if (found?.site !== site) throw notFound('Site redirect');
  return found;
}

export async function updateRedirect(
  rules: PublishingRules,
  acting: Acting,
  site: string,
  id: string,
  { source, destination }: { source?: string | undefined; destination?: RedirectDestination | undefined },
): Promise<SiteRedirect> {
  const before = await redirectOf(rules.store, site, id);
  if (destination) await checked(rules, acting, site, destination);
  const $set = {
    ...(source === undefined ? {} : { source, key: keyOf(source) }),
    ...(destination === undefined ? {} : { destination }),
  };
  if (Object.keys($set).length > 0)
    await written(rules.store, [
      write.update(redirects, { _id: id }, { $set }, { expect: 1 }),
      ...rules.renderers.told([siteTag(site)]),
      acting.audit('site-redirect', id, { details: { site, ...$set } }),
    ]);
  return present({ ...before, ...$set });
}

export async function deleteRedirect(
  { store, renderers }: PublishingRules,
  { audit }: Acting,
  site: string,
  id: string,
): Promise<void> {
  await redirectOf(store, site, id);
  await store.batch([
    write.delete(redirects, { _id: id }, { expect: 1 }),
    ...renderers.told([siteTag(site)]),
    audit('site-redirect', id, { details: { site } }),
  ]);
}

/**
 * Where a path of a site leads that is no page: by a redirect of the site, by one of the content, or by what was there before.
 * 404 where nowhere.
 */
export async function findRedirect(
  rules: PublishingRules,
  { call, caller }: Looking,
  id: string,
  { source, shareKey }: { source: string; shareKey?: string | undefined },
): Promise<{ redirect: SiteRedirect; target: string }> {
  const site = await siteOf(rules.store, id);
  if (shareKey !== undefined) await activeShareKey(rules.store, id, shareKey);
  const visitor = caller.kind === 'content' ? caller : undefined;
  const seen = await rules.visible.seenBy(site, visitor?.claims ?? {});
  const shown: Seen = visitor ? seen : { ...seen, structure: seen.whole, hidden: new Set() };
  const located = locate(shown, segmentsOf(source));
  const find = ({ placed, rest }: Target) => {
    const asked = { space: placed.variant.space, path: pathOf({ rest }) };
    return call(findPage, visitor ? { ...asked, claims: visitor.claims } : asked);
  };
  const at = located && (await find(located));
  const found =
    located && at?.page
      ? located.naming && automatic(source, located, at.page)
      : ((await stored(rules, caller, shown, id, source)) ??
        (located && at?.redirect
          ? ofContent(source, located, at.redirect)
          : await former(shown, located, source, find)));
  if (!found) throw notFound('Site redirect');
  const organization = await organizationOf({ call }, site.organization);
  const key = shareKey ?? visitor?.shareKey;
  const addressOf = await addressesOf(rules, { site, organization }, seen.whole, { ...visitor, shareKey: key });
  return { redirect: found.redirect, target: addressOf(found) + fragmentOf(found) };
}

const pathOf = ({ rest }: Pick<Target, 'rest'>) => rest.map(readable).join('/');

type Found = Target & { redirect: SiteRedirect; anchor?: string | undefined };

const fragmentOf = ({ anchor }: Found) => (anchor === undefined ? '' : `#${encodeURIComponent(anchor)}`);

/** A redirect that nobody made: the part of the site is elsewhere now, or needs no name. */
function automatic(source: string, { placed, rest }: Target, page: FoundPage | undefined): Found {
  const siteSpaceId = placed.variant.id;
  const destination: RedirectDestination =
    page && rest.length > 0 ? { kind: 'site-page', siteSpaceId, pageId: page.id } : { kind: 'site-space', siteSpaceId };
  return { placed, rest, redirect: { object: 'site-redirect', id: siteSpaceId, source, destination } };
}

/** A redirect that comes with the content of a space. */
function ofContent(source: string, { placed }: Target, { anchor, ...page }: FoundPage & { anchor?: string }): Found {
  const rest = segmentsOf(page.path).map(encodeURIComponent);
  return { ...automatic(source, { placed, rest }, page), anchor };
}

async function stored(
  rules: PublishingRules,
  caller: Looking['caller'],
  { structure }: Seen,
  site: string,
  source: string,
): Promise<Found | null> {
  const found = await rules.store.findOne(redirects, { site, key: keyOf(source) });
  const target = found && (await targetOf(rules, caller, structure, found.destination));
  return target && { ...target, redirect: present(found) };
}

async function former(
  seen: Seen,
  located: Located | null,
  source: string,
  find: (target: Target) => Promise<{ page?: FoundPage } | null>,
): Promise<Found | null> {
  if (!located) return null;
  const renamed = formerTarget(seen, located);
  if (renamed) return automatic(source, renamed, (await find(renamed))?.page);
  for (const start of formerStarts(seen, located)) {
    const page = (await find(start))?.page;
    if (page) return automatic(source, start, page);
  }
  return null;
}
