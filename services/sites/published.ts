import type { Answer } from '../../shared/contract/operation.js';
import type { sitesContract } from './contract.js';
import { customizationsOf } from './customizations.js';
import { presentSite, viewOf } from './present.js';
import { previewURLs } from './preview.js';
import type { PublishingRules } from './publishing-rules.js';
import type { SiteStructure } from './resources.js';
import type { Looking } from './rules.js';
import { siteOf } from './sites.js';
import { presentStructure } from './sorting.js';

type PublishedSite = Answer<typeof sitesContract.getPublishedContentSite>;

/** All that shows a site: to a visitor what it sees, to users everything. */
export async function getPublishedSite(
  rules: PublishingRules,
  { call, caller }: Looking,
  id: string,
  given?: string,
): Promise<PublishedSite> {
  const site = await siteOf(rules.store, id);
  const visitor = caller.kind === 'content' ? caller : undefined;
  const view = await viewOf(rules, { call }, site, given ?? visitor?.shareKey);
  if (visitor) view.structure = (await rules.visible.seenBy(site, visitor.claims)).structure;
  if (visitor?.preview) {
    const { preview } = visitor;
    view.urls = await previewURLs(rules, { ...visitor, preview }, view.structure);
  }
  const structure = await presentStructure(rules, { call }, view);
  return {
    object: 'published-content-site',
    site: presentSite(rules, view),
    structure: visitor ? withoutConditions(structure) : structure,
    customizations: await customizationsOf(rules, id, siteSpaceIds(structure)),
    scripts: [],
  };
}

function siteSpaceIds({ structure }: SiteStructure): string[] {
  return structure.flatMap((entry) => {
    if (entry.object === 'site-space') return entry.id;
    const sections = entry.object === 'site-section' ? [entry] : entry.sections;
    return sections.flatMap(({ siteSpaces }) => siteSpaces.map(({ id }) => id));
  });
}

/** Why something is shown is no visitor's business. */
const withoutConditions = (structure: SiteStructure): SiteStructure =>
  JSON.parse(JSON.stringify(structure, (name, value) => (name === 'condition' ? undefined : value)));
