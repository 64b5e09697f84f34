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
import { usedDomainWrites } from '../domains/claims.js';
import { domainOwners } from '../domains/owners.js';
import { checkUnscoped, scopeOf, userOf } from '../users/acting-user.js';
import { users } from '../users/model.js';
import { domainOf, lowerDomains } from './email-domains.js';
import { hostnameTaken, hostnameWrites } from './hostnames.js';
import { stillAdmin } from './memberships.js';
import {
  members,
  type OrganizationDocument,
  organizations,
  presentOrganization,
  samlProviders,
  subdomains,
} from './model.js';
import { newOrganization, organizationOf } from './organizations.js';
import { emailDomainSchema } from './resources.js';
import { activeProviders } from './single-sign-on.js';

/** Throws 403 for a caller who may not create organizations on this installation. */
async function checkMayCreate(
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
      await checkMayCreate(deps, caller);
      const creator = await store.get(users, userOf(caller));
      if (!creator) throw notFound('User');
      const { organization, writes } = newOrganization({ ...body, creator });
      const { _id: id, title } = organization;
      await store.batch([
        ...writes,
        ...(await usedDomainWrites(deps, { organization: id, domains: organization.emailDomains })),
        audit('organization', id, { organization: id, details: { title } }),
        callersChanged(),
      ]);
      return presentOrganization(baseUrl, organization, { role: 'admin', owned: [] });
    },

    // In the order in which the user joined them.
    listOrganizationsForAuthenticatedUser({ query }, { caller }) {
      const scope = scopeOf(caller);
      const list = {
        filter: { user: userOf(caller), disabled: false, ...(scope === undefined ? {} : { organization: scope }) },
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
      const organization = await organizationOf(store, organizationId);
      return presentOrganization(baseUrl, organization, membershipOf(caller, organizationId) ?? { role, owned: [] });
    },

    async updateOrganizationById({ path: { organizationId: id }, body }, { call, caller, audit }) {
      const { defaultContent, emailDomains, sso } = body;
      if (defaultContent && !(await call(hasSite, { organization: id, site: defaultContent.site })))
        throw invalid('defaultContent.site: no such site in this organization');
      const wanted = { ...body, ...(emailDomains ? { emailDomains: lowerDomains(emailDomains) } : {}) };
      const updated = await again(async () => {
        const before = await organizationOf(store, id);
        const [provider] = sso ? await activeProviders(store, id) : [];
        if (sso && !provider)
          throw invalid('sso: requires an active SAML provider first; without one only admins could sign in');
        const changes = changesOf<OrganizationDocument>(before, wanted, { nullable: ['defaultRole'] });
        if (!changes) return before;
        const { hostname, emailDomains: domains } = changes.after;
        const renamed =
          hostname && hostname !== before.hostname
            ? await hostnameWrites(store, { organization: before, hostname })
            : [];
        const added = domains.filter((domain) => !before.emailDomains.includes(domain));
        const providerRemains = provider ? [write.check(samlProviders, { _id: provider._id }, 1)] : [];
        await store
          .batch([
            ...(await stillAdmin(store, id, caller)),
            ...renamed,
            ...providerRemains,
            ...(await usedDomainWrites(deps, { organization: id, domains: added })),
            write.update(organizations, { _id: id }, changes.update, { expect: 1 }),
            audit('organization', id, { details: changes.details }),
            callersChanged(),
          ])
          .catch(hostnameTaken);
        return changes.after;
      });
      return presentOrganization(baseUrl, updated, membershipOf(caller, id));
    },

    async getOrganizationsForEmailDomain({ path }, { caller }) {
      const domain = safeParse(emailDomainSchema, path.emailDomain);
      if (!domain.success) throw invalid(`emailDomain: ${domain.error.issues[0]?.message}`);
      const emailDomain = domain.data.toLowerCase();
      const user = await store.get(users, userOf(caller));
      const { [emailDomain]: owners = [] } = await domainOwners(deps, { domains: [emailDomain] });
      const open = (await store.getMany(organizations, owners)).filter((each) =>
        each.emailDomains.includes(emailDomain),
      );
      const mayJoin = scopeOf(caller) === undefined && domainOf(user?.email ?? '') === emailDomain;
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
