import { operations } from '../../../services/gateway/contracts.js';
import { answerToRole, columns, type RoleOnResource } from '../../../services/gateway/reference/access-table.js';
import { newApiToken } from '../../../services/identity/accounts/api-tokens.js';
import { apiTokens } from '../../../services/identity/accounts/model.js';
import type { AnyOperation } from '../../../shared/contract/operation.js';
import { timestamp } from '../../../shared/values/ids.js';
import { type NewUser, newOrganization, newUser, newUsers, shared, withStore } from '../../support/fixtures.js';
import { type Sample, sampleOf } from '../../support/requests/sample.js';
import type { Setting } from '../../support/requests/setting.js';
import { firstOfEach, wholeTables } from '../../support/whole-tables.js';

/** Services by the file of their operations, so that files of like size run side by side; all others, also new ones, are in that of sites. */
const files: Record<string, string[]> = {
  content: ['content'],
  identity: ['gateway', 'identity', 'comments'],
  integrations: ['integrations'],
};

const admin = shared();
const nameOf = (role: RoleOnResource) =>
  role === undefined ? 'a member of another organization' : role === null ? 'a guest' : role;

/** The least role that may, the next one, which may not, and a stranger: the contract gives roles in the order of what they may. */
function decisive(operation: AnyOperation): RoleOnResource[] {
  const may = columns.map((role) => answerToRole(operation, role) === 'allowed');
  return columns.filter(
    (role, at) => role === undefined || may[at] !== may[at + 1] || (at > 0 && may[at] !== may[at - 1]),
  );
}

const columnsOf = (operation: AnyOperation) => (wholeTables ? columns : decisive(operation));

/** A token that expired a minute ago. */
async function expiredToken({ id }: NewUser): Promise<string> {
  const { document, secret } = newApiToken({ user: id, label: 'expired' });
  const expired = { ...document, expiresAt: timestamp(new Date(Date.now() - 60_000)) };
  await withStore([apiTokens], (store) => store.insert(apiTokens, expired));
  return secret;
}

async function revokedToken({ client }: NewUser): Promise<string> {
  const { token, id } = (await client.post('/v1/user/tokens', { label: 'revoked' })).body;
  await client.delete(`/v1/user/tokens/${id}`);
  return token;
}

/** Tests of what each operation in a file of services answers to every role, to a stranger, and without a token that is valid. */
export function describeAccess(file: string): void {
  let setting: Setting;
  let somebody: NewUser;
  const people = new Map<RoleOnResource, NewUser>();
  const invalid = { revoked: '', expired: '' };

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
    somebody = people.get('admin') as NewUser;
    Object.assign(invalid, { revoked: await revokedToken(somebody), expired: await expiredToken(somebody) });
  });

  const others = operations.map(({ service }) => service).filter((each) => !Object.values(files).flat().includes(each));
  const services = files[file] ?? others;
  const own = operations.filter(({ service }) => services.includes(service));
  const guarded = own.filter(({ access }) => access !== 'public');
  const named = (list: AnyOperation[]) => list.map((operation) => [operation.id, operation] as const);

  const send = ({ method }: AnyOperation, { path, body }: Sample, token: string | null) =>
    admin.request(method, `/v1${path}`, body, { token });

  async function expectInvalid(operation: AnyOperation, asked: Sample, token: string | null): Promise<void> {
    const { status, headers, body } = await send(operation, asked, token);
    expect([status, body.error.code, headers.get('www-authenticate')]).toEqual([401, 401, 'Bearer']);
  }

  async function expectAllowed(operation: AnyOperation, asked: Sample, token: string): Promise<void> {
    const { status, body } = await send(operation, asked, token);
    // What takes long on a busy machine goes on after its request.
    const done = status === 202 && operation.accepted ? operation.status : status;
    expect([done, status >= 400 ? body : 'allowed']).toEqual([operation.status, 'allowed']);
  }

  it('has operations of each of its services', () => {
    expect(new Set(own.map(({ service }) => service))).toEqual(new Set(services));
  });

  const isPlaced = ({ access }: AnyOperation) => access !== 'public' && access.on !== undefined;

  describe.each(named(guarded.filter(isPlaced)))('%s', (_, operation) => {
    const [first, ...others] = columnsOf(operation);
    let asked: Sample;
    beforeAll(async () => {
      asked = await sampleOf(operation, setting, people.get(first) as NewUser);
    });

    it('needs a token', () => expectInvalid(operation, asked, null));

    it.each([first, ...others].map((role) => [nameOf(role), role] as const))(
      'answers %s as its contract says',
      async (_, role) => {
        const caller = people.get(role) as NewUser;
        const sample = role === first ? asked : await sampleOf(operation, setting, caller);
        const expected = answerToRole(operation, role);
        if (expected === 'allowed') return expectAllowed(operation, sample, caller.token);
        const { status, body } = await send(operation, sample, caller.token);
        expect([status, body.error?.code]).toEqual([expected, expected]);
      },
    );
  });

  const free = guarded.filter((operation) => !isPlaced(operation));
  if (free.length > 0)
    describe.each(named(free))('%s', (_, operation) => {
      it('lets any user in, and needs a token', async () => {
        const caller = await newUser(admin);
        const asked = await sampleOf(operation, setting, caller);
        await expectInvalid(operation, asked, null);
        await expectAllowed(operation, asked, caller.token);
      });
    });

  describe.each(named(firstOfEach(guarded, ({ service }) => service)))('%s', (_, operation) => {
    it.each(['revoked', 'expired'] as const)('is not for a token that is %s', async (kind) => {
      await expectInvalid(operation, await sampleOf(operation, setting, somebody), invalid[kind]);
    });
  });

  const open = own.filter(({ access }) => access === 'public');
  if (open.length > 0)
    it.each(named(open))('%s has a sample', async (_, operation) => {
      expect(await sampleOf(operation, setting, somebody)).toMatchObject({ path: expect.any(String) });
    });
}
