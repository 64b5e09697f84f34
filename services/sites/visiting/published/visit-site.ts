import type { Context } from '../../../../shared/contract/service.js';
import { sha256 } from '../../../../shared/values/ids.js';
import type { SiteVisit, VisitSite } from '../../contract.js';
import { type ResolvesURLs, resolveURL } from '../resolve.js';
import { type PresentsSites, publishedSite } from './published-site.js';

/** Answers all that the reader needs of sites for one URL: where it leads, as whom to read there, and the site unless the reader has it. */
export async function visitSite(
  deps: ResolvesURLs & PresentsSites,
  { url, visitor: input, known }: VisitSite,
  { call, caller }: Context,
): Promise<SiteVisit> {
  const resolved = await resolveURL(deps, { call, caller, body: { url, redirectOnError: true, visitor: input } });
  if ('redirect' in resolved) return resolved;
  const { shown, visitor, site } = resolved;
  const published = await publishedSite(deps, { call, caller: visitor, site });
  const key = sha256(JSON.stringify(published)).slice(0, 24);
  return { shown, visitor, key, ...(known === key ? {} : { site: published }) };
}
