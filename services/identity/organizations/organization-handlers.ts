import { type Caller, membershipOf } from '../../../shared/contract/caller.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import { forbidden, invalid, notFound } from '../../../shared/errors/errors.js';
import { listPage } from '../../../shared/lists/paging.js';
import type { HasConfig } from '../../../shared/settings/config.js';
import { again } from '../../../shared/store/again.js';
import { changesOf } from '../../../shared/store/changes.js';
import { type HasStore, type Write, write } from '../../../shared/store/port.js';
import { safeParse } from '../../../shared/text/schema-messages.js';
import type { organizationOperations } from '../contract/organizations.js';
import { hasSite } from '../contract.js';
import { claimUsedDomainWrites } from '../domains/claims.js';
import { domainOwners } from '../domains/owners.js';
import { actingTokenScope, actingUserId, checkUnscoped } from '../users/acting-user.js';
import { users } from '../users/model.js';
import { domainOfEmail, lowerCaseDomains } from './email-domains.js';
import { hostnameWrites, rethrowHostnameTaken } from './hostnames.js';
import { stillAdminChecks } from './memberships.js';
import { members, type OrganizationDocument, organizations, presentOrganization, subdomains } from './model.js';
import { findOrganizationById, newOrganization } from './organizations.js';
import { emailDomainSchema } from './resources.js';
import { findActiveProviders, remainsActiveCheck } from './single-sign-on.js';

/** Throws 403 for a caller who may not create organizations on this installation. */
async function checkMayCreateOne(
  { config, operator }: HasConfig & { operator: () => Promise<string | null> },
  caller: Caller,
): Promise<void> {
  checkUnscoped(caller);
  if (config.ORGANIZATION_CREATION === 'everybody') return;
  const own = await operator();
  if (own === null || membershipOf(caller, own)?.role !== 'admin')
    throw forbidden('Only admins of the first organization may create organizations here', 'missing_right');
}

export const organizationHandlers = (
  deps: HasConfig & HasStore & { baseUrl: string; operator: () => Promise<string | null>; callersChanged: () => Write },
): HandlersOf<typeof organizationOperations> => {
  const { store, baseUrl, callersChanged } = deps;
  return {
    async createOrganization({ body }, { caller, audit }) {
      await checkMayCreateOne(deps, caller);
      const creator = await store.get(users, actingUserId(caller));
      if (!creator) throw notFound('User');
      const { organization, writes } = newOrganization({ ...body, creator });
      const { _id: id, title } = organization;
      await store.batch([
        ...writes,
        ...(await claimUsedDomainWrites(deps, { organization: id, domains: organization.emailDomains })),
        audit('organization', id, { organization: id, details: { title } }),
        callersChanged(),
      ]);
      return presentOrganization(baseUrl, organization, { role: 'admin', owned: [] });
    },

    // In the order in which the user joined them.
    listOrganizationsForAuthenticatedUser({ query }, { caller }) {
      const scope = actingTokenScope(caller);
      const list = {
        filter: {
          user: actingUserId(caller),
          disabled: false,
          ...(scope === undefined ? {} : { organization: scope }),
        },
        sort: { joinedAt: 1 } as const,
        request: query,
      };
      return listPage(store, members, list, async (items) => {
        const memberIn = new Map(items.map((member) => [member.organization, member]));
        const found = await store.getMany(organizations, [...memberIn.keys()]);
        return found.map((organization) => presentOrganization(baseUrl, organization, memberIn.get(organization._id)));
      });
    },

    async getOrganizationById({ path: { organizationId } }, { caller, access: { role } }) {
      const organization = await findOrganizationById(store, organizationId);
      return presentOrganization(baseUrl, organization, membershipOf(caller, organizationId) ?? { role, owned: [] });
    },

    async updateOrganizationById({ path: { organizationId: id }, body }, { call, caller, audit }) {
      const { defaultContent, emailDomains, sso } = body;
      if (defaultContent && !(await call(hasSite, { organization: id, site: defaultContent.site })))
        throw invalid('defaultContent.site: no such site in this organization');
      const wanted = { ...body, ...(emailDomains ? { emailDomains: lowerCaseDomains(emailDomains) } : {}) };
      const updated = await again(async () => {
        const before = await findOrganizationById(store, id);
        const [provider] = sso ? await findActiveProviders(store, id) : [];
        if (sso && !provider)
          throw invalid('sso: requires an active provider first; without one only admins could sign in');
        const changes = changesOf<OrganizationDocument>(before, wanted, { nullable: ['defaultRole'] });
        if (!changes) return before;
        const { hostname, emailDomains: domains } = changes.after;
        const renamed =
          hostname && hostname !== before.hostname
            ? await hostnameWrites(store, { organization: before, hostname })
            : [];
        const added = domains.filter((domain) => !before.emailDomains.includes(domain));
        const providerRemains = provider ? [remainsActiveCheck(provider)] : [];
        await store
          .batch([
            ...(await stillAdminChecks(store, id, caller)),
            ...renamed,
            ...providerRemains,
            ...(await claimUsedDomainWrites(deps, { organization: id, domains: added })),
            write.update(organizations, { _id: id }, changes.update, { expect: 1 }),
            audit('organization', id, { details: changes.details }),
            callersChanged(),
          ])
          .catch(rethrowHostnameTaken);
        return changes.after;
      });
      return presentOrganization(baseUrl, updated, membershipOf(caller, id));
    },

    async getOrganizationsForEmailDomain({ path }, { caller }) {
      const domain = safeParse(emailDomainSchema, path.emailDomain);
      if (!domain.success) throw invalid(`emailDomain: ${domain.error.issues[0]?.message}`);
      const emailDomain = domain.data.toLowerCase();
      const user = await store.get(users, actingUserId(caller));
      const { [emailDomain]: owners = [] } = await domainOwners(deps, { domains: [emailDomain] });
      const open = (await store.getMany(organizations, owners)).filter((each) =>
        each.emailDomains.includes(emailDomain),
      );
      const mayJoin = actingTokenScope(caller) === undefined && domainOfEmail(user?.email ?? '') === emailDomain;
      const shown = open.filter(({ _id }) => mayJoin || membershipOf(caller, _id));
      return {
        organizations: shown.map((organization) =>
          presentOrganization(baseUrl, organization, membershipOf(caller, organization._id)),
        ),
      };
    },

    async getSubdomain({ path }) {
      const found = await store.get(subdomains, path.subdomain.toLowerCase());
      if (!found) throw notFound('Subdomain');
      const { _id: subdomain, organization, active: isActive } = found;
      return { object: 'subdomain', subdomain, target: { type: 'organization', organization }, isActive };
    },
  };
};
