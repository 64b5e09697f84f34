import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { petstore, publish, textOf } from '../support/openapi.js';
import { importedSpace, openRepositories, type Repositories } from '../support/repository.js';
import { newSite } from '../support/site.js';

const admin = shared();
const block = (spec: string) =>
  `{% openapi-operation spec="${spec}" path="/pets" method="get" %}\n{% endopenapi-operation %}\n`;
const condition = (name: string) => `---\nif: visitor.claims.unsigned.${name} == true\n---\n\n`;

/** Every specification is named after the claim that opens it: `all` for every visitor, `nobody` for none. */
const docs = {
  'SUMMARY.md':
    '# Contents\n\n* [Home](README.md)\n* [Beta](beta.md)\n* [API](api.md)\n* ```yaml\n  type: builtin:openapi\n  props:\n    models: true\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: computed-all\n  ```\n',
  'README.md': `# Home\n\n${block('operation-all')}\n{% openapi-webhook spec="webhook-all" name="a" method="post" %}\n{% endopenapi-webhook %}\n\n{% include ".gitbook/includes/note.md" %}\n`,
  'beta.md': `${condition('beta')}# Beta\n\n${block('page-beta')}\n{% include ".gitbook/includes/beta.md" %}\n`,
  'api.md':
    '# API\n\n{% openapi-schemas spec="schemas-all" schemas="Pet" grouped="true" %}\n{% endopenapi-schemas %}\n',
  '.gitbook/includes/note.md': `---\ntitle: note\n---\n\n${block('included-all')}`,
  '.gitbook/includes/beta.md': `---\ntitle: beta\n---\n\n${block('included-beta')}`,
  '.gitbook/includes/draft.md': `---\ntitle: draft\n---\n\n${block('draft-nobody')}`,
};
const slugs =
  'operation-all webhook-all schemas-all included-all computed-all second-all page-beta included-beta draft-nobody unused-nobody other-nobody'.split(
    ' ',
  );

let repositories: Repositories;
let organization: string;
let published: string;
beforeAll(async () => {
  repositories = await openRepositories();
  organization = await newOrganization(admin);
  await Promise.all(
    slugs.map((slug) => publish(admin, `/v1/orgs/${organization}/openapi/${slug}`, textOf(petstore(slug)))),
  );
  const setting = { client: admin, organization, repositories };
  const first = await importedSpace(setting, 'first', docs);
  const second = await importedSpace(setting, 'second', { 'README.md': `# Second\n\n${block('second-all')}` });
  await importedSpace(setting, 'other', { 'README.md': `# Other\n\n${block('other-nobody')}` });
  const site = await newSite(organization, { spaces: [first.space, second.space] });
  published = (await site.ok('POST', '/publish')).urls.published;
});
afterAll(() => repositories.close());

async function tokenFor(claims: Record<string, boolean>): Promise<string> {
  const { body } = await admin.post('/v1/urls/published', { url: published, visitor: { unsignedClaims: claims } });
  return body.apiToken;
}
const contentAt = (slug: string, of = organization) => `/v1/orgs/${of}/openapi/${slug}/versions/latest/content`;

it.each([
  ['without claims', {}, /-all$/],
  ['with a claim', { beta: true }, /-(all|beta)$/],
])('a visitor %s reads the specifications of the pages that it sees, as a list', async (_, claims, readable) => {
  const token = await tokenFor(claims);
  const answers = await Promise.all(slugs.map((slug) => admin.get(contentAt(slug), { token })));
  const read = slugs.filter((_, at) => answers[at]?.status === 200);
  expect(read).toEqual(slugs.filter((slug) => readable.test(slug)));
  for (const { status, body, headers } of answers) {
    if (status !== 200) expect([status, body.error.message]).toEqual([404, 'OpenAPI specification not found']);
    else {
      const { specification, ...entry } = body.filesystem[0];
      expect(entry).toEqual({ filename: 'openapi.json', dir: './', isEntrypoint: true, references: [] });
      const tag = `organization:${organization}:openapi:${specification.info.title}`;
      expect(headers.get('x-gitbook-cache-tag')).toContain(tag);
      expect(await (await fetch(body.url)).json()).toEqual(specification);
    }
  }
});

it('a visitor reads nothing else of specifications, public ones excepted, and nothing of another organization', async () => {
  const token = await tokenFor({});
  const spec = `/v1/orgs/${organization}/openapi/operation-all`;
  const { body } = await admin.get(spec);
  expect((await admin.get(`${spec}/versions/${body.lastVersion}/content`, { token })).status).toBe(200);
  for (const rest of ['', '/versions', '/versions/latest', `/versions/${body.lastVersion}`])
    expect((await admin.get(spec + rest, { token })).status).toBe(403);
  for (const [method, sent] of [
    ['PUT', textOf(petstore())],
    ['PATCH', { visibility: 'public' }],
    ['DELETE', undefined],
  ] as const)
    expect((await admin.request(method, spec, sent, { token })).status).toBe(403);
  const unused = `/v1/orgs/${organization}/openapi/unused-nobody`;
  await admin.patch(unused, { visibility: 'public' });
  expect((await admin.get(contentAt('unused-nobody'), { token })).status).toBe(200);
  await admin.patch(unused, { visibility: 'private' });
  expect((await admin.get(contentAt('unused-nobody'), { token })).status).toBe(404);
  const theirs = await newOrganization(admin);
  await newSpace(admin, theirs);
  await publish(admin, `/v1/orgs/${theirs}/openapi/operation-all`, textOf(petstore()));
  await admin.patch(`/v1/orgs/${theirs}/openapi/operation-all`, { visibility: 'public' });
  expect((await admin.get(contentAt('operation-all', theirs), { token })).status).toBe(404);
});

it('a visitor no longer reads what a page referred to before it changed', async () => {
  const space = await newSpace(admin, organization, { editMode: 'live' });
  const changed = async (...changes: unknown[]) => (await admin.post(`/v1/spaces/${space}/content`, { changes })).body;
  const document = { markdown: `# Page\n\n${block('draft-nobody')}` };
  const { pages } = await changed({ operation: 'insert_page', document });
  const site = await newSite(organization, { spaces: [space] });
  const { urls } = await site.ok('POST', '/publish');
  const { body } = await admin.post('/v1/urls/published', { url: urls.published });
  const status = async () => (await admin.get(contentAt('draft-nobody'), { token: body.apiToken })).status;
  expect(await status()).toBe(200);
  await changed({ operation: 'update_page', page: pages[0].id, document: { markdown: '# Page\n\nNothing.\n' } });
  expect(await status()).toBe(404);
});
