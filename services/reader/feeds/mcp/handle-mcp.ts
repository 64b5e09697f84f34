import { jsonExcess } from '../../../../shared/text/json-extent.js';
import type { McpSite } from './mcp-site.js';
import {
  type ClientMessage,
  errorCodes,
  idOf,
  type Outcome,
  type RequestId,
  readMessage,
  rpcError,
  statelessVersion,
  unnamedVersion,
} from './messages.js';
import { answerCall } from './methods.js';
import { type Headers, headerOf, versionOf } from './request-version.js';

export interface McpRequest {
  method: string;
  headers: Headers;
  body: string;
}

export interface McpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Characters of a body. Questions are short. */
export const maxMcpBodyLength = 64 * 1024;
/** Messages that a client may send at once. */
const maxBatch = 20;

const allowed = 'POST, OPTIONS';

/** Lets programs in browsers ask a site that is open to everybody. No credentials go along. */
const corsHeaders = { 'Access-Control-Allow-Origin': '*' };
const preflightHeaders = {
  'Access-Control-Allow-Methods': allowed,
  'Access-Control-Allow-Headers': 'Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id',
  'Access-Control-Max-Age': '86400',
};

const empty = (status: number, headers: Record<string, string> = {}): McpAnswer => ({ status, headers, body: '' });

function json(status: number, value: unknown): McpAnswer {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers, body: JSON.stringify(value) };
}

/** For people who open the address in a browser. */
const signpost =
  'This address is an MCP server: add it to a program that speaks the Model Context Protocol over HTTP.\n';

const response = (id: RequestId | null, outcome: Outcome) => ({ jsonrpc: '2.0', id, ...outcome });

/** Refuses a body as a whole. */
const refused = (status: number, message: string, name: 'parse' | 'invalidRequest' = 'invalidRequest') =>
  json(status, response(null, rpcError(name, message)));

/** Whether a page of this origin may ask. A private address may be behind a name that an attacker makes up. */
function mayAsk(site: McpSite, origin: string | undefined): boolean {
  if (origin === undefined || site.open) return true;
  return URL.canParse(origin) && new URL(origin).host === new URL(site.url).host;
}

const isJson = (type: string) => /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type);
const takesJson = (accept: string) => /(?:application\/(?:json|\*)|\*\/\*)/i.test(accept);

/** Why a request is refused before its body is read. */
function doorFault(site: McpSite, { method, headers, body }: McpRequest): McpAnswer | undefined {
  if (!mayAsk(site, headerOf(headers, 'origin'))) return refused(403, 'This origin may not ask');
  if (method === 'OPTIONS') return empty(204, site.open ? preflightHeaders : { Allow: allowed });
  // Streams and sessions, which GET and DELETE are for, do not exist here.
  if (method !== 'POST')
    return { ...empty(405, { Allow: allowed, 'Content-Type': 'text/plain; charset=utf-8' }), body: signpost };
  if (!isJson(headerOf(headers, 'content-type') ?? '')) return refused(415, 'Content-Type must be application/json');
  if (!takesJson(headerOf(headers, 'accept') ?? '*/*')) return refused(406, 'Answers are application/json');
  if (body.length > maxMcpBodyLength) return refused(413, `At most ${maxMcpBodyLength} characters`);
  return undefined;
}

/** One message of its own. */
async function answerMessage(site: McpSite, headers: Headers, value: unknown): Promise<McpAnswer> {
  const message = readMessage(value);
  if (!message) return json(400, response(idOf(value), rpcError('invalidRequest', 'Not a message of JSON-RPC 2.0')));
  const id = message.kind === 'request' ? message.id : null;
  const found = versionOf(headers, message);
  if ('error' in found) return json(400, response(id, found));
  if (message.kind !== 'request') return empty(202);
  const outcome = await answerCall(site, { ...message, ...found });
  return json(statusOf(outcome, found.version), response(id, outcome));
}

/** The latest version shows an unknown method to proxies, too; clients of earlier ones take a 404 for the end of their session. */
const statusOf = (outcome: Outcome, version: string) =>
  'error' in outcome && outcome.error.code === errorCodes.methodNotFound && version === statelessVersion ? 404 : 200;

async function answerInBatch(site: McpSite, value: unknown, message: ClientMessage | undefined): Promise<object[]> {
  if (!message) return [response(idOf(value), rpcError('invalidRequest', 'Not a message of JSON-RPC 2.0'))];
  if (message.kind !== 'request') return [];
  if (message.method === 'initialize')
    return [response(message.id, rpcError('invalidRequest', 'initialize must not be part of a batch'))];
  return [response(message.id, await answerCall(site, { ...message, version: unnamedVersion }))];
}

/** Several messages at once, which only 2025-03-26 knows. One after the other: a caller has no more than one answer in the making. */
async function answerBatch(site: McpSite, headers: Headers, values: unknown[]): Promise<McpAnswer> {
  const version = headerOf(headers, 'mcp-protocol-version') ?? unnamedVersion;
  if (version !== unnamedVersion) return refused(400, `Batches exist in ${unnamedVersion} only`);
  if (values.length === 0 || values.length > maxBatch) return refused(400, `A batch has 1 to ${maxBatch} messages`);
  const answers: object[] = [];
  for (const value of values) answers.push(...(await answerInBatch(site, value, readMessage(value))));
  return answers.length === 0 ? empty(202) : json(200, answers);
}

function parseBody(body: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(body) as unknown };
  } catch {
    return undefined;
  }
}

async function answerBody(site: McpSite, { headers, body }: McpRequest): Promise<McpAnswer> {
  const excess = jsonExcess(Buffer.from(body));
  if (excess !== undefined) return refused(400, excess);
  const parsed = parseBody(body);
  if (!parsed) return refused(400, 'Not JSON', 'parse');
  return Array.isArray(parsed.value)
    ? answerBatch(site, headers, parsed.value)
    : answerMessage(site, headers, parsed.value);
}

/**
 * The MCP server of a site: streamable HTTP without sessions and streams, each answer JSON. Speaks all versions of `protocolVersions` at one
 * address. Never throws for what a client sends; what the functions of the site throw goes through, so that the caller answers and logs it as
 * it does everywhere.
 */
export async function handleMcp(request: McpRequest, site: McpSite): Promise<McpAnswer> {
  const answer = doorFault(site, request) ?? (await answerBody(site, request));
  return site.open ? { ...answer, headers: { ...answer.headers, ...corsHeaders } } : answer;
}
