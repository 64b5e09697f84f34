import { operations } from '../../services/gateway/contracts.js';
import { answerTo, columns, type RoleOnResource } from '../../services/gateway/reference/access-table.js';
import type { AnyOperation } from '../../shared/contract/operation.js';
import { type NewUser, newOrganization, newUser, newUsers, shared } from '../support/fixtures.js';
import { sampleOf } from '../support/requests/sample.js';
import type { Setting } from '../support/requests/setting.js';

const admin = shared();
const everyone: [string, RoleOnResource][] = columns.map((role) => [
  role === undefined ? 'a member of another organization' : role === null ? 'a guest' : `${role}`,
  role,
]);

let setting: Setting;
const people = new Map<RoleOnResource, NewUser>();
const tokens = { none: null as string | null, revoked: '', expired: '' };

beforeAll(async () => {
  const organization = await newOrganization(admin);
  const [member] = await newUsers(admin, 1, { organization });
  setting = { admin, organization, member: member as NewUser };
  for (const role of columns)
    if (role === undefined) {
      const stranger = await newUser(admin);
      await newOrganization(stranger.client);
      people.set(role, stranger);
    } else people.set(role, await newUser(admin, { organization, role }));
  const gone = (await admin.post('/v1/user/tokens', { label: 'revoked' })).body;
  await admin.delete(`/v1/user/tokens/${gone.id}`);
  const expiresAt = new Date(Date.now() + 100).toISOString();
  const short = (await admin.post('/v1/user/tokens', { label: 'expired', expiresAt })).body;
  await new Promise((resolve) => setTimeout(resolve, 150));
  Object.assign(tokens, { revoked: gone.token, expired: short.token });
});

const guarded = operations.filter(({ access }) => access !== 'public');
const placed = guarded.filter(({ access }) => access !== 'public' && access.on);

async function send(operation: AnyOperation, token: string | null, caller: NewUser) {
  const { path, body } = await sampleOf(operation, setting, caller);
  return admin.request(operation.method, `/v1${path}`, body, { token });
}

describe.each(placed.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  it.each(everyone)('answers %s as its contract says', async (_name, role) => {
    const caller = people.get(role) as NewUser;
    const { status, body } = await send(operation, caller.token, caller);
    const expected = answerTo(operation, role);
    if (expected !== 'allowed') expect([status, body.error?.code]).toEqual([expected, expected]);
    else {
      // What takes long on a busy machine goes on after its request.
      const done = status === 202 && operation.accepted ? operation.status : status;
      expect([done, status >= 400 ? body : 'allowed']).toEqual([operation.status, 'allowed']);
    }
  });
});

describe.each(guarded.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  it.each(['none', 'revoked', 'expired'] as const)('with a token that is %s is 401', async (kind) => {
    const { status, headers, body } = await send(operation, tokens[kind], people.get('admin') as NewUser);
    expect([status, body.error.code, headers.get('www-authenticate')]).toEqual([401, 401, 'Bearer']);
  });
});

it('has a sample of every operation', async () => {
  for (const operation of operations)
    expect(await sampleOf(operation, setting, people.get('admin') as NewUser)).toMatchObject({
      path: expect.any(String),
    });
});

describe('an operation without a resource of its own', () => {
  const free = guarded.filter(({ access }) => access !== 'public' && !access.on);
  it.each(free.map((operation) => [operation.id, operation] as const))('%s lets any user in', async (_, operation) => {
    const caller = await newUser(admin);
    const { status, body } = await send(operation, caller.token, caller);
    expect([status, status >= 400 ? body : 'allowed']).toEqual([operation.status, 'allowed']);
  });
});
