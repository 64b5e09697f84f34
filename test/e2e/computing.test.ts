import { computed, openapi, paths, publishSpec, specPath } from '../support/computed.js';
import { document, inserted } from '../support/content-changes.js';
import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { newSite } from '../support/site.js';

const client = shared();
let organization: string;
beforeAll(async () => {
  organization = await newOrganization(client);
});

const spec = (slug: string) => specPath(organization, slug);
const publish = (slug: string, content: object) => publishSpec(client, { organization, slug }, content);
const content = async (space: string) => (await client.get(`/v1/spaces/${space}/content`)).body;

describe('computing without storing', () => {
  const from = (rest: string) => (space: string, body: object, token?: string) =>
    client.request('POST', `/v1/spaces/${space}/content/computed/${rest}`, body, token ? { token } : {});
  const revision = from('revision');
  const computedDocument = from('document');
  let space: string;
  beforeAll(async () => {
    await publish('pure', openapi({ '/a': { tag: 'A' }, '/b': { tag: 'B', summary: 'Be' } }));
    space = await newSpace(client, organization, { editMode: 'live' });
  });

  it('answers the pages of a specification, and their documents', async () => {
    const answer = await revision(space, { source: computed('pure'), seed: 's' });
    expect(answer).toMatchObject({ status: 200, body: { files: [], reusableContents: [] } });
    expect(paths(answer.body.pages)).toEqual(['a', 'b', 'models']);
    const other = await revision(space, { source: computed('pure'), seed: 't' });
    expect(other.body.pages[0].id).not.toBe(answer.body.pages[0].id);
    for (const [at, type] of ['openapi-operation', 'openapi-operation', 'openapi-schemas'].entries()) {
      const source = answer.body.pages[at].computed;
      const { status, body } = await computedDocument(space, { source, seed: 's' });
      expect([status, body.nodes.map((node: any) => node.type)]).toEqual([200, [type]]);
    }
    expect(paths((await content(space)).pages)).toEqual([]);
  });

  it.each([
    ['revision', { source: computed('none'), seed: 's' }, 404, 'OpenAPI specification'],
    ['revision', { source: computed('pure') }, 400, 'seed'],
    ['revision', { source: { ...computed('pure'), type: 'integration:a:b' }, seed: 's' }, 404, 'Installation'],
    ['revision', { source: { ...computed('pure'), type: 'other:a:b' }, seed: 's' }, 400, 'source.type'],
    ['revision', { source: { type: 'builtin:openapi', props: {} }, seed: 's' }, 400, 'source.dependencies'],
    ['document', { source: computed('pure', { doc: 'operations', page: 'z' }), seed: 's' }, 404, 'Page'],
    ['document', { source: computed('pure', { doc: 'operations' }), seed: 's' }, 400, 'source.props'],
    ['document', { source: computed('pure', { doc: 'other' }), seed: 's' }, 400, 'source.props'],
  ])('refuses %s %j with %i', async (name, body, status, message) => {
    const answer = await from(name)(space, body);
    expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringContaining(message)]);
  });

  it('shows visitors of a site the specifications of pages that they see, and no others', async () => {
    await publish('hidden', openapi({ '/h': {} }));
    const changes = [{ operation: 'insert_page', computed: computed('pure') }, inserted('Home', document('x'))];
    expect((await client.post(`/v1/spaces/${space}/content`, { changes })).status).toBe(200);
    const site = await newSite(organization, { spaces: [space] });
    const { urls } = await site.ok('POST', '/publish');
    const { apiToken } = (await client.post('/v1/urls/published', { url: urls.published })).body;
    expect((await revision(space, { source: computed('pure'), seed: 's' }, apiToken)).status).toBe(200);
    expect((await revision(space, { source: computed('hidden'), seed: 's' }, apiToken)).status).toBe(404);
    const latest = (slug: string) => client.get(`${spec(slug)}/versions/latest/content`, { token: apiToken });
    expect((await latest('pure')).body.filesystem).toEqual([expect.objectContaining({ isEntrypoint: true })]);
    expect((await latest('hidden')).status).toBe(404);
  });
});
