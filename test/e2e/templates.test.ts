import { spaceTemplates } from '../../services/content/contract.js';
import { eventually } from '../../shared/testing/eventually.js';
import { auditEvents } from '../support/audit.js';
import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { done } from '../support/requests/setting.js';

const admin = shared();
let organization: string;
beforeAll(async () => {
  organization = await newOrganization(admin);
});

const contentOf = async (space: string) => done(admin.get(`/v1/spaces/${space}/content`));
const apply = (space: string, body: object) => admin.post(`/v1/spaces/${space}/content/template`, body);

it.each(spaceTemplates)('a space is made of the template %s, whose links all lead somewhere', async (id) => {
  const { status, body: space } = await admin.post(`/v1/orgs/${organization}/spaces`, { title: id, template: { id } });
  expect(status).toBe(201);
  const { pages, id: revision } = await contentOf(space.id);
  expect(space.revision).toBe(revision);
  expect(pages.length).toBeGreaterThan(1);
  const { items } = await done(admin.get(`/v1/spaces/${space.id}/links?limit=1000`));
  expect(items.length).toBeGreaterThan(0);
  expect((await done(admin.get(`/v1/spaces/${space.id}/links?status=broken`))).items).toEqual([]);
});

it('an empty space is filled once, is found by the search, and the audit trail tells', async () => {
  const space = await newSpace(admin, organization);
  expect(await apply(space, { id: 'knowledge-base' })).toMatchObject({ status: 201, body: '' });
  const { pages, parents } = await contentOf(space);
  expect([pages[0].title, parents.length]).toEqual(['Help center', 1]);
  const again = await apply(space, { id: 'documentation' });
  expect([again.status, again.body.error.reason]).toEqual([409, 'wrong_state']);
  const found = () => admin.get(`/v1/spaces/${space}/search?query=invoice`).then(({ body }) => body.items);
  const isShown = (items: { title: string }[]) => items.some(({ title }) => title.includes('invoice'));
  await eventually('its pages in the search', found, isShown);
  const [event] = await auditEvents(admin, organization, 'operation=applyTemplateToSpace', 1);
  expect(event).toMatchObject({ resource: { id: space }, details: { template: 'knowledge-base' } });
});

it('a change request is filled, and the space when it is merged', async () => {
  const space = await newSpace(admin, organization);
  const { id, number } = await done(admin.post(`/v1/spaces/${space}/change-requests`, { subject: 'Begin' }));
  expect((await apply(space, { id: 'changelog', changeRequestId: String(number) })).status).toBe(201);
  expect((await apply(space, { id: 'changelog', changeRequestId: id })).status).toBe(409);
  expect((await contentOf(space)).pages).toEqual([]);
  expect((await done(admin.post(`/v1/spaces/${space}/change-requests/${id}/merge`, {}))).result).toBe('merge');
  expect((await contentOf(space)).pages[0].title).toBe('What is new');
});

it.each<[object, number, string]>([
  [{}, 400, 'id'],
  [{ id: 7 }, 400, 'id'],
  [{ id: 'nothing-like-it' }, 404, 'nothing-like-it'],
  [{ id: '../docs' }, 404, '../docs'],
  [{ id: 'changelog', changeRequestId: 'none' }, 404, 'Change request'],
  [{ id: 'changelog', params: { contentRefs: { spec: { kind: 'openapi' } } } }, 400, 'params.contentRefs'],
])('%j is refused, and changes nothing', async (body, status, text) => {
  const space = await newSpace(admin, organization);
  const answer = await apply(space, body);
  expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringContaining(text)]);
  expect((await contentOf(space)).pages).toEqual([]);
});

it('no space is made of a template that is not there', async () => {
  const own = await newOrganization(admin);
  expect((await admin.post(`/v1/orgs/${own}/spaces`, { template: { id: 'none' } })).status).toBe(404);
  expect((await admin.get(`/v1/orgs/${own}/spaces`)).body.count).toBe(0);
});
