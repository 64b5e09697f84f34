import { z } from 'zod';
import type { ResourceKind } from '../../../shared/contract/access.js';
import { timestampSchema, urlSchema } from '../../../shared/contract/fields.js';
import { spaceSchema } from '../../content/resources.js';
import { roles } from '../../identity/resources.js';
import { siteSchema } from '../../sites/resources.js';
import { publicEndpoints } from '../catalogue/resources.js';

const installers = ['admin', 'create'] as const;

/**
 * The rights on an installation, by the role in its organization; `integration` and `installation` are callers with a token of its
 * integration or of itself. An `installer` has the role `create`, but does not administer everything that the installation covers: it installs
 * on what it does administer, and neither reads the configuration, which may hold secrets, nor changes it.
 */
export const installationKind = {
  service: 'integrations',
  name: 'installation',
  label: 'Installation',
  rights: {
    view: [...roles, 'installer', 'integration', 'installation'],
    install: [...installers, 'installer', 'integration', 'installation'],
    read: [...installers, 'integration', 'installation'],
    configure: [...installers, 'integration', 'installation'],
    uninstall: installers,
    issueToken: ['integration'],
  },
} satisfies ResourceKind<string>;

export const installationStatuses = ['active', 'pending', 'paused'] as const;
export type InstallationStatus = (typeof installationStatuses)[number];
export const selections = ['all', 'selected'] as const;

export const externalIdsSchema = z.array(z.string().min(1).max(256)).max(5).meta({
  description: 'Names of the installation in the other product, by which the integration finds it again.',
});
/** Free-form: properties that the integration declares are checked against their types. */
export const installationConfigurationSchema = z.record(z.string().max(200), z.unknown());
export type InstallationConfiguration = z.output<typeof installationConfigurationSchema>;

export const installationSchema = z
  .object({
    id: z.string(),
    status: z.enum(installationStatuses).meta({
      description: '`pending` until the configuration has what the integration requires.',
    }),
    space_selection: z.enum(selections),
    site_selection: z.enum(selections),
    spaces: z.number().int().meta({ description: 'The number of spaces that it is installed on.' }),
    configuration: installationConfigurationSchema,
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    urls: z.object({ location: urlSchema, app: urlSchema, ...publicEndpoints }),
    externalIds: externalIdsSchema,
    target: z.object({ organization: z.string() }),
  })
  .meta({ id: 'IntegrationInstallation' });
export type Installation = z.output<typeof installationSchema>;

const contentInstallation = {
  integration: z.string(),
  installation: z.string(),
  status: z.enum(installationStatuses),
  configuration: installationConfigurationSchema,
  externalIds: externalIdsSchema,
  urls: z.object({ location: urlSchema, ...publicEndpoints }),
};

export const spaceInstallationSchema = z
  .object({
    ...contentInstallation,
    space: z.union([z.string(), spaceSchema]).meta({ description: 'Its id; with `extended`, the space.' }),
  })
  .meta({ id: 'IntegrationSpaceInstallation' });
export type SpaceInstallation = z.output<typeof spaceInstallationSchema>;

export const siteInstallationSchema = z
  .object({
    ...contentInstallation,
    site: z.union([z.string(), siteSchema]).meta({ description: 'Its id; with `extended`, the site.' }),
  })
  .meta({ id: 'IntegrationSiteInstallation' });
export type SiteInstallation = z.output<typeof siteInstallationSchema>;
