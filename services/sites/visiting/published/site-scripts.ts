import type { Call } from '../../../../shared/contract/service.js';
import type { Log } from '../../../../shared/monitoring/log.js';
import { scriptsOfSite } from '../../contract.js';
import type { SiteDocument } from '../../site/model.js';
import type { IntegrationScript } from '../resources.js';

/** Milliseconds. A site is shown without scripts rather than late. */
const patience = 2_000;

/** The scripts that integrations add to the pages of a site; none while the integrations service does not answer. */
export async function scriptsFor(
  { callAsSystem, log }: { log: Log; callAsSystem: (timeout: number) => Call },
  { _id: site, organization }: Pick<SiteDocument, '_id' | 'organization'>,
): Promise<IntegrationScript[]> {
  try {
    return await callAsSystem(patience)(scriptsOfSite, { organization, site });
  } catch (err) {
    log.warn({ err, site }, 'integrations did not answer; a site is shown without their scripts');
    return [];
  }
}
