import { z } from 'zod';
import { operation } from '../../../shared/contract/operation.js';
import { listOf } from '../../../shared/lists/paging.js';
import { integrationScriptSchema } from '../../sites/resources.js';
import { integrationBlockSchema, integrationNameSchema, integrationSchema } from '../resources.js';
import { onSite, onSpace } from './access-rules.js';
import { searchedPage } from './catalogue.js';

const tag = 'Integrations';

/** Lists what the integrations of a space or site add to it. */
export const shownIntegrationOperations = {
  listSpaceIntegrationsBlocks: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/integration-blocks',
    summary: 'List the blocks that integrations add to a space',
    tag,
    access: onSpace(['user', 'content']),
    status: 200,
    response: z.array(z.object({ name: integrationNameSchema, blocks: z.array(integrationBlockSchema) })),
  }),
  listSpaceIntegrationScripts: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/integration-scripts',
    summary: 'List the scripts that integrations add to the pages of a space',
    tag,
    access: onSpace(['user', 'content']),
    status: 200,
    response: z.array(integrationScriptSchema),
  }),
  listSiteIntegrations: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/integrations',
    summary: 'List the integrations of a site',
    description: 'Those with an active installation on the site. By name.',
    tag,
    access: onSite(['user']),
    query: searchedPage,
    status: 200,
    response: listOf(integrationSchema),
  }),
  listSiteIntegrationScripts: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/integration-scripts',
    summary: 'List the scripts that integrations add to the pages of a site',
    tag,
    access: onSite(['user', 'content']),
    status: 200,
    response: z.array(integrationScriptSchema),
  }),
};
