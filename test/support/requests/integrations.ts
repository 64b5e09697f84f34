import lz from 'lz-string';
import { eventually } from '../../../shared/testing/eventually.js';
import { newOrganization, newSpace } from '../fixtures.js';
import { at, freeName, published } from '../integrations.js';
import { done, idOf, type Make, once, type Particulars, type Resources } from './setting.js';
import { freshSite } from './sites.js';

/** Public, so that everybody sees it. */
const freshIntegration: Make = ({ admin, organization }) =>
  published(admin, organization, { visibility: 'public', scopes: ['space:content:read', 'site:script:inject'] });
const anyIntegration = once(freshIntegration);

/** Installs an integration in the organization of the setting. */
const installed =
  (integration: Make): Make =>
  async (setting, caller) => {
    const { admin, organization } = setting;
    return idOf(admin.post(`${at(await integration(setting, caller))}/installations`, { organization }));
  };
const anyInstallation = once(installed(anyIntegration));

/** Makes something anew for each request of a caller, and lets the parameters after it know. */
function remembered(make: Make): { make: Make; latest: Make } {
  const made = new Map<string, string>();
  return {
    async make(setting, caller) {
      const value = await make(setting, caller);
      made.set(caller.id, value);
      return value;
    },
    latest: async (_, caller) => made.get(caller.id) ?? '',
  };
}
const own = remembered(freshIntegration);

/** The path of the installation that all samples read. */
const atInstallation = async (...[setting, caller]: Parameters<Make>) =>
  `${at(await anyIntegration(setting, caller))}/installations/${await anyInstallation(setting, caller)}`;

const freshSpace: Make = ({ admin, organization }) => newSpace(admin, organization);

const withSpace: Make = async (setting, caller) => {
  const space = await freshSpace(setting, caller);
  await done(setting.admin.post(`${await atInstallation(setting, caller)}/spaces`, { space }));
  return space;
};
const withSite: Make = async (setting, caller) => {
  const siteId = await freshSite(setting, caller);
  await done(setting.admin.post(`${await atInstallation(setting, caller)}/sites`, { siteId }));
  return siteId;
};
const anySpace = once(withSpace);
const anySite = once(withSite);

/** The event of the installation itself, once it was tried: one that waits for its first attempt is not sent again. */
const sentEvent: Make = async (setting, caller) => {
  const path = `${await atInstallation(setting, caller)}/events`;
  const event = await eventually(
    'an attempt to send the event of the installation',
    async () => (await done(setting.admin.get(path))).items[0],
    (first) => first?.attempts > 0,
  );
  return event.id;
};

/** An organization of the caller's own, in which the caller may do everything. */
const ownOrganization: Make = (_, { client }) => newOrganization(client);
const inOwnOrganization: Particulars['body'] = async (example, setting, caller) => ({
  ...example,
  organization: await ownOrganization(setting, caller),
});

/** The integration is shown where the caller has installed it. */
const rendering = async (...[setting, caller]: Parameters<Make>) => {
  const organizationId = await ownOrganization(setting, caller);
  const path = `${at(await anyIntegration(setting, caller))}/installations`;
  await done(caller.client.post(path, { organization: organizationId }));
  return { componentId: 'hello', props: {}, context: { type: 'configuration_account', organizationId } };
};

const tunnel = { tunnelUrl: 'https://tunnel.example.com' };

export const integrations: Resources = {
  parameters: {
    integrationName: { any: anyIntegration, fresh: freshIntegration },
    installationId: { any: anyInstallation },
    eventId: { any: sentEvent },
  },
  particulars: {
    publishIntegration: { use: { integrationName: async () => freeName() }, body: inOwnOrganization },
    disableIntegrationDevelopmentMode: {
      use: {
        async integrationName(setting, caller) {
          const name = await freshIntegration(setting, caller);
          await done(setting.admin.put(`${at(name)}/dev`, tunnel));
          return name;
        },
      },
    },
    installIntegration: { body: inOwnOrganization },
    getOrganizationIntegrationStatus: {
      use: {
        async integrationName(setting, caller) {
          await anyInstallation(setting, caller);
          return anyIntegration(setting, caller);
        },
      },
    },
    uninstallIntegration: { use: { integrationName: own.make, installationId: installed(own.latest) } },
    createIntegrationInstallationToken: { use: { integrationName: anyIntegration } },
    installIntegrationOnSpace: {
      body: async (_, setting, caller) => ({ space: await freshSpace(setting, caller) }),
    },
    getIntegrationSpaceInstallation: { use: { spaceId: anySpace } },
    updateIntegrationSpaceInstallation: { use: { spaceId: anySpace } },
    uninstallIntegrationFromSpace: { use: { spaceId: withSpace } },
    installIntegrationOnSite: {
      body: async (_, setting, caller) => ({ siteId: await freshSite(setting, caller) }),
    },
    getIntegrationSiteInstallation: { use: { siteId: anySite } },
    updateIntegrationSiteInstallation: { use: { siteId: anySite } },
    uninstallIntegrationFromSite: { use: { siteId: withSite } },
    renderIntegrationUIWithPost: {
      use: { integrationName: anyIntegration },
      body: (_, setting, caller) => rendering(setting, caller),
    },
    renderIntegrationUIWithGet: {
      async query(setting, caller) {
        const request = lz.compressToEncodedURIComponent(JSON.stringify(await rendering(setting, caller)));
        return `request=${encodeURIComponent(request)}`;
      },
    },
  },
};
