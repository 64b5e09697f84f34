import type { HandlersOf } from '../../../shared/contract/service.js';
import { invalid, notFound } from '../../../shared/errors/errors.js';
import { listPage } from '../../../shared/lists/paging.js';
import type { HasSecrets } from '../../../shared/secrets/secrets.js';
import { checkBound } from '../../../shared/store/bounds.js';
import { changesOf } from '../../../shared/store/changes.js';
import { type HasStore, type Store, write } from '../../../shared/store/port.js';
import { newId, timestamp } from '../../../shared/values/ids.js';
import type { mcpServerOperations } from '../contract/mcp-servers.js';
import { checkCondition } from '../sections/conditions.js';
import { sites } from '../site/model.js';
import type { HasConfig } from '../site/urls.js';
import { type McpServerDocument, mcpServers, presentMcpServer } from './model.js';
import { hiddenValue } from './resources.js';

type Headers = Record<string, string>;

export const mcpServerHandlers = (deps: HasStore & HasConfig & HasSecrets): HandlersOf<typeof mcpServerOperations> => {
  const { store, secrets } = deps;
  const present = (path: { organizationId: string; siteId: string }, server: McpServerDocument) =>
    presentMcpServer(`${deps.config.baseUrl}/v1/orgs/${path.organizationId}/sites/${path.siteId}/mcp-servers`, server);

  return {
    listSiteMcpServers({ path, query: request }) {
      const list = { filter: { site: path.siteId }, sort: { createdAt: 1 as const }, request };
      return listPage(store, mcpServers, list, async (items) => items.map((server) => present(path, server)));
    },

    async createSiteMcpServer({ path, body: { headers: sent, condition, ...fields } }, { audit }) {
      if (condition) checkCondition(condition);
      await checkBound(store, mcpServers, { site: path.siteId }, { max: 50, what: 'MCP servers of a site' });
      const server: McpServerDocument = {
        ...fields,
        ...(condition ? { condition } : {}),
        ...sealedHeaders(secrets, withKeptValues(sent, {})),
        _id: newId(),
        site: path.siteId,
        createdAt: timestamp(),
      };
      const { name, url, headerNames: headers } = server;
      await store.batch([
        write.check(sites, { _id: path.siteId }, 1),
        write.insert(mcpServers, server),
        audit('site-mcp-server', server._id, { details: { site: path.siteId, name, url, headers } }),
      ]);
      return present(path, server);
    },

    async getSiteMcpServerById({ path }) {
      return present(path, await serverOf(store, path));
    },

    async updateSiteMcpServerById({ path, body: { headers: sent, ...fields } }, { audit }) {
      if (fields.condition) checkCondition(fields.condition);
      const before = await serverOf(store, path);
      const changes = changesOf(before, { ...fields, ...(sent ? changedHeaders(secrets, before, sent) : {}) });
      if (!changes) return present(path, before);
      const { sealed: _, headerNames, ...details } = changes.details;
      await store.batch([
        write.update(mcpServers, { _id: before._id, sealed: before.sealed }, changes.update, { expect: 1 }),
        audit('site-mcp-server', before._id, {
          details: { site: path.siteId, ...details, ...(headerNames ? { headers: headerNames } : {}) },
        }),
      ]);
      return present(path, changes.after);
    },

    async deleteSiteMcpServerById({ path }, { audit }) {
      const { _id } = await serverOf(store, path);
      await store.batch([
        write.delete(mcpServers, { _id }, { expect: 1 }),
        audit('site-mcp-server', _id, { details: { site: path.siteId } }),
      ]);
    },
  };
};

async function serverOf(
  store: Store,
  { siteId, siteMcpServerId: id }: { siteId: string; siteMcpServerId: string },
): Promise<McpServerDocument> {
  const found = await store.get(mcpServers, id);
  if (found?.site !== siteId) throw notFound('MCP server');
  return found;
}

/** The headers of a request, where a value that answers hide stands for the one that is stored. Throws 400 where none is. */
function withKeptValues(sent: Headers, stored: Headers): Headers {
  const entries = Object.entries(sent).map(([name, value]) => {
    const kept = value === hiddenValue ? stored[name] : value;
    if (kept === undefined) throw invalid(`headers.${name}: required; there is no earlier value to keep`);
    return [name, kept];
  });
  return Object.fromEntries(entries);
}

/** The stored fields of headers that differ from those before; none where they are the same. */
function changedHeaders(
  secrets: HasSecrets['secrets'],
  { sealed }: McpServerDocument,
  sent: Headers,
): Partial<Pick<McpServerDocument, 'sealed' | 'headerNames'>> {
  const stored = secrets.decrypt(sealed);
  const wanted = withKeptValues(sent, JSON.parse(stored) as Headers);
  return JSON.stringify(wanted) === stored ? {} : sealedHeaders(secrets, wanted);
}

const sealedHeaders = (secrets: HasSecrets['secrets'], headers: Headers) => ({
  headerNames: Object.keys(headers),
  sealed: secrets.encrypt(JSON.stringify(headers)),
});
