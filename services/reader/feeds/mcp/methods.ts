import { z } from 'zod';
import { version as release } from '../../../../shared/process/version.js';
import { isWebAddress, oneLine } from '../links.js';
import { type McpSite, readAddress } from './mcp-site.js';
import {
  type Outcome,
  type Params,
  protocolVersions,
  type Result,
  rpcError,
  sessionVersions,
  statelessVersion,
} from './messages.js';
import { callTool, listTools } from './tools.js';

export interface Call {
  method: string;
  params: Params;
  version: string;
}

const maxTitleLength = 200;
const maxDescriptionLength = 400;
/** How long lists and pages may be kept by clients: as long as caches keep pages of a site. */
const freshMs = 60_000;

const capabilities = { tools: {}, resources: {} };
const serverInfo = ({ title }: McpSite) => ({
  name: 'bindery',
  title: oneLine(title, maxTitleLength),
  version: release,
});

const instructions = ({ title, description = '' }: McpSite) =>
  oneLine(
    `The documentation "${oneLine(title, maxTitleLength)}". ${oneLine(description, maxDescriptionLength)} Search it with searchDocumentation, read what you find with getPage.`,
    1000,
  );

const initializeParams = z.object({
  protocolVersion: z.string().min(1).max(100),
  capabilities: z.record(z.string(), z.unknown()),
  clientInfo: z.object({ name: z.string(), version: z.string() }),
});

/** Agrees on a version: the client's where it is known, else the latest that begins in this way. */
function initialize(site: McpSite, params: Params): Outcome {
  const { data } = initializeParams.safeParse(params);
  if (!data) return rpcError('invalidParams', 'initialize takes protocolVersion, capabilities and clientInfo');
  const protocolVersion = sessionVersions.find((each) => each === data.protocolVersion) ?? sessionVersions[0];
  return { result: { protocolVersion, capabilities, serverInfo: serverInfo(site), instructions: instructions(site) } };
}

const listParams = z.object({ cursor: z.string().min(1).max(2048).optional() });

async function listResources(site: McpSite, params: Params): Promise<Outcome> {
  const { data } = listParams.safeParse(params);
  const list = data && (await site.listPages(data.cursor));
  if (!list) return rpcError('invalidParams', 'cursor: not one of this list');
  const resources = list.pages.map(({ title, url, description = '' }) => ({
    uri: url,
    name: oneLine(title, maxTitleLength) || 'Untitled',
    title: oneLine(title, maxTitleLength) || 'Untitled',
    ...(description === '' ? {} : { description: oneLine(description, maxDescriptionLength) }),
    mimeType: 'text/markdown',
  }));
  return { result: { resources, ...(list.next === undefined ? {} : { nextCursor: list.next }) } };
}

async function readResource(site: McpSite, params: Params, version: string): Promise<Outcome> {
  const { data } = z.object({ uri: z.string().min(1) }).safeParse(params);
  if (!data) return rpcError('invalidParams', 'uri: required');
  const { uri } = data;
  const text = isWebAddress(uri) ? await readAddress(site, uri) : null;
  if (text !== null) return { result: { contents: [{ uri, mimeType: 'text/markdown', text }] } };
  const name = version === statelessVersion ? 'invalidParams' : 'resourceNotFound';
  return rpcError(name, 'Resource not found', { uri: uri.slice(0, 2048) });
}

const template = ({ url }: McpSite) => ({
  uriTemplate: `${url.endsWith('/') ? url : `${url}/`}{+path}`,
  name: 'page',
  title: 'A page by its path',
  mimeType: 'text/markdown',
});

type Method = (site: McpSite, params: Params, version: string) => Outcome | Promise<Outcome>;
const always =
  (result: Result): Method =>
  () => ({ result });

/** Methods whose results a client may keep. */
const kept = new Map<string, Method>([
  ['tools/list', (site) => ({ result: { tools: listTools(site) } })],
  ['resources/list', listResources],
  ['resources/read', readResource],
  ['resources/templates/list', (site) => ({ result: { resourceTemplates: [template(site)] } })],
  ['prompts/list', always({ prompts: [] })],
]);

const ofSessions = new Map<string, Method>([
  ['initialize', initialize],
  ['ping', always({})],
  ['tools/call', callTool],
]);

const stateless = new Map<string, Method>([
  [
    'server/discover',
    (site) => ({ result: { supportedVersions: protocolVersions, capabilities, instructions: instructions(site) } }),
  ],
  ['tools/call', callTool],
]);

/** Since `statelessVersion`, each result says what it is, who made it, and how long it holds. */
const envelope = (site: McpSite, method: string, result: Result): Result => ({
  resultType: 'complete',
  ...result,
  ...(kept.has(method) || method === 'server/discover'
    ? { ttlMs: freshMs, cacheScope: site.open ? 'public' : 'private' }
    : {}),
  _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo(site) },
});

/** Answers one request in the version that it is written in. */
export async function answerCall(site: McpSite, { method, params, version }: Call): Promise<Outcome> {
  const isStateless = version === statelessVersion;
  const found = kept.get(method) ?? (isStateless ? stateless : ofSessions).get(method);
  if (!found) return rpcError('methodNotFound', `Method not found: ${oneLine(method, 100)}`);
  const outcome = await found(site, params, version);
  return isStateless && 'result' in outcome ? { result: envelope(site, method, outcome.result) } : outcome;
}
