import type { Call } from '../../../shared/contract/service.js';
import type { HasStore } from '../../../shared/store/port.js';
import type { HasDomainOwners } from '../site/domain-owners.js';
import type { HasConfig } from '../site/urls.js';
import { findGroup, findLink, findSection, findSiteSpace } from '../structure/structure.js';
import type { HasStructureCache } from '../structure/structure-cache.js';
import type { ChangedSite } from '../structure/structures.js';
import { presentGroups, presentLinks, presentSections, presentSiteSpaces, viewAfter } from './presentation.js';
import type { SiteExternalLink, SiteSection, SiteSectionGroup, SiteSpace } from './resources.js';

interface ChangedPart {
  call: Call;
  changed: ChangedSite;
  id: string;
}

/** A section after a change of its site. */
export async function presentSection(
  deps: HasStore & HasConfig & HasDomainOwners & HasStructureCache,
  { call, changed, id }: ChangedPart,
): Promise<SiteSection> {
  const view = await viewAfter(deps, { call, changed });
  const [shown] = await presentSections(deps, { call, view, items: [findSection(changed.structure, id)] });
  return shown as SiteSection;
}

/** A section group after a change of its site. */
export async function presentGroup(
  deps: HasStore & HasConfig & HasDomainOwners & HasStructureCache,
  { call, changed, id }: ChangedPart,
): Promise<SiteSectionGroup> {
  const view = await viewAfter(deps, { call, changed });
  const [shown] = await presentGroups(deps, { call, view, items: [findGroup(changed.structure, id)] });
  return shown as SiteSectionGroup;
}

/** A site space after a change of its site. */
export async function presentSiteSpace(
  deps: HasStore & HasConfig & HasDomainOwners & HasStructureCache,
  { call, changed, id }: ChangedPart,
): Promise<SiteSpace> {
  const view = await viewAfter(deps, { call, changed });
  const [shown] = await presentSiteSpaces(deps, { call, view, items: [findSiteSpace(changed.structure, id)] });
  return shown as SiteSpace;
}

/** An external link after a change of its site. */
export async function presentLink(
  { store }: HasStore,
  { changed, id }: Omit<ChangedPart, 'call'>,
): Promise<SiteExternalLink> {
  const view = { ...changed, urls: null };
  const [shown] = await presentLinks({ store }, { view, items: [findLink(changed.structure, id)] });
  return shown as SiteExternalLink;
}
