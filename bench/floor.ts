import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { chunks, revisions } from '../services/content/revisions/model.js';
import { newSpace } from '../services/content/spaces/new-space.js';
import { usages } from '../services/content/storage/model.js';
import { presentSpace, spaces, treeChanged, trees } from '../services/content/tree/model.js';
import { apiTokens } from '../services/identity/accounts/model.js';
import { auditRecord, auditRecorded } from '../shared/contract/audit.js';
import { system } from '../shared/contract/caller.js';
import { newId, newTraceId, sha256 } from '../shared/ids.js';
import { createLog } from '../shared/log.js';
import { openStore } from '../shared/platform.js';
import { readConfig } from '../shared/settings/config.js';
import { write } from '../shared/store/port.js';
import { outboxCollection } from '../shared/work/outbox.js';

/**
 * The floor of the benchmarks: bare node:http over a copy of the same data, which reads and writes the same rows and does
 * nothing else. Like the product it asks for a token once a second.
 */
const config = readConfig(process.env);
const store = await openStore(config, createLog('error'));
const known = new Map<string, number>();
const outboxEvents = outboxCollection('content');

async function authenticated({ headers }: IncomingMessage): Promise<boolean> {
  const token = headers.authorization?.slice('Bearer '.length) ?? '';
  if ((known.get(token) ?? 0) > Date.now()) return true;
  if (!(await store.findOne(apiTokens, { hash: sha256(token) }))) return false;
  known.set(token, Date.now() + 1000);
  return true;
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return parts.length === 0 ? {} : JSON.parse(Buffer.concat(parts).toString());
}

async function createSpace(organization: string, request: IncomingMessage): Promise<unknown> {
  const { title } = await bodyOf(request);
  const { space, writes } = newSpace({ organization, creator: 'floor', title: String(title) });
  const record = auditRecord(
    { operation: 'createSpace', caller: system, organization, requestId: newTraceId() },
    { type: 'space', id: space._id },
    { details: { title: space.title } },
  );
  const event = { _id: `identity:${newId()}`, name: auditRecorded.name, payload: record, createdAt: record.createdAt };
  await store.batch([...writes, treeChanged(organization), write.insert(outboxEvents, event)]);
  return presentSpace(config.baseUrl, space, 'admin');
}

async function listSpaces(organization: string): Promise<unknown> {
  const { items } = await store.page(spaces, { filter: { organization }, sort: {}, limit: 50 });
  return { count: 0, items: items.map((space) => presentSpace(config.baseUrl, space, 'admin')) };
}

async function getSpace(id: string): Promise<unknown> {
  const space = await store.get(spaces, id);
  return space && presentSpace(config.baseUrl, space, 'admin');
}

/** The trees of revisions, encoded and compressed once. */
const encodedTrees = new Map<string, { plain: Buffer; gzip: Buffer }>();

async function treeOf(revision: string): Promise<{ plain: Buffer; gzip: Buffer }> {
  const known = encodedTrees.get(revision);
  if (known) return known;
  const { space } = (await store.get(revisions, revision)) ?? {};
  const { items } = await store.page(chunks, { filter: { space: String(space) }, sort: {}, limit: 1000 });
  const plain = Buffer.from(JSON.stringify({ pages: items.flatMap(({ pages = [] }) => pages) }));
  const made = { plain, gzip: gzipSync(plain, { level: 4 }) };
  encodedTrees.set(revision, made);
  return made;
}

/** The content of a space: the row of the space names the revision, whose tree is the same for ever. */
async function sendTree({ headers }: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
  const space = await store.get(spaces, id);
  const revision = String(space?.revision);
  const etag = `W/"${revision}"`;
  if (headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
  const { plain, gzip } = await treeOf(revision);
  const isGzip = headers['accept-encoding'] === 'gzip';
  const body = isGzip ? gzip : plain;
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': body.length,
    etag,
    ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
  });
  response.end(body);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!(await authenticated(request))) return void response.writeHead(401).end();
  const [, , kind, id = '', content] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
  if (content === 'content' || content === 'revisions') return sendTree(request, response, id);
  const found =
    kind === 'spaces' ? getSpace(id) : request.method === 'POST' ? createSpace(id, request) : listSpaces(id);
  const body = JSON.stringify(await found);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

await store.prepare([spaces, revisions, chunks, usages, trees, apiTokens, outboxEvents] as never[]);
createServer((request, response) => void answer(request, response)).listen(config.PORT, config.HOST, () =>
  process.stdout.write('"msg":"started"\n'),
);
