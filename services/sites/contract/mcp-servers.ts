import { z } from 'zod';
import { webUrlSchema } from '../../../shared/contract/fields.js';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/lists/paging.js';
import {
  conditionSchema,
  mcpServerNameSchema,
  mcpTransports,
  sentHeadersSchema,
  siteMcpServerSchema,
} from '../resources.js';
import { onSite, site } from './access-rules.js';

const tag = 'Site MCP servers';
const server = `${site}/mcp-servers/{siteMcpServerId}` as const;
const headers = sentHeadersSchema.meta({
  description: 'Sent with each request to the server. Encrypted at rest; answers show their names only.',
});

export const mcpServerOperations = {
  listSiteMcpServers: operation({
    method: 'GET',
    path: `${site}/mcp-servers`,
    summary: 'List the MCP servers of a site',
    tag,
    access: onSite('admin'),
    query: pageQuery,
    status: 200,
    response: listOf(siteMcpServerSchema),
  }),
  createSiteMcpServer: operation({
    method: 'POST',
    path: `${site}/mcp-servers`,
    summary: 'Add an MCP server to a site',
    tag,
    access: onSite('admin'),
    body: z
      .object({
        name: mcpServerNameSchema,
        url: webUrlSchema,
        transport: z.enum(mcpTransports).default('sse'),
        headers,
        condition: conditionSchema.nullable().optional(),
      })
      .meta({
        examples: [
          { name: 'Orders', url: 'https://mcp.example.com/orders', headers: { Authorization: 'Bearer 4f1c' } },
          { name: 'Status', url: 'https://status.example.com/mcp', transport: 'http', headers: {} },
        ],
      }),
    status: 201,
    response: siteMcpServerSchema,
  }),
  getSiteMcpServerById: operation({
    method: 'GET',
    path: server,
    summary: 'Get an MCP server of a site',
    tag,
    access: onSite('admin'),
    status: 200,
    response: siteMcpServerSchema,
  }),
  updateSiteMcpServerById: operation({
    method: 'PATCH',
    path: server,
    summary: 'Update an MCP server of a site',
    description: '`headers` replaces all of them; a value as answers show it keeps the one that is stored.',
    tag,
    access: onSite('admin'),
    body: z
      .object({
        name: mcpServerNameSchema.optional(),
        url: webUrlSchema.optional(),
        transport: z.enum(mcpTransports).optional(),
        headers: headers.optional(),
        condition: conditionSchema.nullable().optional(),
      })
      .meta({ examples: [{ name: 'Orders and returns' }, { condition: 'visitor.claims.plan == "pro"' }] }),
    status: 200,
    response: siteMcpServerSchema,
  }),
  deleteSiteMcpServerById: operation({
    method: 'DELETE',
    path: server,
    summary: 'Remove an MCP server from a site',
    tag,
    access: onSite('admin'),
    status: 205,
  }),
};
