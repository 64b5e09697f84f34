import { type OutsideTarget, showReferences } from '../../content/contract.js';
import type { PublishedSite } from '../../sites/contract.js';
import type { SiteModel } from '../parts/page-model.js';
import { type Addresses, addressesOf, type RequestPlace } from './addresses.js';
import { type AssetAddresses, assetAddresses } from './asset-addresses.js';
import { pagePolicy, scriptsFolder } from './policy.js';
import type { ReaderDependencies, SiteRequest } from './reader-context.js';
import { customizationOf, referencesOf, siteModelOf } from './site-model.js';

/** A site as its pages show it. */
export interface OpenSite {
  model: SiteModel;
  addresses: Addresses;
  assets: AssetAddresses;
  headers: Record<string, string>;
}

type Opened = RequestPlace & Pick<SiteRequest, 'visit'>;

/** Opens a site for those of its pages that are no pages of content: links of its customization lead nowhere while content is away. */
export async function openSite(deps: ReaderDependencies, asked: Opened): Promise<OpenSite> {
  const targets = await linkTargets(deps, asked).catch(() => []);
  return siteWith(deps, asked, { targets, frames: [], foreign: [] });
}

/** The targets of the links of a customization, in the order of `referencesOf`. */
export async function linkTargets(
  { callAs }: Pick<ReaderDependencies, 'callAs'>,
  { visit }: Opened,
): Promise<(OutsideTarget | null)[]> {
  const { visitor } = visit;
  const refs = referencesOf(customizationOf(visit));
  return refs.length > 0 ? callAs(visitor)(showReferences, { visitor, refs }) : [];
}

interface Held {
  targets: (OutsideTarget | null)[];
  /** Origins of frames in the page. */
  frames: readonly string[];
  /** Scripts that integrations add to the page. */
  foreign: PublishedSite['scripts'];
}

export async function siteWith(
  { assets: files }: Pick<ReaderDependencies, 'assets'>,
  asked: Opened,
  { targets, frames, foreign }: Held,
): Promise<OpenSite> {
  const { visit, rootPath } = asked;
  const customization = customizationOf(visit);
  const addresses = addressesOf(visit, asked);
  const assets = assetAddresses(files, { rootPath, basePath: visit.shown.basePath, customization });
  const model = await siteModelOf(visit, { addresses, assets, targets });
  return {
    model: { ...model, scripts: foreign.map(({ script }) => script) },
    addresses,
    assets,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': pagePolicy({ scripts: scriptsFolder(asked), customization, frames, foreign }),
      'Cache-Control': 'private, no-cache',
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      'X-Frame-Options': 'SAMEORIGIN',
    },
  };
}
