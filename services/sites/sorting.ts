import { invalid } from '../../shared/errors.js';
import { presentGroups, presentSections, presentSiteSpaces, type SiteView, viewOf } from './present.js';
import type { SiteSection, SiteSectionGroup, SiteSpace, SiteStructure } from './resources.js';
import type { Acting, Looking, SiteRules } from './rules.js';
import { moveSectionGroup } from './section-groups.js';
import { moveSiteSection } from './sections.js';
import { moveSiteSpace } from './site-spaces.js';
import { siteOf } from './sites.js';
import { groupsOf, type Position, sectionsOf, siteSpacesOf } from './structure.js';

/** The whole of it, in order. */
export async function getStructure(
  rules: SiteRules,
  looking: Pick<Looking, 'call'>,
  site: string,
  shareKey?: string,
): Promise<SiteStructure> {
  return presentStructure(rules, looking, await viewOf(rules, looking, await siteOf(rules.store, site), shareKey));
}

export async function presentStructure(
  rules: SiteRules,
  looking: Pick<Looking, 'call'>,
  view: SiteView,
): Promise<SiteStructure> {
  const { structure } = view;
  if (structure.siteSpaces.items.length > 0 || structure.entries.length === 0)
    return { type: 'siteSpaces', structure: await presentSiteSpaces(rules, looking, view, siteSpacesOf(structure)) };
  const [sections, groups] = await Promise.all([
    presentSections(rules, looking, view, sectionsOf(structure)),
    presentGroups(rules, looking, view, groupsOf(structure)),
  ]);
  const byId = new Map<string, SiteSection | SiteSectionGroup>(
    [...sections, ...groups].map((entry) => [entry.id, entry]),
  );
  return { type: 'sections', structure: structure.entries.flatMap(({ id }) => byId.get(id) ?? []) };
}

interface Pointer {
  type: 'site-space' | 'site-section' | 'site-section-group';
  id: string;
}

interface PointedPosition {
  before?: Pointer | undefined;
  after?: Pointer | undefined;
}

/** The ids of a position, whatever names them. */
export function idsOf(
  position: { before?: object | undefined; after?: object | undefined } | undefined,
): Position | undefined {
  const idOf = (anchor: object | undefined) => {
    const { id, siteSection, siteSpace } = (anchor ?? {}) as Record<string, string | undefined>;
    return id ?? siteSection ?? siteSpace;
  };
  return position && { before: idOf(position.before), after: idOf(position.after) };
}

/** 400 for an anchor of a kind that the item cannot stand next to. */
export async function sortStructure(
  rules: SiteRules,
  acting: Acting,
  site: string,
  { type, id }: Pointer,
  position: PointedPosition | undefined,
): Promise<SiteSpace | SiteSection | SiteSectionGroup> {
  for (const [field, anchor] of Object.entries(position ?? {}))
    if (anchor && (anchor.type === 'site-space') !== (type === 'site-space'))
      throw invalid(`position.${field}: a ${type} cannot stand next to a ${anchor.type}`);
  const ids = idsOf(position);
  if (type === 'site-space') return moveSiteSpace(rules, acting, site, id, ids);
  if (type === 'site-section') return moveSiteSection(rules, acting, site, id, ids);
  return moveSectionGroup(rules, acting, site, id, ids);
}
