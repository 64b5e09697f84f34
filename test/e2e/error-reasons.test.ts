import { changeRequestsOf, insert } from '../support/change-requests.js';
import { newOrganization, newSpace, newUser, shared, shownUser, unique } from '../support/fixtures.js';
import type { Answer } from '../support/server.js';

const admin = shared();

let organization: string;
let space: string;
beforeAll(async () => {
  organization = await newOrganization(admin);
  space = await newSpace(admin, organization);
});

const key = () => ({ headers: { 'Idempotency-Key': unique('key').replaceAll(' ', '-') } });

/** The answers of errors by the reason that each has. */
const answers: Record<string, () => Promise<Answer<any>>> = {
  unauthenticated: () => admin.get('/v1/user', { token: null }),
  invalid_token: () => admin.get('/v1/user', { token: 'bnd_unknown' }),
  not_found: () => admin.get('/v1/spaces/unknown'),
  method_not_allowed: () => admin.delete('/v1/user/tokens'),
  invalid_request: () => admin.patch(`/v1/spaces/${space}`, { title: 5 }),
  unsupported_media_type: () =>
    admin.post(`/v1/orgs/${organization}/spaces`, undefined, { raw: '{}', headers: { 'content-type': 'text/plain' } }),
  list_page_unknown: () => admin.get(`/v1/orgs/${organization}/spaces?page=unknown`),
  async missing_right() {
    const { client } = await newUser(admin, { organization, role: 'read' });
    return client.patch(`/v1/spaces/${space}`, { title: 'Mine' });
  },
  wrong_state: () => admin.post(`/v1/spaces/${space}/restore`),
  async last_admin() {
    return admin.delete(`/v1/orgs/${organization}/members/${(await shownUser(admin)).id}`);
  },
  space_locked: () => admin.post(`/v1/spaces/${space}/content`, { changes: [insert('One')] }),
  async change_request_closed() {
    const requests = changeRequestsOf(admin, { space });
    const number = await requests.newRequest();
    await requests.write(number, insert('One'));
    await requests.merge(number);
    return admin.post(`/v1/spaces/${space}/change-requests/${number}/content`, { changes: [insert('Two')] });
  },
  async taken() {
    const live = await newSpace(admin, organization, { editMode: 'live' });
    const same = insert('One', { slug: 'one' });
    return admin.post(`/v1/spaces/${live}/content`, { changes: [same, same] });
  },
  async idempotency_key_reused() {
    const kept = key();
    await admin.post(`/v1/orgs/${organization}/spaces`, { title: 'One' }, kept);
    return admin.post(`/v1/orgs/${organization}/spaces`, { title: 'Two' }, kept);
  },
};

it.each(Object.entries(answers))('an error says %s to programs', async (reason, ask) => {
  const { status, body } = await ask();
  expect(body).toEqual({ error: { code: status, message: expect.any(String), reason } });
});

it('a request that is repeated with its Idempotency-Key fails for the same reason', async () => {
  const kept = key();
  for (let i = 0; i < 2; i++)
    expect((await admin.post(`/v1/spaces/${space}/restore`, undefined, kept)).body.error.reason).toBe('wrong_state');
});

it('the OpenAPI document lists the reasons, and leaves room for those of later releases', async () => {
  const { body } = await admin.get('/openapi.json', { token: null });
  const { reason } = body.components.schemas.Error.properties.error.properties;
  expect(reason.anyOf[0].enum).toEqual(expect.arrayContaining(Object.keys(answers)));
  expect(reason.anyOf[1]).toEqual({ type: 'string' });
});
