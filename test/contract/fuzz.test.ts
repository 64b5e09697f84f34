import { Agent, request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { z } from 'zod';
import { operations } from '../../services/gateway/contracts.js';
import type { AnyOperation } from '../../shared/contract/operation.js';
import { runs } from '../../shared/testing/runs.js';
import { newThreads } from '../support/comments.js';
import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { installedIntegration } from '../support/integrations.js';
import { importInto, openRepositories } from '../support/repository.js';
import type { Client } from '../support/server.js';
import { siteOfAllParts } from '../support/site.js';

/** Random requests to each operation, besides one of the fixed ones. A failure prints their seed: `SEED=…` sends the same again. */
const random = runs(3);
const seed = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) };

/** A user of its own: it changes all that it reaches. */
let client: Client;
const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

interface Sent {
  status: number;
  type: string;
  text: string;
}

/** As it is written: fetch would tidy up the path. */
function send(method: string, path: string, body?: string): Promise<Sent> {
  const headers = {
    authorization: `Bearer ${client.token}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(client.url + path, { method, path, headers, agent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          type: answer.headers['content-type'] ?? '',
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Resources that are there, by the name of the path parameter; made anew where an operation changes them. */
let known: Record<string, string[]> = {};
const made: Record<string, string> = {};
const openId = { label: 'Fuzzed', issuer: 'https://op.example', clientId: 'bindery' };
beforeAll(async () => {
  ({ client } = await newUser(shared()));
  const repositories = await openRepositories();
  const [organization, png] = [await newOrganization(client), Buffer.from('not an image')];
  const space = await newSpace(client, organization);
  await repositories.commit('fuzz', { 'README.md': '# Home\n\n![a](a.png)\n', 'b.md': '# B\n', 'a.png': png });
  await importInto(client, space, { url: `${repositories.url}/fuzz.git` });
  await repositories.close();
  const { body: content } = await client.get(`/v1/spaces/${space}/content`);
  Object.assign(made, {
    organizationId: organization,
    spaceId: space,
    userId: (await client.get('/v1/user')).body.id,
    revisionId: content.id,
    pageId: content.pages[0].id,
    fileId: content.files[0].id,
    pagePath: 'b',
    changeRequestId: (await client.post(`/v1/spaces/${space}/change-requests`, { subject: 'Fuzzed' })).body.id,
    ...(await siteOfAllParts(client, organization, space)),
    samlProviderId: (await client.post(`/v1/orgs/${organization}/saml`, { label: 'Fuzzed' })).body.id,
    oidcProviderId: (await client.post(`/v1/orgs/${organization}/oidc`, openId)).body.id,
    ...(await installedIntegration(client, organization)),
  });
});

async function renew(changed: boolean): Promise<void> {
  const { organizationId = '' } = made;
  if (changed) Object.assign(made, await installedIntegration(client, organizationId, made));
  const collection = await client.post(`/v1/orgs/${organizationId}/collections`, { title: 'Fuzzed' });
  const token = await client.post('/v1/user/tokens', { label: 'fuzzed' });
  const spaceId = String(
    changed ? await newSpace(client, organizationId, { parent: collection.body.id }) : made.spaceId,
  );
  const changeRequests = `/v1/spaces/${spaceId}/change-requests`;
  const changeRequestId = String(
    changed ? (await client.post(changeRequests, { subject: 'Fuzzed' })).body.id : made.changeRequestId,
  );
  const organization = `/v1/orgs/${organizationId}`;
  const team = await client.put(`${organization}/teams`, { title: 'Fuzzed', members: [made.userId] });
  const invite = await client.post(`${organization}/link-invites`, { role: 'read' });
  const all = {
    ...made,
    spaceId,
    changeRequestId,
    ...(await newThreads(client, spaceId, changeRequestId)),
    collectionId: collection.body.id,
    tokenId: token.body.id,
    teamId: team.body.id,
    inviteId: invite.body.id,
  };
  known = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value].flat().map(String)]));
}

type Schema = Record<string, any>;

const nastyTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  'a\udfff',
  '__proto__',
  'constructor',
  '../..',
  '$where',
  '%00',
  '\u202e',
  'ﷺ'.repeat(100),
  'x'.repeat(10_000),
  'http://127.0.0.1:1/a.git',
  'http://[::1/',
  'refs/heads/main',
  'refs/heads/..',
  '2026-02-30T25:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '0000-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.000Z',
];
const nasty = fc.constantFrom(...nastyTexts);
const texts = fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 60 }));
const numbers = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.constantFrom(0, -1, 1000, 1001, 2 ** 53, 1e308, -1e308),
);
const anything = fc.oneof(
  texts,
  numbers,
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(fc.oneof(nasty, fc.string()), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
);

/** Values by a JSON schema, as far as types, choices and names go. */
function bySchema(schema: Schema, defs: Schema): fc.Arbitrary<unknown> {
  const of = (part: Schema) => bySchema(part, defs);
  if (schema.$ref) return of(defs[String(schema.$ref).split('/').at(-1) ?? ''] ?? {});
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices: Schema[] | undefined = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map(of));
  switch (schema.type) {
    case 'object':
      return objectBy(schema, of);
    case 'array':
      return fc.array(of(schema.items ?? {}), { maxLength: 4 });
    case 'string':
      return textBy(schema);
    case 'number':
    case 'integer':
      return fc.oneof({ weight: 1, arbitrary: numbers }, { weight: 4, arbitrary: fc.integer({ min: 0, max: 50 }) });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return anything;
  }
}

const textBy = ({ minLength = 0, maxLength = 40 }: Schema) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) }) },
    { weight: 2, arbitrary: fc.constantFrom(...Object.values(made)) },
    { weight: 1, arbitrary: nasty },
  );

/** What fields of a name take that their schema cannot tell. */
const fitting: Record<string, string> = { url: 'http://127.0.0.1:1/a.git', ref: 'refs/heads/main' };

/** One field in ten is something else than its schema says. */
function objectBy({ properties = {}, required = [] }: Schema, of: (part: Schema) => fc.Arbitrary<unknown>) {
  const fields = Object.entries(properties as Record<string, Schema>).map(([name, part]) => [
    name,
    fc.oneof(
      { weight: 9, arbitrary: fitting[name] ? fc.constant(fitting[name]) : of(part) },
      { weight: 1, arbitrary: anything },
    ),
  ]);
  return fc
    .tuple(
      fc.record(Object.fromEntries(fields), { requiredKeys: required }),
      fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.dictionary(texts, anything) }),
    )
    .map(([known, more]) => ({ ...more, ...known }));
}

const nastyBodies = [
  '',
  ' ',
  'null',
  '[]',
  '"text"',
  '1e999',
  '{"title":1e999}',
  '{"title":"\\ud800","url":"\\udfff"}',
  '{"__proto__":{"title":"a"},"title":"ab","label":"ab"}',
  '{"constructor":{"prototype":{"x":1}},"title":"ab"}',
  '{"title":"a","title":["b"]}',
  `{"title":"ab","label":"ab","x":${'['.repeat(400)}${']'.repeat(400)}}`,
  `{"title":"ab","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  `${'{"title":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  `{"title":${'9'.repeat(10_000)}}`,
  `{"title":"${'x'.repeat(500_000)}"}`,
  '{"title":',
  '\ufeff{}',
];
const rawBodies = fc.constantFrom(...nastyBodies);

function bodyOf({ body }: AnyOperation): fc.Arbitrary<string | undefined> {
  if (!body) return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: rawBodies });
  const schema: Schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
  return fc.oneof(
    { weight: 7, arbitrary: bySchema(schema, schema.$defs ?? {}).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: anything.map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: rawBodies },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

/** Lone surrogates have no place in a URL. */
const encode = (text: string) => encodeURIComponent(Buffer.from(text).toString());

const nastySegments = ['%', '%00', '%ff', '..', '%2e%2e', '.', '', ';', ':id', '*', '%2f', "'", '$', '{}', '%25'];

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));

/** The path with values of its parameters. */
function filled(path: string, values: string[]): string {
  let next = 0;
  return `/v1${path.replace(/\{\w+\}/g, () => values[next++] ?? '')}`;
}

interface Asked {
  path: string;
  query: string;
  body: string | undefined;
}

function pathOf({ path }: AnyOperation): fc.Arbitrary<string> {
  const raw = fc.constantFrom(...nastySegments);
  const values = namesIn(path).map((name) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...(known[name] ?? Object.values(made))).map(encode) },
      { weight: 1, arbitrary: texts.map((text) => encode(text).slice(0, 4000)) },
      { weight: 1, arbitrary: raw },
    ),
  );
  return fc.tuple(...values).map((chosen) => filled(path, chosen));
}

/** The nastiest of each kind, in turn: all of them are sent in each run, to one operation or another. */
function fixedOf({ path, query }: AnyOperation, at: number): Asked {
  const inTurn = (list: string[]) => list[at % list.length] ?? '';
  const values = namesIn(path).map((name) => encode(known[name]?.[0] ?? ''));
  const [parameter] = Object.keys((query as z.ZodObject | undefined)?.shape ?? {});
  return {
    path: filled(path, at % 2 ? values : [...values.slice(0, -1), inTurn(nastySegments)]),
    query: parameter ? `${parameter}=${encode(inTurn(nastyTexts)).slice(0, 4000)}` : '',
    body: inTurn(nastyBodies),
  };
}

function queryOf({ query }: AnyOperation): fc.Arbitrary<string> {
  const { properties = {}, $defs = {} } = query
    ? (z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }) as Schema)
    : {};
  const parts = Object.entries(properties as Record<string, Schema>).map(([name, schema]) =>
    fc.oneof(
      { weight: 8, arbitrary: fc.constant('') },
      { weight: 8, arbitrary: bySchema(schema, $defs).map((value) => `${name}=${encode(String(value))}`) },
      { weight: 1, arbitrary: cursors.map((cursor) => `${name}=${cursor}`) },
      { weight: 1, arbitrary: texts.map((value) => `${name}=${encode(value)}&${name}=2`) },
      { weight: 1, arbitrary: fc.constantFrom(`${name}`, `${name}[]=1`, `${name}[$gt]=`, `${name}=%ff`, `${name}=%`) },
    ),
  );
  return fc.tuple(...parts).map((chosen) => chosen.filter(Boolean).join('&').slice(0, 8000));
}

const cursors = fc
  .array(fc.oneof(texts, numbers, fc.boolean(), fc.constant(null)), { minLength: 1, maxLength: 4 })
  .map((cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url'));

/** Of validators and parsers, which tell a person nothing. */
const foreignWords =
  /Invalid input|expected .*, received|Too (big|small): |Unrecognized key|Unexpected token|in JSON at/;

function check({ status, type, text }: Sent): void {
  expect(status).toBeLessThan(500);
  if (status < 400) return;
  expect(type).toContain('application/json');
  const { error, ...rest } = JSON.parse(text);
  expect([error, rest]).toEqual([
    { code: status, message: expect.stringMatching(/./), reason: expect.any(String) },
    {},
  ]);
  expect(error.message).not.toMatch(foreignWords);
}

/** Those that only read come first, and share what they read. */
const readers = operations.filter(({ method }) => method === 'GET');
const writers = operations.filter(({ method }) => method !== 'GET');

describe('whatever is sent', () => {
  it.each([...readers, ...writers].map((operation, at) => [operation.id, operation, at] as const))(
    '%s answers in its shape',
    async (_, operation, at) => {
      if (operation.method !== 'GET' || Object.keys(known).length === 0)
        await renew(operation.method === 'DELETE' || operation.method === 'PATCH');
      const asked = fc.record({ path: pathOf(operation), query: queryOf(operation), body: bodyOf(operation) });
      const property = fc.asyncProperty(asked, async ({ path, query, body }: Asked) => {
        check(await send(operation.method, query ? `${path}?${query}` : path, body));
      });
      const examples: [Asked][] = [[fixedOf(operation, at)]];
      await fc.assert(property, { ...seed, examples, numRuns: random + examples.length, endOnFailure: true });
    },
  );

  it('the server still answers as before', async () => {
    const { status, body } = await client.get(`/v1/spaces/${made.spaceId}/content`);
    expect(status).toBe(200);
    expect(body.pages.length).toBeGreaterThan(0);
    expect(({} as Record<string, unknown>).title).toBeUndefined();
  });
});
