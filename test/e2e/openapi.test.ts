import { eventually } from '../../shared/testing/eventually.js';
import { newOrganization, newUser, shared, walk } from '../support/fixtures.js';
import { openFiles, petstore, processed, publish, textOf } from '../support/openapi.js';

const admin = shared();
let organization: string;
let at: (rest?: string) => string;
let files: Awaited<ReturnType<typeof openFiles>>;
beforeAll(async () => {
  organization = await newOrganization(admin);
  at = (rest = '') => `/v1/orgs/${organization}/openapi${rest}`;
  files = await openFiles({});
});
afterAll(() => files.close());

const contentOf = async (slug: string, version = 'latest') =>
  (await admin.get(at(`/${slug}/versions/${version}/content`))).body;

describe('an OpenAPI specification', () => {
  it('becomes a version of OpenAPI 3.1 that can be read', async () => {
    const created = await admin.post(at(), { slug: 'pets', ...textOf(petstore()) });
    expect([created.status, created.headers.get('location')]).toEqual([201, created.body.urls.location]);
    const spec = await processed(admin, at('/pets'));
    expect(spec).toMatchObject({
      object: 'openapi-spec',
      slug: 'pets',
      processingState: 'complete',
      visibility: 'private',
      lastVersion: expect.any(String),
      lastProcessedAt: expect.any(String),
      permissions: { view: true, edit: true },
    });
    expect([spec.sourceURL, spec.lastProcessErrorCode, spec.urls.published]).toEqual([undefined, undefined, undefined]);
    const { body: version } = await admin.get(at('/pets/versions/latest'));
    expect(version).toMatchObject({ object: 'openapi-spec-version', id: spec.lastVersion });
    expect((await admin.get(at(`/pets/versions/${version.id}`))).body).toEqual(version);
    const { filesystem, url } = await contentOf('pets');
    expect([Object.keys(filesystem), url]).toEqual([['openapi.json'], version.url]);
    const { specification, ...entry } = filesystem['openapi.json'];
    expect(entry).toEqual({ filename: 'openapi.json', dir: './', isEntrypoint: true, references: [] });
    expect([specification.openapi, specification.components.schemas.Pet.properties.name]).toEqual([
      '3.1.1',
      { type: ['string', 'null'] },
    ]);
    const file = await fetch(url);
    expect([file.headers.get('content-type'), await file.json()]).toEqual([
      'application/json; charset=utf-8',
      specification,
    ]);
    const urls = { source: url, public: null };
    expect(await contentOf('pets', version.id)).toEqual({ filesystem, url, urls });
  });

  it('gets a new version only of new content', async () => {
    const first = await publish(admin, at('/same'), textOf(petstore()));
    const yaml = 'openapi: 3.0.3\ninfo: {title: Petstore, version: "1.0"}\npaths:\n  /pets:\n    get: {}\n';
    const again = await publish(admin, at('/same'), { source: { text: JSON.stringify(petstore(), null, 2) } });
    const other = await publish(admin, at('/same'), { source: { text: yaml } });
    const broken = await publish(admin, at('/same'), { source: { text: 'openapi: [' } });
    expect([again.id, again.lastVersion]).toEqual([first.id, first.lastVersion]);
    expect(other.lastVersion).not.toBe(first.lastVersion);
    expect(broken).toMatchObject({ lastVersion: other.lastVersion, lastProcessErrorCode: 'PARSE_ERROR' });
    expect(broken.lastProcessErrorMessage).toMatch(/neither JSON nor YAML: .+, at line 1, column/);
    const versions = await walk(admin, at('/same/versions'), 1);
    expect(versions.map(({ id }) => id)).toEqual([other.lastVersion, first.lastVersion]);
    const cleared = await publish(admin, at('/same'), { source: { text: yaml } });
    expect([cleared.lastVersion, cleared.lastProcessErrorCode]).toEqual([other.lastVersion, undefined]);
  });

  it('is read from a URL, with all files that it refers to, each once', async () => {
    files.files['/api/openapi.yaml'] =
      'swagger: "2.0"\ninfo: {title: Split, version: 1}\npaths:\n  /pets:\n    $ref: paths/pets.yaml\ndefinitions:\n  Pet: {$ref: "models/pet.yaml"}\n';
    files.files['/api/paths/pets.yaml'] =
      'get:\n  responses:\n    200: {description: Pets, schema: {$ref: "../models/pet.yaml"}}\n';
    files.files['/api/models/pet.yaml'] =
      'type: object\nproperties:\n  parent: {$ref: "pet.yaml"}\n  top: {$ref: "../openapi.yaml#/definitions/Pet"}\n  name: {$ref: "#/properties/nick"}\n  nick: {type: string, example: Rex}\n';
    const { host } = new URL(files.url);
    const url = `http://user:secret@${host}/api/openapi.yaml`;
    const spec = await publish(admin, at('/split'), { source: { url } });
    expect(spec).toMatchObject({ sourceURL: `${files.url}/api/openapi.yaml`, lastVersion: expect.any(String) });
    const basic = `Basic ${Buffer.from('user:secret').toString('base64')}`;
    const seen = files.requests.filter(({ path }) => path.startsWith('/api/'));
    expect(seen.map(({ path }) => path).sort()).toEqual(Object.keys(files.files).sort());
    expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(new Set([basic]));
    const { specification } = (await contentOf('split')).filesystem['openapi.json'];
    const pet = specification['x-ext'].schema.pet;
    expect(pet.properties).toEqual({
      parent: { $ref: '#/x-ext/schema/pet' },
      top: { $ref: '#/components/schemas/Pet' },
      name: { $ref: '#/x-ext/schema/pet/properties/nick' },
      nick: { type: 'string', examples: ['Rex'] },
    });
    expect(specification.paths['/pets'].get.responses['200'].content).toEqual({
      'application/json': { schema: { $ref: '#/x-ext/schema/pet' } },
    });
  });

  it('is read again when the same URL is published again', async () => {
    files.files['/again.json'] = JSON.stringify(petstore('One'));
    const source = { source: { url: `${files.url}/again.json` } };
    const one = await publish(admin, at('/again'), source);
    files.files['/again.json'] = JSON.stringify(petstore('Two'));
    const two = await publish(admin, at('/again'), source);
    expect(two.lastVersion).not.toBe(one.lastVersion);
    files.files['/again.json'] = { status: 500 };
    const failed = await publish(admin, at('/again'), source);
    expect(failed).toMatchObject({ lastVersion: two.lastVersion, lastProcessErrorCode: 'FETCH_ERROR' });
    expect((await contentOf('again')).filesystem['openapi.json'].specification.info.title).toBe('Two');
  });

  it('is what was published last when requests come together', async () => {
    await publish(admin, at('/races'), textOf(petstore('0')));
    const titles = ['1', '2', '3', '4', '5'];
    await Promise.all(titles.map((title) => admin.put(at('/races'), textOf(petstore(title)))));
    await publish(admin, at('/races'), textOf(petstore('last')));
    expect((await contentOf('races')).filesystem['openapi.json'].specification.info.title).toBe('last');
    const created = await Promise.all(titles.map(() => admin.post(at(), { slug: 'once', ...textOf(petstore()) })));
    expect(created.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
    const put = await Promise.all(titles.map((title) => admin.put(at('/upsert'), textOf(petstore(title)))));
    expect(new Set(put.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  });

  it('keeps its last 20 versions', async () => {
    for (let number = 1; number <= 22; number++) await publish(admin, at('/many'), textOf(petstore(`${number}`)));
    await publish(admin, at('/many'), textOf(petstore('22')));
    const { body } = await admin.get(at('/many/versions?limit=1000'));
    expect([body.count, body.items.length]).toEqual([20, 20]);
    expect((await contentOf('many', body.items.at(-1).id)).filesystem['openapi.json'].specification.info.title).toBe(
      '3',
    );
  });

  it('is listed by its slug, page by page', async () => {
    const own = await newOrganization(admin);
    const slugs = ['a', 'b', 'c-1', 'd', 'e'];
    for (const slug of [...slugs].reverse()) await admin.put(`/v1/orgs/${own}/openapi/${slug}`, textOf(petstore()));
    for (const limit of [1, 2, 5, 50]) {
      const listed = await walk(admin, `/v1/orgs/${own}/openapi`, limit);
      expect(listed.map(({ slug }) => slug)).toEqual(slugs);
    }
    expect((await admin.get(`/v1/orgs/${own}/openapi?limit=0`)).body).toEqual({ count: 5, items: [] });
  });

  it('is read without a token while it is public', async () => {
    await publish(admin, at('/open'), textOf(petstore('Open')));
    const path = at('/open/published');
    const { token: _, client } = await newUser(admin);
    const asked = () => Promise.all([admin.get(path, { token: null }), client.get(path)]);
    expect((await asked()).map(({ status }) => status)).toEqual([404, 404]);
    const { body } = await admin.patch(at('/open'), { visibility: 'public' });
    expect([body.visibility, body.urls.published]).toEqual(['public', admin.url + path]);
    for (const answer of await asked()) expect([answer.status, answer.body.info.title]).toEqual([200, 'Open']);
    const { headers } = await admin.get(path, { token: null });
    const known = { 'if-none-match': String(headers.get('etag')) };
    expect((await admin.get(path, { token: null, headers: known })).status).toBe(304);
    await admin.patch(at('/open'), { visibility: 'private' });
    expect((await asked()).map(({ status }) => status)).toEqual([404, 404]);
  });

  it('is gone when it is deleted, and counts in the storage until then', async () => {
    const own = await newOrganization(admin);
    const path = `/v1/orgs/${own}/openapi/pets`;
    const used = async () => (await admin.get(`/v1/orgs/${own}/storage`)).body.used;
    const before = await used();
    const { lastVersion } = await publish(admin, path, textOf(petstore()));
    const version = (await admin.get(`${path}/versions/${lastVersion}`)).body;
    const { length } = await (await fetch(version.url)).text();
    const raw = JSON.stringify((await admin.get(`${path}/versions/latest/content/raw`)).body);
    // The text that was sent is removed once it has become a version, which holds it in another form.
    await eventually('the version alone', used, (bytes) => bytes - before < 2 * length + raw.length);
    expect((await used()) - before).toBeGreaterThan(length);
    expect((await admin.delete(path)).status).toBe(205);
    for (const rest of ['', '/versions', '/versions/latest', `/versions/${lastVersion}/content`])
      expect((await admin.get(path + rest)).status).toBe(404);
    expect([(await admin.delete(path)).status, (await admin.get(`/v1/orgs/${own}/openapi`)).body.count]).toEqual([
      404, 0,
    ]);
    await eventually('the storage as it was before', used, (bytes) => bytes === before);
    const again = await publish(admin, path, textOf(petstore()));
    expect([again.lastVersion === lastVersion, (await admin.get(`${path}/versions`)).body.count]).toEqual([false, 1]);
  });
});
