import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { commenters, commentUsages, places } from '../services/comments/places/model.js';
import { countAdditionWrites } from '../services/comments/places/places.js';
import { type CommentDocument, comments } from '../services/comments/texts/model.js';
import { trees, treeVersionWrite } from '../services/content/core/access/model.js';
import { presentSpace, spaces } from '../services/content/core/nodes/model.js';
import { chunks, documentId, pageDocuments, revisions } from '../services/content/core/revisions/model.js';
import { newSpace } from '../services/content/core/spaces/new-space.js';
import { usages } from '../services/content/core/storage/model.js';
import { apiTokens } from '../services/identity/accounts/model.js';
import { memberId, members } from '../services/identity/organizations/model.js';
import { users } from '../services/identity/users/model.js';
import { auditRecord, auditRecorded } from '../shared/contract/audit.js';
import { system } from '../shared/contract/caller.js';
import { type Outbox, outboxCollection } from '../shared/jobs/outbox.js';
import { createLog } from '../shared/monitoring/log.js';
import { openStore } from '../shared/process/platform.js';
import { readConfig } from '../shared/settings/config.js';
import { write } from '../shared/store/port.js';
import { newId, newTraceId, sha256, timestamp } from '../shared/values/ids.js';

/**
 * The floor of the benchmarks: bare node:http over a copy of the same data, which reads and writes the same rows and does
 * nothing else. Like the product it asks for a token once a second.
 */
const config = readConfig(process.env);
const store = await openStore(config, createLog('error'));
const known = new Map<string, number>();
const shownWith = { role: 'admin', comments: 0 } as const;
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
  await store.batch([...writes, treeVersionWrite(organization), write.insert(outboxEvents, event)]);
  return presentSpace(config.baseUrl, space, shownWith);
}

async function listSpaces(organization: string): Promise<unknown> {
  const { items } = await store.page(spaces, { filter: { organization }, sort: {}, limit: 50 });
  return { count: 0, items: items.map((space) => presentSpace(config.baseUrl, space, shownWith)) };
}

/** What the product reads of the users whom comments name. */
async function usersOf(organization: string, authors: string[]): Promise<unknown[]> {
  const ids = [...new Set(authors)];
  const memberIds = ids.map((user) => memberId(organization, user));
  const [people] = await Promise.all([
    store.getMany(users, ids),
    store.getMany(members, memberIds, { fields: ['user'] }),
  ]);
  return people;
}

/** Writes what the product writes for each event, and relays nothing. */
const commentsOutbox = {
  add: ({ name }: { name: string }, payload: unknown) =>
    write.insert(outboxCollection('comments'), { _id: `content:${newId()}`, name, payload, createdAt: timestamp() }),
} as unknown as Outbox;

async function postComment(id: string, request: IncomingMessage): Promise<unknown> {
  const { body } = (await bodyOf(request)) as { body: { markdown: string } };
  const [space, place] = await Promise.all([store.get(spaces, id), store.get(places, id, { fields: ['bytes'] })]);
  if (!space || (place?.bytes ?? 0) > 1e9) return null;
  const { organization, revision, creator: author } = space;
  const made: CommentDocument = {
    _id: newId(),
    organization,
    space: id,
    place: id,
    author,
    postedAt: timestamp(),
    body,
    mentions: [],
    bytes: Buffer.byteLength(JSON.stringify(body)),
    status: 'open',
    replies: 0,
    revision,
  };
  const record = auditRecord(
    { operation: 'postCommentInSpace', caller: system, organization, requestId: newTraceId() },
    { type: 'comment', id: made._id },
    { details: { space: id } },
  );
  const event = { _id: `identity:${newId()}`, name: auditRecorded.name, payload: record, createdAt: record.createdAt };
  await store.batch([
    write.insert(comments, made),
    ...countAdditionWrites({ outbox: commentsOutbox }, made),
    write.insert(outboxCollection('comments'), event),
  ]);
  return { ...made, postedBy: await usersOf(organization, [author]) };
}

async function listComments(id: string): Promise<unknown> {
  const [place, { items }] = await Promise.all([
    store.get(places, id, { fields: ['open', 'resolved'] }),
    store.page(comments, { filter: { place: id }, sort: { postedAt: -1 }, limit: 50 }),
  ]);
  const [first] = items;
  const people = await usersOf(
    first?.organization ?? '',
    items.map(({ author }) => author),
  );
  return { count: place?.open, items: items.map((item) => ({ ...item, postedBy: people[0] })) };
}

async function getSpace(id: string): Promise<unknown> {
  const space = await store.get(spaces, id);
  return space && presentSpace(config.baseUrl, space, shownWith);
}

interface Tree {
  plain: Buffer;
  gzip: Buffer;
  /** The documents of its pages. */
  documents: Map<string, string | undefined>;
}

/** The trees of revisions, encoded and compressed once. */
const encodedTrees = new Map<string, Tree>();

async function treeOf(revision: string): Promise<Tree> {
  const known = encodedTrees.get(revision);
  if (known) return known;
  const { space } = (await store.get(revisions, revision)) ?? {};
  const { items } = await store.page(chunks, { filter: { space: String(space) }, sort: {}, limit: 1000 });
  const pages = items.flatMap(({ pages = [] }) => pages);
  const plain = Buffer.from(JSON.stringify({ pages }));
  const documents = new Map(pages.map(({ id, document }) => [id, document]));
  const made = { plain, gzip: gzipSync(plain, { level: 4 }), documents };
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

/** A page of the current content, with its document as it is stored. */
async function getPage(id: string, page: string): Promise<unknown> {
  const space = await store.get(spaces, id);
  const { documents } = await treeOf(String(space?.revision));
  return store.get(pageDocuments, documentId(id, String(documents.get(page))));
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!(await authenticated(request))) return void response.writeHead(401).end();
  const [, , kind, id = '', content, part, page = ''] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
  if ((content === 'content' && part !== 'page') || content === 'revisions') return sendTree(request, response, id);
  const found =
    content === 'comments'
      ? request.method === 'POST'
        ? postComment(id, request)
        : listComments(id)
      : kind === 'spaces'
        ? part === 'page'
          ? getPage(id, page)
          : getSpace(id)
        : request.method === 'POST'
          ? createSpace(id, request)
          : listSpaces(id);
  const body = JSON.stringify(await found);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

await store.prepare([
  ...[spaces, revisions, chunks, usages, trees, apiTokens, users, members, outboxEvents],
  ...[comments, places, commenters, commentUsages, outboxCollection('comments'), pageDocuments],
] as never[]);
// A profile of it is written when it ends by itself.
process.once('SIGTERM', () => process.exit(0));
createServer((request, response) => void answer(request, response)).listen(config.PORT, config.HOST, () =>
  process.stdout.write('"msg":"started"\n'),
);
