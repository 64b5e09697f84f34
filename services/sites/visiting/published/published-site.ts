import type { Caller } from '../../../../shared/contract/caller.js';
import type { Call } from '../../../../shared/contract/service.js';
import type { Log } from '../../../../shared/monitoring/log.js';
import type { SignedTokens } from '../../../../shared/secrets/signed-tokens.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { type PublishedSite, scriptsOfSite } from '../../contract.js';
import { type Customizations, customizationsOf } from '../../customization/customizations.js';
import { withPresentFonts } from '../../customization/fonts.js';
import { publishing } from '../../publishing/model.js';
import { presentStructure, viewOf } from '../../sections/presentation.js';
import { type PartOfSite, type SiteStructure, sectionsIn } from '../../sections/resources.js';
import { grantsOn } from '../../site/access.js';
import type { HasDomainOwners } from '../../site/domain-owners.js';
import type { SiteDocument } from '../../site/model.js';
import { presentSite } from '../../site/presentation.js';
import { type HasConfig, publisherOf, withCountingNames } from '../../site/urls.js';
import type { HasStructureCache } from '../../structure/structure-cache.js';
import { previewURLs } from '../preview.js';
import { signInOf } from '../resolve.js';
import type { IntegrationScript } from '../resources.js';
import type { HasVisibleSites } from '../visible-site-cache.js';

export type PresentsSites = HasStore &
  HasConfig &
  HasDomainOwners &
  HasStructureCache &
  HasVisibleSites & { log: Log; previewTokens: SignedTokens; callAsSystem: (timeout: number) => Call };

interface Asked {
  call: Call;
  caller: Caller;
  site: SiteDocument;
  shareKey?: string | undefined;
}

/** Everything that rendering a site needs: what a visitor sees of it, and all of it for a user. */
export async function publishedSite(
  deps: PresentsSites,
  { call, caller, site, shareKey }: Asked,
): Promise<PublishedSite> {
  const scripts = scriptsFor(deps, site);
  const visitor = caller.kind === 'content' ? caller : undefined;
  const view = await viewOf(deps, { call, site, shareKey: shareKey ?? visitor?.shareKey });
  if (visitor) view.structure = (await deps.visibleSites.seenBy(site, visitor.claims)).structure;
  if (visitor?.preview)
    view.urls = await previewURLs(deps, { ...visitor, preview: visitor.preview, structure: view.structure });
  const structure = await presentStructure(deps, { call, view });
  const publisher = publisherOf(deps, { call, organization: site.organization });
  const shown = visitor ? await withCountingNames(site, publisher) : site;
  return {
    object: 'published-content-site' as const,
    site: await presentSite(deps.config, {
      caller,
      given: (await grantsOn(deps.store, { caller, found: [site] })).get(site._id),
      site: shown,
      publisher,
      published: view.urls?.site ?? null,
      login: signInOf(deps, { site, known: await deps.store.get(publishing, site._id) }),
    }),
    structure: visitor ? withoutConditions(withoutEmpty(structure)) : structure,
    customizations: await shownCustomizations(deps, { call, site, shown: siteSpaceIds(structure) }),
    scripts: await scripts,
  };
}

/** The customizations of a site and of the site spaces that it shows, with the fonts of the organization as they are now. */
async function shownCustomizations(
  deps: HasStore & HasConfig,
  { call, site: { _id, organization }, shown }: { call: Call; site: SiteDocument; shown: string[] },
): Promise<Customizations> {
  const { site, siteSpaces } = await customizationsOf(deps.store, { site: _id, shown });
  const different = [...new Set([site, ...Object.values(siteSpaces)])];
  const present = await withPresentFonts(deps, { call, organization }, different);
  const presentOf = new Map(different.map((customization, at) => [customization, present[at] as typeof site]));
  const shownAs = (customization: typeof site) => presentOf.get(customization) ?? customization;
  return {
    site: shownAs(site),
    siteSpaces: Object.fromEntries(Object.entries(siteSpaces).map(([id, each]) => [id, shownAs(each)])),
  };
}

function siteSpaceIds({ structure }: SiteStructure): string[] {
  return structure.flatMap((entry) => {
    if (entry.object === 'site-space') return entry.id;
    return sectionsIn(entry).flatMap(({ siteSpaces }) => siteSpaces.map(({ id }) => id));
  });
}

/** Sections that show nothing yet, as the copy of a large space is not complete, are not for visitors to see. */
function withoutEmpty(shown: SiteStructure): SiteStructure {
  if (shown.type === 'siteSpaces') return shown;
  const isFilled = (entry: PartOfSite) => entry.object !== 'site-section' || entry.siteSpaces.length > 0;
  const structure = shown.structure.flatMap((entry): PartOfSite[] => {
    if (entry.object !== 'site-section-group') return isFilled(entry) ? [entry] : [];
    const children = entry.children.filter(isFilled);
    return children.length > 0 ? [{ ...entry, children, sections: entry.sections.filter(isFilled) }] : [];
  });
  return { ...shown, structure };
}

/** Conditions are not for visitors to see. */
const withoutConditions = (structure: SiteStructure): SiteStructure =>
  JSON.parse(JSON.stringify(structure, (name, value) => (name === 'condition' ? undefined : value)));

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
