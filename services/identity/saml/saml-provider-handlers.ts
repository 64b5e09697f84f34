import type { Context, HandlersOf } from '../../../shared/contract/service.js';
import { listPage } from '../../../shared/lists/paging.js';
import { again } from '../../../shared/store/again.js';
import { changesOf } from '../../../shared/store/changes.js';
import { type HasStore, type Write, write } from '../../../shared/store/port.js';
import { newId, timestamp } from '../../../shared/values/ids.js';
import type { samlProviderOperations } from '../contract/saml.js';
import { stillAdminChecks } from '../organizations/memberships.js';
import { type SamlProviderDocument, samlProviders } from '../organizations/model.js';
import { findActiveProviders, isActiveProvider, signInStartURL } from '../organizations/single-sign-on.js';
import { addedProviderWrite, checkProviderEnd, removedProviderWrite } from '../single-sign-on/provider-settings.js';
import type { SamlProvider } from './resources.js';
import { auditedSettings, checkProviderSettings, findProvider, presentProviders } from './saml-providers.js';

export function samlProviderHandlers(
  deps: HasStore & { baseUrl: string; callersChanged: () => Write },
): HandlersOf<typeof samlProviderOperations> {
  const { store, baseUrl, callersChanged } = deps;
  const presentOne = async (context: Context, provider: SamlProviderDocument): Promise<SamlProvider> => {
    const { organization } = provider;
    return (await presentProviders(deps, { context, organization, items: [provider] }))[0] as SamlProvider;
  };
  return {
    // In order of creation.
    listSAMLProvidersInOrganizationById({ path: { organizationId: organization }, query: request }, context) {
      const list = { filter: { organization }, sort: { createdAt: 1 } as const, request };
      return listPage(store, samlProviders, list, (items) => presentProviders(deps, { context, organization, items }));
    },

    async createOrganizationSAMLProvider({ path: { organizationId: organization }, body }, context) {
      const { label, entityID, certificate, ssoURL, defaultTeam, defaultRole = null } = body;
      const settings = {
        label,
        defaultRole,
        ...(entityID ? { entityID } : {}),
        ...(certificate ? { certificate } : {}),
        ...(ssoURL ? { ssoURL } : {}),
        ...(defaultTeam ? { defaultTeam } : {}),
      };
      const provider = { _id: newId(), organization, ...settings, createdAt: timestamp() };
      await again(async () => {
        const conditions = await checkProviderSettings(store, { organization, settings: body });
        const counted = await addedProviderWrite(store, organization);
        await store.batch([
          ...(await stillAdminChecks(store, organization, context.caller)),
          counted,
          ...conditions,
          write.insert(samlProviders, provider),
          context.audit('saml-provider', provider._id, { details: auditedSettings(settings) }),
        ]);
      });
      return presentOne(context, provider);
    },

    async getOrganizationSAMLProviderById({ path: { organizationId: organization, samlProviderId: id } }, context) {
      return presentOne(context, await findProvider(store, { organization, id }));
    },

    async updateOrganizationSAMLProvider(
      { path: { organizationId: organization, samlProviderId: id }, body },
      context,
    ) {
      const updated = await again(async () => {
        const provider = await findProvider(store, { organization, id });
        const conditions = await checkProviderSettings(store, { organization, settings: body });
        const changes = changesOf<SamlProviderDocument>(provider, body, { nullable: ['defaultRole'] });
        if (!changes) return provider;
        await store.batch([
          ...(await stillAdminChecks(store, organization, context.caller)),
          ...conditions,
          write.update(samlProviders, { _id: id, organization }, changes.update, { expect: 1 }),
          context.audit('saml-provider', id, { details: auditedSettings(changes.details) }),
        ]);
        return changes.after;
      });
      return presentOne(context, updated);
    },

    async deleteOrganizationSAMLProvider(
      { path: { organizationId: organization, samlProviderId: id } },
      { audit, caller },
    ) {
      await again(async () => {
        const provider = await findProvider(store, { organization, id });
        await store.batch([
          ...(await stillAdminChecks(store, organization, caller)),
          ...(isActiveProvider(provider) ? [await checkProviderEnd(store, provider)] : []),
          write.delete(samlProviders, { _id: id, organization }, { expect: 1 }),
          removedProviderWrite(organization),
          audit('saml-provider', id, { details: { label: provider.label } }),
          callersChanged(),
        ]);
      });
    },

    async listSSOProviderLoginsInOrganization({ path: { organizationId } }) {
      const providers = await findActiveProviders(store, organizationId);
      return {
        items: providers.map(({ kind, id, label }) => ({ id, label, startURL: signInStartURL(baseUrl, { kind, id }) })),
      };
    },
  };
}
