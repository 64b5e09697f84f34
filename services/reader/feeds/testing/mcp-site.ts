import { handleMcp, type McpAnswer, type McpRequest } from '../mcp/handle-mcp.js';
import type { McpSite } from '../mcp/mcp-site.js';

const pages = new Map([
  ['', '# Acme\n'],
  ['guides/install', '# Install\n\nTurn it on.\n'],
  ['día', '# Día\n'],
]);

/** A small site at `/docs/`, two pages a list. */
export const mcpSite: McpSite = {
  ...{ title: 'Acme "docs"', description: 'All about anvils', url: 'https://www.acme.example/docs/', open: true },
  search: async (query) =>
    [...pages].flatMap(([path, text]) =>
      text.toLowerCase().includes(query.toLowerCase())
        ? [{ title: text.slice(2).split('\n')[0] ?? '', url: `https://www.acme.example/docs/${path}`, excerpt: text }]
        : [],
    ),
  readPage: async (path) => pages.get(path) ?? null,
  listPages: async (cursor = '0') => {
    const from = ['0', '2'].indexOf(cursor) * 2;
    if (from < 0) return null;
    const paths = [...pages.keys()].slice(from, from + 2);
    const next = from + 2 < pages.size ? String(from + 2) : undefined;
    return { pages: paths.map((path) => ({ title: path, url: `https://www.acme.example/docs/${path}` })), next };
  },
};

const clientHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Sends a body as a client of MCP does. */
export const post = (body: unknown, headers: McpRequest['headers'] = {}, site = mcpSite): Promise<McpAnswer> =>
  handleMcp(
    {
      method: 'POST',
      headers: { ...clientHeaders, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    },
    site,
  );

interface RpcAnswer {
  jsonrpc: string;
  id: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any form.
  result?: any;
  error?: { code: number; message: string; data?: unknown };
}

export const parsed = ({ body }: McpAnswer): RpcAnswer => JSON.parse(body);

/** Sends one request of a version that begins with `initialize`. */
export async function ask(method: string, params?: object, version = '2025-06-18', site = mcpSite): Promise<RpcAnswer> {
  const request = { jsonrpc: '2.0', id: 7, method, ...(params === undefined ? {} : { params }) };
  return parsed(await post(request, { 'mcp-protocol-version': version }, site));
}
