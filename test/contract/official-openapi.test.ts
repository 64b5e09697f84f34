import { GitBookAPI } from '@gitbook/api';
import { GitBookAPI as NewestAPI } from '@gitbook/api-next';
import { newOrganization, shared } from '../support/fixtures.js';
import { openFiles, petstore, processed } from '../support/openapi.js';

const admin = shared();
// Its types name their own files without extension, which NodeNext does not follow.
const { orgs } = new GitBookAPI({ endpoint: admin.url, authToken: admin.token }) as any;

it('the official client calls every operation of OpenAPI specifications', async () => {
  const organization = await newOrganization(admin);
  const call = async (name: string, ...rest: unknown[]) => (await orgs[name](organization, ...rest)).data;
  const text = JSON.stringify(petstore());

  const created = await call('createOpenApiSpec', { slug: 'pets', source: { text } });
  expect(created).toMatchObject({ object: 'openapi-spec', slug: 'pets' });
  const spec = await processed(admin, `/v1/orgs/${organization}/openapi/pets`);
  expect(await call('getOpenApiSpecBySlug', 'pets')).toEqual(spec);
  expect((await call('listOpenApiSpecs', { limit: 10 })).items).toEqual([spec]);
  const version = await call('getLatestOpenApiSpecVersion', 'pets');
  expect(version.id).toBe(spec.lastVersion);
  expect(await call('getOpenApiSpecVersionById', 'pets', version.id)).toEqual(version);
  expect((await call('listOpenApiSpecVersions', 'pets')).items).toEqual([version]);
  const content = await call('getLatestOpenApiSpecVersionContent', 'pets');
  expect(content.filesystem['openapi.json'].specification.info.title).toBe('Petstore');
  expect(await call('getOpenApiSpecVersionContentById', 'pets', version.id)).toEqual(content);
  expect((await call('updateOpenApiSpecBySlug', 'pets', { visibility: 'public' })).visibility).toBe('public');
  expect((await orgs.deleteOpenApiSpecBySlug(organization, 'pets')).status).toBe(205);
});

it('the newest official client reads the text of a specification', async () => {
  const organization = await newOrganization(admin);
  const newest = new NewestAPI({ endpoint: admin.url, authToken: admin.token }) as any;
  const text = `# Ours\n${JSON.stringify(petstore(), null, 2)}\n`;
  await newest.orgs.createOpenApiSpec(organization, { slug: 'pets', source: { text } });
  await processed(admin, `/v1/orgs/${organization}/openapi/pets`);
  const { data } = await newest.orgs.getLatestOpenApiSpecVersionContentRaw(organization, 'pets');
  expect(data).toEqual({ text, format: 'yaml' });
});

it('`gitbook openapi publish` publishes a file and a URL', async () => {
  const organization = await newOrganization(admin);
  const files = await openFiles({ '/openapi.json': JSON.stringify(petstore('By URL')) });
  const headers = { 'user-agent': '@gitbook/cli/0.25.1' };
  const path = `/v1/orgs/${organization}/openapi/pets`;
  for (const source of [{ text: JSON.stringify(petstore('By file')) }, { url: `${files.url}/openapi.json` }]) {
    const { status, body } = await admin.put(path, { source }, { headers });
    expect([status, body.urls.app]).toEqual([200, expect.stringMatching(/^http/)]);
    await processed(admin, path);
  }
  await files.close();
  const { body } = await admin.get(`${path}/versions/latest/content`);
  expect(body.filesystem['openapi.json'].specification.info.title).toBe('By URL');
});
