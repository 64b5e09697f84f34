import { invalid } from '../../shared/errors.js';
import { publishing } from './model-publishing.js';
import { organizationOf } from './present.js';
import type { PublishingRules } from './publishing-rules.js';
import { parseClaims } from './rison.js';
import type { Looking } from './rules.js';
import { siteOf } from './sites.js';
import { siteSpacesOf } from './structure.js';
import { publishedURLs, siteURL } from './urls.js';
import type { Claims } from './visible.js';
import { claimsOf } from './visitors.js';

/** Seconds that a preview URL counts. */
const lifetime = 3600;

/** A URL whose first segment below the site is a token. */
export async function previewURL(
  rules: PublishingRules,
  looking: Pick<Looking, 'call'>,
  id: string,
  { siteSpace, claims: given }: { siteSpace?: string | undefined; claims?: string | undefined },
): Promise<{ url: string }> {
  const site = await siteOf(rules.store, id);
  const [structure, organization, known] = await Promise.all([
    rules.structures.of(site),
    organizationOf(looking, site.organization),
    rules.store.get(publishing, id),
  ]);
  const placed = siteSpacesOf(structure).find(({ variant }) => variant.id === siteSpace);
  if (siteSpace !== undefined && !placed) throw invalid('siteSpace: no such site space on this site');
  const claims = claimsOf(known, given === undefined ? {} : parseClaims(given));
  const token = await rules.previews.sign({ site: id, claims }, lifetime);
  const start = siteURL(rules.config, site, organization);
  const shown = { ...site, published: true, visibility: 'public' as const };
  const urls = publishedURLs(rules.config, shown, organization, structure, token);
  const own = site.proxy ? `https://${site.proxy}/` : start;
  return { url: placed && urls ? start + urls.siteSpace(placed).slice(own.length) : `${start}${token}/` };
}

/** What is known of whom a preview token stands for; null for any other segment. */
export async function previewedClaims(
  { previews }: PublishingRules,
  site: string,
  segment: string,
): Promise<Claims | null> {
  if (!segment.startsWith('eyJ') || segment.split('.').length !== 3) return null;
  const payload = await previews.verify(segment);
  return payload?.site === site ? (payload.claims as Claims) : null;
}
