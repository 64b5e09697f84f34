import { showReferences } from '../../content/contract.js';
import type { SiteModel } from '../parts/page-model.js';
import { type Addresses, addressesOf, type RequestPlace } from './addresses.js';
import { assetAddresses } from './asset-addresses.js';
import { pagePolicy, scriptsFolder } from './policy.js';
import type { ReaderDependencies, SiteRequest } from './reader-context.js';
import { customizationOf, referencesOf, siteModelOf } from './site-model.js';

/** Parts of those pages of a site that are no pages of content. */
export interface OpenSite {
  model: SiteModel;
  addresses: Addresses;
  headers: Record<string, string>;
}

export async function openSite(
  deps: ReaderDependencies,
  asked: RequestPlace & Pick<SiteRequest, 'visit'>,
): Promise<OpenSite> {
  const { visit, rootPath } = asked;
  const customization = customizationOf(visit);
  const refs = referencesOf(customization);
  const { visitor } = visit;
  const targets =
    refs.length > 0
      ? await deps
          .callAs(visitor)(showReferences, { visitor, refs })
          .catch(() => [])
      : [];
  const addresses = addressesOf(visit, asked);
  const assets = assetAddresses(deps.assets, { rootPath, basePath: visit.shown.basePath, customization });
  const model = await siteModelOf(visit, { addresses, assets, targets });
  const scripts = scriptsFolder(asked);
  return {
    model,
    addresses,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': pagePolicy({ scripts, customization, frames: [], foreign: [] }),
      'Cache-Control': 'private, no-cache',
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      'X-Frame-Options': 'SAMEORIGIN',
    },
  };
}
