import { z } from 'zod';
import { exampleId } from '../../../shared/contract/examples.js';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/lists/paging.js';
import { onOrganization } from '../../identity/resources.js';
import {
  externalIdsSchema,
  installationConfigurationSchema,
  installationSchema,
  integrationSchema,
  selections,
  siteInstallationSchema,
  spaceInstallationSchema,
} from '../resources.js';
import { installation, integration, onInstallation, onIntegration } from './access-rules.js';
import { searchedPage } from './catalogue.js';

const tag = 'Integration installations';
const externalId = z.string().min(1).max(256).optional().meta({ description: 'Those with this external id.' });
const extended = z.boolean().default(false).meta({ description: 'Answers the whole space or site instead of its id.' });
const changes = {
  configuration: installationConfigurationSchema.optional().meta({ description: 'Replaces the configuration.' }),
  externalIds: externalIdsSchema.optional(),
};
const content = z.object(changes).meta({ examples: [{ configuration: { project: 'docs' } }] });
const id = z.string().min(1).max(100);
/** Bytes of what a configuration, or the payload of a task, may hold. */
const bodyLimit = 262_144;

export const installationOperations = {
  listIntegrationInstallations: operation({
    method: 'GET',
    path: `${integration}/installations`,
    summary: 'List the installations of an integration',
    description:
      'The latest first. People see those of the organizations in which they may install it; without configuration and external ids where they may not read them.',
    tag,
    access: onIntegration('view'),
    query: pageQuery.extend({ externalId }),
    status: 200,
    response: listOf(installationSchema),
  }),
  installIntegration: operation({
    method: 'POST',
    path: `${integration}/installations`,
    summary: 'Install an integration in an organization',
    description: 'Needs the right `installIntegration` on the organization. An integration is installed once in each.',
    tag,
    access: onIntegration('view', ['user']),
    body: z
      .object({
        organization: id,
        configuration: installationConfigurationSchema.optional(),
        space_selection: z.enum(selections).optional(),
        site_selection: z.enum(selections).optional(),
      })
      .meta({ examples: [{ organization: exampleId('organization') }] }),
    bodyLimit,
    status: 201,
    response: installationSchema,
  }),
  getIntegrationInstallationById: operation({
    method: 'GET',
    path: installation,
    summary: 'Get an installation',
    tag,
    access: onInstallation('read'),
    status: 200,
    response: installationSchema,
  }),
  updateIntegrationInstallation: operation({
    method: 'PATCH',
    path: installation,
    summary: 'Update an installation',
    description:
      'Each change sends the integration the event `installation_setup`. Its status follows from the configuration.',
    tag,
    access: onInstallation('configure'),
    body: z
      .object({
        ...changes,
        space_selection: z
          .enum(selections)
          .optional()
          .meta({ description: 'All spaces of the organization, or those that it is installed on.' }),
        site_selection: z.enum(selections).optional(),
      })
      .meta({ examples: [{ configuration: { project: 'docs' } }] }),
    bodyLimit,
    status: 200,
    response: installationSchema,
  }),
  uninstallIntegration: operation({
    method: 'DELETE',
    path: installation,
    summary: 'Uninstall an integration from an organization',
    tag,
    access: onInstallation('uninstall', ['user']),
    status: 205,
  }),
  createIntegrationInstallationToken: operation({
    method: 'POST',
    path: `${installation}/tokens`,
    summary: 'Create a temporary token of an installation',
    description: 'For the integration itself; valid for an hour, and as long as the installation exists.',
    tag,
    access: onInstallation('issueToken', ['integration']),
    status: 200,
    response: z.object({ token: z.string() }),
  }),
  listOrganizationInstallations: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/installations',
    summary: 'List the installations of an organization',
    description: 'The latest first.',
    tag,
    access: onOrganization('listInstallations'),
    query: searchedPage,
    status: 200,
    response: listOf(z.object({ installation: installationSchema, integration: integrationSchema })),
  }),
};

const spaces = `${installation}/spaces` as const;
const space = `${spaces}/{spaceId}` as const;
const sites = `${installation}/sites` as const;
const site = `${sites}/{siteId}` as const;
const inspected = z.object({ extended });
const listed = pageQuery.extend({ extended });
const searched = listed.extend({ externalId });

export const contentInstallationOperations = {
  listIntegrationSpaceInstallations: operation({
    method: 'GET',
    path: `${integration}/spaces`,
    summary: 'List the spaces that an integration is installed on',
    description: 'In all organizations. The latest first.',
    tag,
    access: onIntegration('operate'),
    query: searched,
    status: 200,
    response: listOf(spaceInstallationSchema),
  }),
  listIntegrationSiteInstallations: operation({
    method: 'GET',
    path: `${integration}/sites`,
    summary: 'List the sites that an integration is installed on',
    description: 'In all organizations. The latest first.',
    tag,
    access: onIntegration('operate'),
    query: searched,
    status: 200,
    response: listOf(siteInstallationSchema),
  }),
  listIntegrationInstallationSpaces: operation({
    method: 'GET',
    path: spaces,
    summary: 'List the spaces of an installation',
    description: 'The latest first; without what is configured on those where the caller may not install it.',
    tag,
    access: onInstallation('install'),
    query: listed,
    status: 200,
    response: listOf(spaceInstallationSchema),
  }),
  installIntegrationOnSpace: operation({
    method: 'POST',
    path: spaces,
    summary: 'Install an integration on a space',
    description: 'Needs the right `installIntegration` on the space.',
    tag,
    access: onInstallation('install', ['user']),
    query: inspected,
    body: z.object({ space: id }).meta({ examples: [{ space: exampleId('space') }] }),
    status: 201,
    response: spaceInstallationSchema,
  }),
  getIntegrationSpaceInstallation: operation({
    method: 'GET',
    path: space,
    summary: 'Get the installation on a space',
    tag,
    access: onInstallation('install'),
    query: inspected,
    status: 200,
    response: spaceInstallationSchema,
  }),
  updateIntegrationSpaceInstallation: operation({
    method: 'PATCH',
    path: space,
    summary: 'Update the installation on a space',
    tag,
    access: onInstallation('install'),
    query: inspected,
    body: content,
    bodyLimit,
    status: 200,
    response: spaceInstallationSchema,
  }),
  uninstallIntegrationFromSpace: operation({
    method: 'DELETE',
    path: space,
    summary: 'Uninstall an integration from a space',
    tag,
    access: onInstallation('install', ['user']),
    status: 205,
  }),
  listIntegrationInstallationSites: operation({
    method: 'GET',
    path: sites,
    summary: 'List the sites of an installation',
    description: 'The latest first; without what is configured on those where the caller may not install it.',
    tag,
    access: onInstallation('install'),
    query: listed,
    status: 200,
    response: listOf(siteInstallationSchema),
  }),
  installIntegrationOnSite: operation({
    method: 'POST',
    path: sites,
    summary: 'Install an integration on a site',
    description: 'Needs the right `admin` on the site.',
    tag,
    access: onInstallation('install', ['user']),
    query: inspected,
    body: z.object({ siteId: id }).meta({ examples: [{ siteId: exampleId('site') }] }),
    status: 201,
    response: siteInstallationSchema,
  }),
  getIntegrationSiteInstallation: operation({
    method: 'GET',
    path: site,
    summary: 'Get the installation on a site',
    tag,
    access: onInstallation('install'),
    query: inspected,
    status: 200,
    response: siteInstallationSchema,
  }),
  updateIntegrationSiteInstallation: operation({
    method: 'PATCH',
    path: site,
    summary: 'Update the installation on a site',
    tag,
    access: onInstallation('install'),
    query: inspected,
    body: content,
    bodyLimit,
    status: 200,
    response: siteInstallationSchema,
  }),
  uninstallIntegrationFromSite: operation({
    method: 'DELETE',
    path: site,
    summary: 'Uninstall an integration from a site',
    tag,
    access: onInstallation('install', ['user']),
    status: 205,
  }),
};
