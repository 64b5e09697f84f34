import { type AuditTrail, auditBySystem } from '../../shared/contract/audit.js';
import type { Subscribers } from '../../shared/contract/event.js';
import type { HasStore } from '../../shared/store/port.js';
import {
  changeRequestArchived,
  changeRequestMerged,
  changeRequestUpdated,
  contentChanged,
  fontChanged,
  openAPISpecChanged,
  spaceDeleted,
  spaceTransferred,
  spaceUpdated,
} from '../content/events.js';
import { domainChanged, memberRemoved, teamRemoved } from '../identity/events.js';
import { integrationChanged, siteScriptsChanged } from './events.js';
import { dropSiteGrants } from './permissions/dropped.js';
import { type HasRenderers, integrationTag, specTag } from './renderers/renderers.js';
import { removeSpace, revalidateChangeRequests, revalidateSpaces } from './sections/shown-spaces.js';
import type { HasDomainOwners } from './site/domain-owners.js';
import { revalidateDomain, revalidateSites } from './sites/revalidation.js';
import type { HasStructures } from './structure/structures.js';

/** The events that sites consumes. */
export const sitesConsumes = {
  contentChanged,
  changeRequestUpdated,
  changeRequestMerged,
  changeRequestArchived,
  spaceUpdated,
  spaceTransferred,
  spaceDeleted,
  domainChanged,
  fontChanged,
  memberRemoved,
  teamRemoved,
  openAPISpecChanged,
  integrationChanged,
  siteScriptsChanged,
};

/** Reacts to these events: renderers revalidate what changed, deleted spaces are removed from sites. */
export function sitesSubscribers(
  deps: HasStore & HasRenderers & HasStructures & HasDomainOwners,
  trail: AuditTrail,
): Subscribers<typeof sitesConsumes> {
  const revalidate = (changed: { organization: string; space: string }[]) => revalidateSpaces(deps, changed);
  const revalidateRequests = (changed: { organization: string; space: string; changeRequest: string }[]) =>
    revalidateChangeRequests(deps, changed);
  const revalidateTags = async (tags: string[]) => {
    if (deps.renderers.any) await deps.store.batch(deps.renderers.revalidate(tags));
  };
  return {
    contentChanged: revalidate,
    spaceUpdated: revalidate,
    changeRequestUpdated: revalidateRequests,
    changeRequestMerged: revalidateRequests,
    changeRequestArchived: revalidateRequests,
    openAPISpecChanged: (changed) => revalidateTags(changed.map((each) => specTag(each.organization, each.slug))),
    integrationChanged: (changed) => revalidateTags(changed.map(({ integration }) => integrationTag(integration))),
    siteScriptsChanged: (changed) => revalidateSites(deps, changed),
    fontChanged: (changed) =>
      revalidateSites(
        deps,
        changed.map(({ organization }) => ({ organization })),
      ),
    async domainChanged(changed) {
      for (const each of changed) await revalidateDomain(deps, each);
    },
    /** No site showed the space when it was transferred: one that came to show it at the same time shows it no more. */
    async spaceTransferred(transferred) {
      for (const { from: organization, space } of transferred) {
        const audit = auditBySystem(trail, { operation: 'transferSpace', organization });
        await removeSpace(deps, { organization, space, audit });
      }
    },
    async memberRemoved(removals) {
      for (const { organization, user: id, removedAt: before } of removals)
        await dropSiteGrants(deps, { organization, principal: 'user', id, before });
    },
    async teamRemoved(removals) {
      for (const { organization, team: id, removedAt: before } of removals)
        await dropSiteGrants(deps, { organization, principal: 'team', id, before });
    },
    async spaceDeleted(deleted) {
      for (const { organization, space } of deleted) {
        const audit = auditBySystem(trail, { operation: 'purgeSpace', organization });
        await removeSpace(deps, { organization, space, audit });
      }
    },
  };
}
