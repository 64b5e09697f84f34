import type { Call } from '../../../shared/contract/service.js';
import type { Write } from '../../../shared/store/port.js';
import type { SitesDependencies } from '../dependencies.js';
import { hostTag, siteTag } from '../renderers/renderers.js';
import type { SiteDocument } from '../site/model.js';
import { organizationOf, siteURL } from '../site/urls.js';

/** The writes that make renderers revalidate a site and its hosts, those before and after a change. */
export async function revalidateSite(
  { config, renderers }: Pick<SitesDependencies, 'config' | 'renderers'>,
  { call, states }: { call: Call; states: [SiteDocument, ...SiteDocument[]] },
): Promise<Write[]> {
  if (!renderers.any) return [];
  const [{ _id, organization: id }] = states;
  const organization = organizationOf(call, id);
  const urls = await Promise.all(
    states.flatMap((site) => [
      siteURL(config, { site, organization }),
      ...(site.proxy ? [`https://${site.proxy}/`] : []),
    ]),
  );
  return renderers.revalidate([siteTag(_id), ...urls.map((url) => hostTag(new URL(url).hostname))]);
}
