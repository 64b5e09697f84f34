import type { HandlersOf } from '../../../../shared/contract/service.js';
import { apiError, conflict } from '../../../../shared/errors/errors.js';
import type { Config } from '../../../../shared/settings/config.js';
import type { HasStore } from '../../../../shared/store/port.js';
import type { copyingOperations } from '../../contract/visiting.js';
import { copySite } from '../../contract.js';
import type { HasDomainOwners } from '../../site/domain-owners.js';
import { isOpen, siteOf } from '../../site/model.js';
import { type HasConfig, publisherOf, visitorURL } from '../../site/urls.js';

export const copyingHandlers = (
  deps: HasStore & HasConfig & HasDomainOwners & { config: Pick<Config, 'READER'> },
): HandlersOf<typeof copyingOperations> => ({
  async exportSiteHTML({ path: { siteId }, query: { after = '0' } }, { call }) {
    const { config, store } = deps;
    if (!config.READER) throw apiError('PRECONDITION_FAILED', 'This installation shows no sites: READER is false');
    const site = await siteOf(store, siteId);
    if (!site.published) throw conflict('The site is not published', 'wrong_state');
    if (!isOpen(site))
      throw conflict(`Not everybody may visit the site: its visibility is ${site.visibility}`, 'wrong_state');
    const { organization } = site;
    const url = await visitorURL(config, { site, publisher: publisherOf(deps, { call, organization }) });
    return (await call(copySite, { url, organization, after: Number(after) })).decode();
  },
});
