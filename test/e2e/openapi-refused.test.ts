import { newOrganization, newUser, shared } from '../support/fixtures.js';
import { openFiles, petstore, processed, publish, textOf } from '../support/openapi.js';
import { RefusalClient } from '../support/refusals.js';

const admin = shared();
const asking = new RefusalClient(admin);
let organization: string;
let path: string;
let files: Awaited<ReturnType<typeof openFiles>>;
beforeAll(async () => {
  organization = await newOrganization(admin);
  path = `/v1/orgs/${organization}/openapi`;
  files = await openFiles({});
  await publish(admin, `${path}/kept`, textOf(petstore()));
});
afterAll(() => files.close());

const text = (source: string) => ({ source: { text: source } });
const url = (address: string) => ({ source: { url: address } });

describe('a request is refused at once, by the name of its field, and changes nothing', () => {
  let before: unknown;
  const state = async () => [(await admin.get(path)).body, (await admin.get(`${path}/kept/versions`)).body];
  beforeAll(async () => {
    before = await state();
  });

  it.each<[what: string, body: unknown, field: string]>([
    ['no body', undefined, 'body'],
    ['no source', {}, 'source: required'],
    ['an empty source', { source: {} }, 'source: must be either { url } or { text }'],
    [
      'both sources',
      { source: { url: 'https://example.com', text: 'a' } },
      'source: must be either { url } or { text }',
    ],
    ['an empty text', text(''), 'source.text'],
    ['a text that is none', { source: { text: { openapi: '3.1.0' } } }, 'source.text'],
    ['an empty URL', url(''), 'source.url'],
    ['a long URL', url(`https://example.com/${'a'.repeat(2048)}`), 'source.url'],
    ['a path', url('openapi.json'), 'source.url: must start with https:// or http://'],
    ['a file', url('file:///etc/passwd'), 'source.url: must start with'],
    ['a script', url('javascript:alert(1)'), 'source.url: must start with'],
    ['a private address', url('http://10.0.0.1/openapi.json'), 'source.url: is refused'],
    ['a private address as a number', url('http://0xa9fea9fe/latest'), 'source.url: is refused'],
    ['a local name', url('http://[::1]:80/'), 'source.url: is refused'],
    ['a URL with spaces', url('https://example.com/a b'), 'source.url: must not contain spaces'],
  ])('%s', async (_, body, field) => {
    const posted = await asking.post(path, body === undefined ? undefined : { slug: 'new', ...(body as object) });
    const put = await asking.put(`${path}/kept`, body);
    for (const answer of [posted, put]) {
      expect(answer.body).toEqual({
        error: { code: 400, message: expect.stringContaining(field), reason: expect.any(String) },
      });
      expect(answer.status).toBe(400);
    }
    if (asking.hasSent()) expect(await state()).toEqual(before);
  });

  it.each(['', 'A', 'a_b', 'a--b', '-a', 'a-', 'ä', 'a b', 'a'.repeat(101)])('the slug "%s"', async (slug) => {
    const posted = await asking.post(path, { slug, ...textOf(petstore()) });
    expect([posted.status, posted.body.error.message]).toEqual([400, expect.stringContaining('slug')]);
    if (slug === '') return;
    const put = await asking.put(`${path}/${encodeURIComponent(slug)}`, textOf(petstore()));
    expect([put.status, put.body.error.message]).toEqual([400, expect.stringContaining('specSlug')]);
    if (asking.hasSent()) expect(await state()).toEqual(before);
  });

  it('a slug that is taken, a visibility that is none, and texts that are too long', async () => {
    const taken = await admin.post(path, { slug: 'kept', ...textOf(petstore()) });
    expect([taken.status, taken.body.error.message]).toEqual([400, expect.stringContaining('slug: ')]);
    for (const body of [{}, { visibility: 'unlisted' }, { visibility: null }]) {
      const { status, body: answer } = await asking.patch(`${path}/kept`, body);
      expect([status, answer.error.message]).toEqual([400, expect.stringContaining('visibility')]);
    }
    const long = await admin.put(`${path}/kept`, text('a'.repeat(16 * 1024 * 1024 + 1)));
    expect([long.status, long.body.error.message]).toEqual([413, expect.stringContaining('source.text: larger')]);
    const longer = await admin.put(`${path}/kept`, text('a'.repeat(32 * 1024 * 1024)));
    expect([longer.status, longer.body.error.message]).toEqual([413, expect.stringContaining('32 MiB')]);
    expect(await state()).toEqual(before);
  });
});

const info = 'info: {title: A, version: "1"}';
const ok = `openapi: 3.1.0\n${info}\n`;
const bomb = `${ok}paths: {}\nx-a0: &a0 [lol,lol]\n${Array.from({ length: 40 }, (_, at) => `x-a${at + 1}: &a${at + 1} [*a${at},*a${at},*a${at}]\n`).join('')}`;
const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);

describe('a text that is no specification ends as PARSE_ERROR, and nothing else is affected', () => {
  it.each<[what: string, source: string, message: RegExp]>([
    ['words', 'hello', /it is not an object/],
    ['a list', '[1, 2]', /it is not an object/],
    ['spaces', '   ', /cannot be used/],
    ['JSON that is cut off', '{"openapi": "3.1.0", "info": {', /it is not JSON/],
    ['YAML that is none', 'openapi: "3.1.0\ninfo', /neither JSON nor YAML/],
    ['tabs', 'openapi: 3.1.0\n\tinfo: {}', /neither JSON nor YAML/],
    ['a key twice', `${ok}paths: {}\npaths: {}`, /neither JSON nor YAML: duplicate/i],
    ['two documents', `${ok}paths: {}\n---\n${ok}`, /neither JSON nor YAML/],
    ['no version', '{"info": {"title": "A"}}', /neither `openapi` nor `swagger`/],
    ['an old version', '{"swagger": "1.2", "info": {"title": "A"}}', /its format is "1.2"/],
    ['a future version', `openapi: 4.0.0\n${info}\npaths: {}`, /its format is "4.0.0"/],
    ['a version that is none', '{"openapi": {"a": 1}, "info": {"title": "A"}}', /its format is/],
    ['no info', 'openapi: 3.1.0\npaths: {}', /`info` must be an object/],
    ['no title', 'openapi: 3.1.0\ninfo: {}\npaths: {}', /`info.title` must be a text/],
    ['no paths', `openapi: 3.0.0\n${info}`, /it has no `paths`/],
    ['paths that are a list', `${ok}paths: []`, /`paths` must be an object/],
    ['a path that is a text', `${ok}paths: {/a: b}`, /`paths` has "\/a"/],
    ['an alias bomb', bomb, /too many values|too long|larger/],
    [
      'aliases of a long text',
      `${ok}paths: {}\nx-a: &a ${'a'.repeat(100_000)}\nx-b: [${'*a,'.repeat(2000)}]`,
      /too long/,
    ],
    ['an alias of what holds it', `${ok}paths: {}\nx-a: &a {b: *a}`, /nested|neither JSON nor YAML/],
    ['an unknown alias', `${ok}paths: *none`, /neither JSON nor YAML/],
    ['an unknown tag', `${ok}paths: !!js/function "a"`, /neither JSON nor YAML/],
    [
      'deep JSON',
      `{"openapi":"3.1.0","info":{"title":"A"},"x":${nested('[', ']', 100_000)}}`,
      /nested more than 200|not JSON/,
    ],
    ['deep YAML', `${ok}x-a: ${nested('[', ']', 100_000)}`, /neither JSON nor YAML/],
    ['another file', `${ok}paths: {/a: {$ref: "a.yaml"}}`, /refers to another file, "a.yaml"/],
    ['a file of this machine', `${ok}paths: {/a: {$ref: "file:///etc/passwd"}}`, /refers to another file/],
    ['a file elsewhere', `${ok}paths: {/a: {$ref: "http://10.0.0.1/a"}}`, /refers to another file/],
    [
      'more tags than are taken',
      `${ok}paths: {}\ntags:\n${Array.from({ length: 5001 }, (_, at) => `  - name: t${at}\n`).join('')}`,
      /more than 5,000 tags/,
    ],
  ])('%s', async (_, source, message) => {
    const spec = await publish(admin, `${path}/broken`, text(source));
    expect(spec).toMatchObject({ processingState: 'complete', lastProcessErrorCode: 'PARSE_ERROR' });
    expect(spec.lastProcessErrorMessage).toMatch(message);
    expect(spec.lastProcessErrorMessage.length).toBeLessThan(600);
    expect(spec).not.toHaveProperty('lastVersion');
    expect((await admin.get(`${path}/broken/versions/latest`)).status).toBe(404);
    expect((await admin.get(`${path}/broken/versions/latest/content`)).status).toBe(404);
  });

  it('keeps nothing that reaches a prototype, and takes what only looks dangerous', async () => {
    const long = 'x'.repeat(10_000_000);
    const source = `{"openapi":"3.1.0","info":{"title":"A","description":${JSON.stringify(long)},"__proto__":{"polluted":1}},"paths":{"/a":{"get":{"operationId":"constructor","tags":["__proto__","toString"],"summary":"\\ud800"}}},"components":{"schemas":{"__proto__":{"type":"object"},"constructor":{"type":"object"},"A":{"type":"object","properties":{"$ref":{"type":"string"}},"example":{"$ref":"a.yaml"},"default":{"$ref":"file:///a"}}}}}`;
    await publish(admin, `${path}/odd`, text(source));
    const spec = await processed(admin, `${path}/odd`);
    expect(spec).not.toHaveProperty('lastProcessErrorMessage');
    const { body } = await admin.get(`${path}/odd/versions/latest/content`);
    const { specification } = body.filesystem['openapi.json'];
    expect([specification.info.description.length, Object.keys(specification.components.schemas)]).toEqual([
      long.length,
      ['constructor', 'A'],
    ]);
    expect(JSON.stringify(specification)).not.toContain('polluted');
  });
});

describe('a URL that is not read ends as an error of its own', () => {
  const served = (body: string) => ({ status: 200, body });
  const chain = (at: number) => `{"a": {"$ref": "/chain/${at + 1}"}}`;

  it.each<[what: string, address: string, code: string, message: RegExp]>([
    ['nothing there', '/none', 'FETCH_ERROR', /answered 404/],
    ['an error', '/error', 'FETCH_ERROR', /answered 503/],
    ['a redirect to a private address', '/inside', 'FETCH_ERROR', /not a public address/],
    ['a redirect to a file', '/to-file', 'FETCH_ERROR', /must start with/],
    ['a redirect in a circle', '/circle', 'FETCH_ERROR', /redirects too often/],
    ['a page', '/page', 'PARSE_ERROR', /cannot be used/],
    ['too much', '/huge', 'FETCH_ERROR', /larger than 32 MiB/],
    ['a file that is not there', '/lacks', 'FETCH_ERROR', /answered 404/],
    ['a file at a private address', '/private', 'FETCH_ERROR', /not a public address/],
    ['a file by another protocol', '/ftp', 'PARSE_ERROR', /no http or https URL/],
    ['a file that is broken', '/breaks', 'PARSE_ERROR', /it refers to http.*\/page, and of that: it is/],
    ['too many files', '/many', 'FETCH_ERROR', /more than 100 files/],
    ['files without an end', '/endless', 'FETCH_ERROR', /more than 100 files/],
  ])('%s', async (_, address, code, message) => {
    const refer = (to: string) => served(JSON.stringify(petstore('A', { 'x-a': { $ref: to } })));
    Object.assign(files.files, {
      '/error': { status: 503 },
      '/inside': { status: 302, headers: { location: 'http://10.1.2.3/' } },
      '/to-file': { status: 302, headers: { location: 'file:///etc/passwd' } },
      '/circle': { status: 302, headers: { location: '/circle' } },
      '/page': '<!doctype html>\n<html><body>: no</body></html>',
      '/huge': { status: 200, headers: { 'content-length': String(33 * 1024 * 1024) } },
      '/lacks': refer('/none#/a'),
      '/private': refer('http://10.1.2.3/a.yaml'),
      '/ftp': refer('ftp://example.com/a.yaml'),
      '/breaks': refer('/page'),
      '/many': served(
        JSON.stringify(petstore('A', { 'x-a': Array.from({ length: 100 }, (_, at) => ({ $ref: `/chain/${at}` })) })),
      ),
      '/endless': refer('/chain/0'),
      ...Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`/chain/${at}`, chain(at)])),
    });
    const spec = await publish(admin, `${path}/unread`, url(files.url + address));
    expect([spec.lastProcessErrorCode, spec.lastProcessErrorMessage]).toEqual([code, expect.stringMatching(message)]);
    expect(spec.lastProcessErrorMessage).not.toContain('10.1.2.3:');
  });
});

describe('who is no member', () => {
  it('sees nothing of a specification, and who may not create one changes none', async () => {
    const { body: kept } = await admin.get(`${path}/kept`);
    const stranger = await newUser(admin);
    const theirs = await newOrganization(admin);
    const rest = ['', '/versions', '/versions/latest', '/versions/latest/content', `/versions/${kept.lastVersion}`];
    for (const each of rest) {
      expect((await stranger.client.get(`${path}/kept${each}`)).status).toBe(404);
      expect((await admin.get(`/v1/orgs/${theirs}/openapi/kept${each}`)).status).toBe(404);
      expect((await admin.get(`${path}/kept${each}`, { token: null })).status).toBe(401);
    }
    await publish(admin, `/v1/orgs/${theirs}/openapi/kept`, textOf(petstore('Theirs')));
    for (const each of ['', '/content'])
      expect((await admin.get(`/v1/orgs/${theirs}/openapi/kept/versions/${kept.lastVersion}${each}`)).status).toBe(404);
    for (const role of ['review', 'edit', 'comment', 'read', null]) {
      const { client } = await newUser(admin, { organization, role });
      const { body } = await client.get(`${path}/kept`);
      expect(body).toEqual({ ...kept, permissions: { view: true, edit: false } });
      expect((await client.get(`${path}/kept/versions/latest/content`)).status).toBe(200);
      const tried = [
        await client.post(path, { slug: 'new', ...textOf(petstore()) }),
        await client.put(`${path}/kept`, textOf(petstore('Changed'))),
        await client.patch(`${path}/kept`, { visibility: 'public' }),
        await client.delete(`${path}/kept`),
      ];
      expect(tried.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    }
    expect((await admin.get(`${path}/kept`)).body).toEqual(kept);
  });
});
