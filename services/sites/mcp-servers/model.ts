import { collection, type Write, write } from '../../../shared/store/port.js';
import { hiddenValue, type mcpTransports, type SiteMcpServer } from './resources.js';

export interface McpServerDocument {
  _id: string;
  site: string;
  name: string;
  url: string;
  transport: (typeof mcpTransports)[number];
  condition?: string;
  /** The names of its headers. */
  headerNames: string[];
  /** Its headers as JSON, encrypted. */
  sealed: string;
  createdAt: string;
}

export const mcpServers = collection<McpServerDocument>('sites_mcp_servers', [{ on: { site: 1, createdAt: 1 } }]);

export const presentMcpServer = (
  base: string,
  { _id: id, name, url, transport, condition, headerNames }: McpServerDocument,
): SiteMcpServer => ({
  object: 'site-mcp-server',
  id,
  name,
  url,
  transport,
  headers: Object.fromEntries(headerNames.map((header) => [header, hiddenValue] as const)),
  ...(condition ? { condition } : {}),
  urls: { location: `${base}/${id}` },
});

/** The writes that delete what this room stores of a site. */
export const mcpServerDeletion = (site: string): Write[] => [write.delete(mcpServers, { site })];
