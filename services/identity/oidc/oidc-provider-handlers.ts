import type { Context, HandlersOf } from '../../../shared/contract/service.js';
import { listPage } from '../../../shared/lists/paging.js';
import type { HasSecrets } from '../../../shared/secrets/secrets.js';
import type { HasConfig } from '../../../shared/settings/config.js';
import { again } from '../../../shared/store/again.js';
import { changesOf } from '../../../shared/store/changes.js';
import { type HasStore, type Write, write } from '../../../shared/store/port.js';
import { newId, timestamp } from '../../../shared/values/ids.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { oidcProviderOperations } from '../contract/oidc.js';
import { stillAdminChecks } from '../organizations/memberships.js';
import { type OidcProviderDocument, oidcProviders, oidcSubjects } from '../organizations/model.js';
import { addedProviderWrite, checkProviderEnd, removedProviderWrite } from '../single-sign-on/provider-settings.js';
import {
  auditedOidcSettings,
  checkOidcSettings,
  findOidcProvider,
  presentOidcProviders,
  storedSettings,
} from './oidc-providers.js';
import type { OidcProvider } from './resources.js';

const defaults = {
  scopes: ['openid', 'email', 'profile'],
  groups: [],
  emailDomains: [],
  defaultRole: null,
  active: true,
};

/** Selects a provider while it is as active as it was: whether it may end depends on that. */
const asRead = ({ _id, organization, active }: OidcProviderDocument) => ({ _id, organization, active });

export function oidcProviderHandlers(
  deps: HasStore & HasConfig & HasSecrets & { baseUrl: string; callersChanged: () => Write },
): HandlersOf<typeof oidcProviderOperations> {
  const { store, callersChanged } = deps;
  const presentOne = async (context: Context, provider: OidcProviderDocument): Promise<OidcProvider> => {
    const { organization } = provider;
    return (await presentOidcProviders(deps, { context, organization, items: [provider] }))[0] as OidcProvider;
  };
  return {
    // In order of creation.
    listOrganizationOIDCProviders({ path: { organizationId: organization }, query: request }, context) {
      const list = { filter: { organization }, sort: { createdAt: 1 } as const, request };
      return listPage(store, oidcProviders, list, (items) =>
        presentOidcProviders(deps, { context, organization, items }),
      );
    },

    async createOrganizationOIDCProvider({ path: { organizationId: organization }, body }, context) {
      const { clientSecret, groupsClaim, defaultTeam, ...settings } = storedSettings(deps, body);
      const chosen = omitUndefined({
        ...defaults,
        ...omitUndefined(settings),
        clientSecret: clientSecret ?? undefined,
        groupsClaim: groupsClaim ?? undefined,
        defaultTeam: defaultTeam ?? undefined,
      });
      const { label, issuer, clientId } = body;
      const provider = { ...chosen, label, issuer, clientId, _id: newId(), organization, createdAt: timestamp() };
      await again(async () => {
        const conditions = await checkOidcSettings(deps, { organization, settings: body });
        const counted = await addedProviderWrite(store, organization);
        await store.batch([
          ...(await stillAdminChecks(store, organization, context.caller)),
          counted,
          ...conditions,
          write.insert(oidcProviders, provider),
          context.audit('oidc-provider', provider._id, { details: auditedOidcSettings(chosen) }),
        ]);
      });
      return presentOne(context, provider);
    },

    async getOrganizationOIDCProvider({ path: { organizationId: organization, oidcProviderId: id } }, context) {
      return presentOne(context, await findOidcProvider(store, { organization, id }));
    },

    async updateOrganizationOIDCProvider(
      { path: { organizationId: organization, oidcProviderId: id }, body },
      context,
    ) {
      const wanted = storedSettings(deps, body);
      const updated = await again(async () => {
        const provider = await findOidcProvider(store, { organization, id });
        const conditions = await checkOidcSettings(deps, { organization, settings: body });
        const changes = changesOf<OidcProviderDocument>(provider, wanted, { nullable: ['defaultRole'] });
        if (!changes) return provider;
        const ends = provider.active && !changes.after.active;
        await store.batch([
          ...(await stillAdminChecks(store, organization, context.caller)),
          ...conditions,
          ...(ends ? [await checkProviderEnd(store, provider)] : []),
          write.update(oidcProviders, asRead(provider), changes.update, { expect: 1 }),
          context.audit('oidc-provider', id, { details: auditedOidcSettings(changes.details) }),
          ...(ends ? [callersChanged()] : []),
        ]);
        return changes.after;
      });
      return presentOne(context, updated);
    },

    async deleteOrganizationOIDCProvider(
      { path: { organizationId: organization, oidcProviderId: id } },
      { audit, caller },
    ) {
      await again(async () => {
        const provider = await findOidcProvider(store, { organization, id });
        await store.batch([
          ...(await stillAdminChecks(store, organization, caller)),
          ...(provider.active ? [await checkProviderEnd(store, provider)] : []),
          write.delete(oidcProviders, asRead(provider), { expect: 1 }),
          write.delete(oidcSubjects, { provider: id }),
          removedProviderWrite(organization),
          audit('oidc-provider', id, { details: { label: provider.label } }),
          callersChanged(),
        ]);
      });
    },
  };
}
