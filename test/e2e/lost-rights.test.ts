import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { eventually } from '../../shared/testing/eventually.js';
import { changeRequestsOf, insert } from '../support/change-requests.js';
import { developerMachine } from '../support/developing.js';
import { type NewUser, newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { gitFront, type Push } from '../support/git-front.js';
import { ended } from '../support/imports/import-target.js';
import { Web } from '../support/imports/web.js';
import { installed } from '../support/installations.js';
import { importInto, openRepositories, operationEnd, type Repositories } from '../support/repository.js';
import { done } from '../support/requests/setting.js';
import { type Answer, Client } from '../support/server.js';

const admin = shared();
let organization: string;
let space: string;
beforeAll(async () => {
  organization = await newOrganization(admin);
});
beforeEach(async () => {
  space = await newSpace(admin, organization);
});

const revision = async () => (await done(admin.get(`/v1/spaces/${space}`))).revision;
const member = ({ id }: NewUser) => `/v1/orgs/${organization}/members/${id}`;
const okay = async (answer: Promise<Answer>) => expect((await answer).status).toBeLessThan(300);

/** Each way to take away a role in the organization. */
const removals: [string, (user: NewUser) => Promise<void>][] = [
  ['is removed', (user) => okay(admin.delete(member(user)))],
  ['is disabled', (user) => okay(admin.patch(member(user), { disabled: true }))],
  ['is made a reader', (user) => okay(admin.patch(member(user), { role: 'read' }))],
  [
    'is shut out of the space',
    (user) => okay(admin.post(`/v1/spaces/${space}/permissions`, { users: [user.id], role: null })),
  ],
  ['finds the space sealed', () => okay(admin.patch(`/v1/spaces/${space}`, { defaultLevel: null }))],
];

describe('a request whose body comes after its caller lost the right', () => {
  /** Sends the head of a request with a token that was never used, and its body when the test says so. */
  async function held(user: NewUser, method: string, path: string, body: unknown) {
    const made = await done(user.client.post('/v1/user/tokens', { label: 'held' }));
    let send = () => {};
    const raw = new ReadableStream({
      start(body_) {
        body_.enqueue(Buffer.from(' '));
        send = () => {
          body_.enqueue(Buffer.from(JSON.stringify(body)));
          body_.close();
        };
      },
    });
    const headers = { 'content-type': 'application/json' };
    const answer = user.client.request(method, path, undefined, { token: made.token, raw, headers });
    await eventually('the caller of the request', async () =>
      (await done(user.client.get('/v1/user/tokens'))).items.some(
        (each: any) => each.id === made.id && each.lastUsedAt,
      ),
    );
    return { token: made.id as string, send, answer };
  }

  it('does not give the role back', async () => {
    const user = await newUser(admin, { organization, role: 'admin' });
    const { send, answer } = await held(user, 'PATCH', member(user), { role: 'admin' });
    await okay(admin.patch(member(user), { role: 'read' }));
    send();
    expect((await answer).status).toBe(403);
    expect((await done(admin.get(member(user)))).role).toBe('read');
  });

  it('invites nobody into the organization that its caller left', async () => {
    const user = await newUser(admin, { organization, role: 'admin' });
    const invites = `/v1/orgs/${organization}/invites`;
    const { send, answer } = await held(user, 'POST', invites, { emails: [user.email], role: 'admin' });
    await okay(admin.delete(member(user)));
    send();
    expect((await answer).status).toBe(404);
    expect((await admin.get(member(user))).status).toBe(404);
  });

  /** What opens the organization to others or to oneself, by its path there. */
  const changesOfAccess: [string, string, string, object][] = [
    ['makes no team', 'PUT', '/teams', { title: 'Mine' }],
    ['fills no team', 'PUT', '/teams/TEAM/members', { add: ['USER'] }],
    ['renames no team', 'PATCH', '/teams/TEAM', { title: 'Mine' }],
    ['sets up no single sign-on', 'POST', '/saml', { label: 'Mine', defaultRole: 'admin' }],
    ['changes no single sign-on', 'PATCH', '/saml/SAML', { defaultRole: 'admin' }],
    ['makes no invite', 'POST', '/link-invites', { role: 'admin' }],
    ['opens the organization to nobody', 'PATCH', '', { defaultRole: 'admin' }],
  ];
  it.each(changesOfAccess)('%s', async (_, method, path, body) => {
    const home = await newOrganization(admin);
    const user = await newUser(admin, { organization: home, role: 'admin' });
    const at = `/v1/orgs/${home}`;
    const { id: team } = await done(admin.put(`${at}/teams`, { title: 'Writers' }));
    const { id: saml } = await done(admin.post(`${at}/saml`, { label: 'Okta' }));
    const own = (text: string) => text.replace('TEAM', team).replace('SAML', saml).replace('USER', user.id);
    const lists = ['', '/teams', `/teams/${team}/members`, '/saml', '/link-invites'];
    const stored = () => Promise.all(lists.map(async (list) => done(admin.get(at + list))));
    const before = await stored();
    const { send, answer } = await held(user, method, at + own(path), JSON.parse(own(JSON.stringify(body))));
    await okay(admin.patch(`${at}/members/${user.id}`, { role: 'read' }));
    send();
    expect((await answer).status).toBe(403);
    expect(await stored()).toEqual(before);
  });

  it('makes no token by one that was revoked', async () => {
    const user = await newUser(admin);
    const { token, send, answer } = await held(user, 'POST', '/v1/user/tokens', { label: 'after' });
    await okay(user.client.delete(`/v1/user/tokens/${token}`));
    send();
    expect((await answer).status).toBe(401);
    const labels = (await done(user.client.get('/v1/user/tokens'))).items.map(({ label }: any) => label);
    expect(labels).not.toContain('after');
  });
});

describe('an import from a URL', () => {
  const asked = new EventEmitter();
  /** The answers that the tests hold, by the path that was asked for. */
  const waiting = new Map<string, ServerResponse>();
  const holding = (_: unknown, response: ServerResponse) => {
    waiting.set(String(response.req.url), response);
    asked.emit(String(response.req.url));
  };
  const web = new Web({ '/held.md': holding, '/first.md': holding, '/second.md': '# Second\n' });
  const answer = (path: string) => waiting.get(path)?.setHeader('content-type', 'text/markdown').end('# Held\n');
  beforeAll(() => web.start());
  afterAll(() => web.stop());

  const importing = (client: Client, path: string, at = '') =>
    client.post(`/v1/spaces/${space}${at}/content/import`, { source: 'markdown', url: web.url + path });
  /** The import as an admin sees it, whatever its request was answered. */
  const endOf = async (path: string) => {
    const { items } = await done(admin.get(`/v1/orgs/${organization}/imports`));
    const found = items.find((each: any) => each.space === space && each.url === web.url + path);
    return ended(admin, found);
  };
  const lost = { state: 'failed', error: { code: 403, message: expect.stringMatching(/has lost the right/) } };

  it.each(removals)('writes nothing when who started it %s while it is fetched', async (_, takeAway) => {
    const user = await newUser(admin, { organization, role: 'edit' });
    const before = await revision();
    const held = once(asked, '/held.md');
    const sent = importing(user.client, '/held.md');
    await held;
    await takeAway(user);
    answer('/held.md');
    await sent;
    expect(await endOf('/held.md')).toMatchObject(lost);
    expect(await revision()).toBe(before);
  });

  it('writes nothing into a change request either', async () => {
    const user = await newUser(admin, { organization, role: 'edit' });
    const path = `/v1/spaces/${space}/change-requests`;
    const { id, revision: before } = await done(user.client.post(path, {}));
    const held = once(asked, '/held.md');
    const sent = importing(user.client, '/held.md', `/change-requests/${id}`);
    await held;
    await okay(admin.delete(member(user)));
    answer('/held.md');
    await sent;
    expect(await endOf('/held.md')).toMatchObject(lost);
    expect((await done(admin.get(`${path}/${id}`))).revision).toBe(before);
  });

  it('fetches nothing when its turn comes after that', async () => {
    const user = await newUser(admin, { organization, role: 'edit' });
    const held = once(asked, '/first.md');
    const first = importing(admin, '/first.md');
    await held;
    const second = importing(user.client, '/second.md');
    await eventually('an import that waits', async () =>
      (await done(admin.get(`/v1/orgs/${organization}/imports`))).items.some(
        (each: any) => each.space === space && each.state === 'pending',
      ),
    );
    await okay(admin.delete(member(user)));
    answer('/first.md');
    await Promise.all([first, second]);
    expect(await endOf('/second.md')).toMatchObject(lost);
    expect(await endOf('/first.md')).toMatchObject({ state: 'completed' });
    expect(web.asked).not.toContain('/second.md');
  });

  it('of an integration writes nothing when that is uninstalled', async () => {
    const { id, integration, client } = await installed(admin, {
      organization,
      scopes: ['space:content:write'],
      spaces: [space],
    });
    const before = await revision();
    const held = once(asked, '/held.md');
    const sent = importing(client, '/held.md');
    await held;
    await okay(admin.delete(`/v1/integrations/${integration}/installations/${id}`));
    answer('/held.md');
    await sent;
    expect(await endOf('/held.md')).toMatchObject(lost);
    expect(await revision()).toBe(before);
  });

  it('of a developer writes nothing when the tunnel is closed', async () => {
    const { id, integration } = await installed(admin, {
      organization,
      scopes: ['space:content:write'],
      spaces: [space],
    });
    const machine = await developerMachine();
    await okay(admin.put(`/v1/integrations/${integration}/dev`, { tunnelUrl: machine.url }));
    const { urls } = await done(admin.get(`/v1/integrations/${integration}/installations/${id}`));
    await fetch(`${urls.publicEndpoint}/`);
    machine.close();
    const developer = new Client(admin.url, String(machine.given[0]?.installation));
    const before = await revision();
    const held = once(asked, '/held.md');
    const sent = importing(developer, '/held.md');
    await held;
    await okay(admin.delete(`/v1/integrations/${integration}/dev`));
    answer('/held.md');
    await sent;
    expect(await endOf('/held.md')).toMatchObject(lost);
    expect(await revision()).toBe(before);
  });

  it('goes on when somebody else lost the right, and when the right is there by another way', async () => {
    const [user, other] = await Promise.all([
      newUser(admin, { organization, role: 'edit' }),
      newUser(admin, { organization, role: 'edit' }),
    ]);
    const held = once(asked, '/held.md');
    const sent = importing(user.client, '/held.md');
    await held;
    await okay(admin.delete(member(other)));
    await okay(admin.post(`/v1/spaces/${space}/permissions`, { users: [user.id], role: 'edit' }));
    await okay(admin.patch(member(user), { role: null }));
    answer('/held.md');
    await sent;
    expect(await endOf('/held.md')).toMatchObject({ state: 'completed' });
  });
});

describe('a Git operation whose starter lost the right while it fetched', () => {
  let repositories: Repositories;
  let front: Awaited<ReturnType<typeof gitFront>>;
  const transfers = new EventEmitter();
  /** Whether fetches wait for the test. */
  let holds = false;
  beforeAll(async () => {
    repositories = await openRepositories({ allowPush: true });
    const onFetch = async (fetch: Push) => void (holds ? transfers.emit('fetch', fetch) : await fetch.forward());
    front = await gitFront(repositories, onFetch, 'git-upload-pack');
  });
  afterAll(async () => {
    await front.close();
    await repositories.close();
  });

  /** Starts an operation as a member, who loses the right while it fetches. */
  async function lostDuring(what: 'import' | 'export', name: string, body: object) {
    const user = await newUser(admin, { organization, role: 'create' });
    holds = true;
    const held = once(transfers, 'fetch');
    const url = `${front.url}/${name}.git`;
    await okay(user.client.post(`/v1/spaces/${space}/git/${what}`, { url, ref: 'refs/heads/main', ...body }));
    const [fetch] = (await held) as [Push];
    await okay(admin.delete(member(user)));
    holds = false;
    await fetch.forward();
    return operationEnd(admin, space);
  }

  it('imports nothing', async () => {
    await repositories.commit('lost-import', { 'README.md': '# Imported\n' });
    const before = await revision();
    expect(await lostDuring('import', 'lost-import', {})).toMatchObject({
      state: 'failure',
      error: expect.stringMatching(/has lost the right/),
    });
    expect(await revision()).toBe(before);
  });

  it('pushes nothing', async () => {
    await repositories.commit('lost-export', { 'README.md': '# Home\n' });
    await importInto(admin, space, { url: `${repositories.url}/lost-export.git` });
    const tip = await repositories.git('lost-export', 'rev-parse', 'main');
    const { newRequest, write, merge } = changeRequestsOf(admin, { space });
    const number = await newRequest();
    await write(number, insert('Secret'));
    await merge(number);
    expect(await lostDuring('export', 'lost-export', { commitMessage: 'Export' })).toMatchObject({
      state: 'failure',
      error: expect.stringMatching(/has lost the right/),
    });
    expect(await repositories.git('lost-export', 'rev-parse', 'main')).toBe(tip);
  });
});
