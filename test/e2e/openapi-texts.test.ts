import { newOrganization, newUser, shared } from '../support/fixtures.js';
import { openFiles, petstore, publish } from '../support/openapi.js';

const admin = shared();
let organization: string;
let at: (rest?: string) => string;
beforeAll(async () => {
  organization = await newOrganization(admin);
  at = (rest = '') => `/v1/orgs/${organization}/openapi${rest}`;
});

const give = (text: string) => publish(admin, at('/pets'), { source: { text } });
const readRaw = (slug = 'pets', client = admin) => client.get(at(`/${slug}/versions/latest/content/raw`));

it('the text of a specification is read as it was given, and follows what is given anew', async () => {
  const json = `\uFEFF${JSON.stringify(petstore('Größe 🐕 "x"\u2028'), null, 2)}\r\n`;
  const { lastVersion } = await give(json);
  const first = await readRaw();
  expect([first.status, first.body]).toEqual([200, { text: json, format: 'json' }]);
  const etag = String(first.headers.get('etag'));
  const known = await admin.get(at('/pets/versions/latest/content/raw'), { headers: { 'if-none-match': etag } });
  expect(known.status).toBe(304);

  const yaml = `# The same\n${JSON.stringify(petstore('Größe 🐕 "x"\u2028'))}\n`;
  expect((await give(yaml)).lastVersion).toBe(lastVersion);
  const second = await readRaw();
  expect([second.body, second.headers.get('etag') === etag]).toEqual([{ text: yaml, format: 'yaml' }, false]);

  await give('openapi: [');
  expect((await readRaw()).body.text).toBe(yaml);
  await give('{openapi: 3.1.0, info: {title: Flow}, paths: {}}');
  expect((await readRaw()).body).toEqual({ text: '{openapi: 3.1.0, info: {title: Flow}, paths: {}}', format: 'yaml' });
});

it('of several files it is the first one, and of a large one all of it', async () => {
  const entry = 'openapi: 3.1.0\ninfo: {title: Split, version: "1"}\npaths:\n  /pets: {$ref: "pets.yaml"}\n';
  const files = await openFiles({ '/openapi.yaml': entry, '/pets.yaml': 'get: {responses: {}}\n' });
  await publish(admin, at('/split'), { source: { url: `${files.url}/openapi.yaml` } });
  await files.close();
  expect((await readRaw('split')).body).toEqual({ text: entry, format: 'yaml' });
  const large = JSON.stringify(petstore('Large', { 'x-more': Array(60_000).fill('"é"') }));
  await publish(admin, at('/large'), { source: { text: large } });
  expect((await readRaw('large')).body.text === large).toBe(true);
});

it('members read it; others, and what is not there, are refused', async () => {
  await give(JSON.stringify(petstore()));
  const { client } = await newUser(admin, { organization, role: 'read' });
  expect((await readRaw('pets', client)).status).toBe(200);
  expect((await readRaw('pets', (await newUser(admin, {})).client)).status).toBe(404);
  expect((await readRaw('none')).status).toBe(404);
  await publish(admin, at('/broken'), { source: { text: 'openapi: [' } });
  const { status, body } = await readRaw('broken');
  expect([status, body.error.message]).toEqual([404, 'Version not found']);
});
