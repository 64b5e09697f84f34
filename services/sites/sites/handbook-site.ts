import { resolveAccess } from '../../../shared/contract/access.js';
import { type AuditTrail, auditBySystem } from '../../../shared/contract/audit.js';
import type { Context } from '../../../shared/contract/service.js';
import { again } from '../../../shared/store/again.js';
import type { HasStore } from '../../../shared/store/port.js';
import { newId } from '../../../shared/values/ids.js';
import { spaceKind } from '../../content/resources.js';
import type { PublishHandbook } from '../../identity/contract.js';
import { administers } from '../sections/shown-content.js';
import type { HasDomainOwners } from '../site/domain-owners.js';
import { type SiteDocument, sites } from '../site/model.js';
import { type HasConfig, publishedURL, publisherOf } from '../site/urls.js';
import { addSiteSpace } from '../structure/rules.js';
import { emptyStructure } from '../structure/structure.js';
import { makeSite } from './new-site.js';

type Dependencies = HasStore & HasConfig & HasDomainOwners & { trail: AuditTrail };
type Asked = Pick<Context, 'call' | 'caller'>;

const title = 'Bindery handbook';
const slug = 'handbook';

/** Makes the site of the handbook unless it is there, and tells its address. Safe to repeat. */
export async function publishHandbookSite(
  deps: Dependencies,
  handbook: PublishHandbook,
  { call, caller }: Asked,
): Promise<string | null> {
  const { store, config } = deps;
  const { organization, space, site: id } = handbook;
  const attempt = async () => {
    const [found, [access]] = await Promise.all([
      store.get(sites, id),
      call(resolveAccess(spaceKind), { caller, ids: [space] }),
    ]);
    if (found) return found;
    const isThere = administers(access) && access?.organization === organization && access.state === 'active';
    return isThere ? insertSite(deps, handbook) : null;
  };
  const site = await again(attempt, { duplicates: true });
  return site && publishedURL(config, { site, publisher: publisherOf(deps, { call, organization }) });
}

/**
 * Nobody is told that the site was published: that would start the analytics engine, which takes memory that a server needs only once
 * somebody visits a site.
 */
async function insertSite(
  { store, trail }: Dependencies,
  { organization, space, site: id }: PublishHandbook,
): Promise<SiteDocument> {
  const structure = emptyStructure();
  addSiteSpace(structure, null, { id: newId(), space }, slug);
  const { site, writes } = await makeSite(store, {
    id,
    organization,
    type: 'basic',
    title,
    slug,
    visibility: 'public',
    published: true,
    structure,
  });
  const audit = auditBySystem(trail, { operation: 'createSite', organization });
  await store.batch([...writes, audit('site', id, { details: { title } })]);
  return site;
}
