import { importKind, spaceKind } from '../../services/content/resources.js';
import { operations } from '../../services/gateway/contracts.js';
import { integrationScopes } from '../../services/integrations/resources.js';
import { shownContentKind, siteKind } from '../../services/sites/resources.js';
import type { AccessRule, ResourceKind } from '../../shared/contract/access.js';
import type { AnyOperation } from '../../shared/contract/operation.js';
import { type NewUser, newOrganization, newUser, newUsers, shared } from '../support/fixtures.js';
import { installed, integrationClient, published } from '../support/installations.js';
import { type Sample, sampleOf } from '../support/requests/sample.js';
import type { Setting } from '../support/requests/setting.js';
import type { Client } from '../support/server.js';
import { firstOfEach, wayIn, wholeTables } from '../support/whole-tables.js';

type Guarded = AnyOperation & { access: Exclude<AccessRule, 'public'> };

/** What integrations may do with integrations depends on more than scopes: they have tests of their own. */
const guarded = operations.filter(
  ({ access, service }) => access !== 'public' && service !== 'integrations',
) as Guarded[];
const opened = guarded.filter(({ access }) => access.caller.includes('installation'));
const closed = guarded.filter(({ access }) => !access.caller.includes('installation'));
const named = (list: Guarded[]) => list.map((operation) => [operation.id, operation] as const);

/** The scopes that open operations. */
const scopes = [...new Set(opened.flatMap(({ access: { scope } }) => scope ?? []))];

/** Kinds of what an integration is installed on. */
const selectable: (ResourceKind | undefined)[] = [spaceKind, importKind, siteKind, shownContentKind];

const admin = shared();
let setting: Setting;
let foreign: Setting;
let person: NewUser;
/** Installations on all spaces and sites: with every scope, with none, with one alone, and with all but one (so no other one suffices). */
const clients = { all: admin, none: admin, selected: admin, integration: admin };
const alone = new Map<string, Client>();
const without = new Map<string, Client>();

beforeAll(async () => {
  const [organization, elsewhere] = [await newOrganization(admin), await newOrganization(admin)];
  const [member] = await newUsers(admin, 1, { organization });
  const [stranger] = await newUsers(admin, 1, { organization: elsewhere });
  setting = { admin, organization, member: member as NewUser };
  foreign = { admin, organization: elsewhere, member: stranger as NewUser };
  person = await newUser(admin, { organization, role: 'admin' });
  const everywhere = { organization, spaces: 'all', sites: 'all' } as const;
  const install = async (of: readonly string[]) => (await installed(admin, { ...everywhere, scopes: of })).client;
  clients.all = await install(scopes);
  clients.none = await install([]);
  clients.selected = (await installed(admin, { organization, scopes })).client;
  clients.integration = await integrationClient(admin, await published(admin, { organization, scopes }));
  for (const scope of scopes) {
    alone.set(scope, await install([scope]));
    without.set(scope, await install(scopes.filter((other) => other !== scope)));
  }
});

/** Who has access, integrations do not say, whatever their scopes. */
const bodies: Record<string, (body: any) => unknown> = {
  updateSpaceById: ({ defaultLevel: _, ...body }) => body,
};

async function sample(operation: AnyOperation, where = setting): Promise<Sample> {
  const { body, ...asked } = await sampleOf(operation, where, person);
  return { ...asked, body: bodies[operation.id]?.(body) ?? body };
}

async function answer(client: Client, operation: AnyOperation, { path, body }: Sample): Promise<unknown[]> {
  const { status, body: answered } = await client.request(operation.method, `/v1${path}`, body);
  // What takes long on a busy machine goes on after its request.
  const done = status === 202 && operation.accepted ? operation.status : status;
  return [done, status >= 400 ? answered.error?.message : 'allowed'];
}

/** What operations answer to an installation that has their scope alone, other than their success. */
const withScopeAlone: Record<string, unknown[]> = {
  // Of specifications that no page of the space is made of, only those with `openapi:read` learn anything.
  getComputedDocument: [404, 'OpenAPI specification not found'],
  getComputedRevision: [404, 'OpenAPI specification not found'],
};

const refused = (pattern: RegExp) => [403, expect.stringMatching(pattern)];

describe.each(named(opened))('%s', (_, operation) => {
  const { scope, on } = operation.access;
  const allowed = [operation.status, 'allowed'];

  it(`lets an installation in with ${scope ?? 'any scope'}, on what it is installed on`, async () => {
    const asked = await sample(operation);
    if (scope !== undefined) {
      const lacking = refused(new RegExp(`needs the scope "${scope}"`));
      expect(await answer(without.get(scope) as Client, operation, asked)).toEqual(lacking);
      if (wholeTables) expect(await answer(clients.none, operation, asked)).toEqual(lacking);
    }
    if (selectable.includes(on))
      expect(await answer(clients.selected, operation, asked)).toEqual([404, expect.stringMatching(/not found/)]);
    const few = alone.get(scope ?? '') ?? clients.none;
    expect(await answer(few, operation, asked)).toEqual(withScopeAlone[operation.id] ?? allowed);
    if (wholeTables || operation.id in withScopeAlone)
      expect(await answer(clients.all, operation, await sample(operation))).toEqual(allowed);
  });
});

const placed = opened.filter(({ access }) => access.on);
describe.each(named(firstOfEach(placed, wayIn)))('%s', (_, operation) => {
  it('is a 404 to an installation on what belongs to another organization', async () => {
    const asked = await sample(operation, foreign);
    expect(await answer(clients.all, operation, asked)).toEqual([404, expect.stringMatching(/not found/)]);
  });
});

describe.each(named(firstOfEach(guarded, wayIn)))('%s', (_, operation) => {
  const { caller, on } = operation.access;
  const isOpen = caller.includes('integration');

  it(`is ${isOpen ? 'open' : 'closed'} to an integration without an installation`, async () => {
    const answered = await answer(clients.integration, operation, await sample(operation));
    expect(answered).toEqual(isOpen ? [operation.status, 'allowed'] : refused(/kind "integration"/));
    if (isOpen && on)
      expect(await answer(clients.integration, operation, await sample(operation, foreign))).toEqual([
        404,
        expect.stringMatching(/not found/),
      ]);
  });
});

describe.each(named(firstOfEach(closed, wayIn)))('%s', (_, operation) => {
  it('is closed to installations, whatever their scopes', async () => {
    expect(await answer(clients.all, operation, await sample(operation))).toEqual(refused(/kind "installation"/));
  });
});

it('names scopes that an integration can have', () => {
  expect(integrationScopes).toEqual(expect.arrayContaining(scopes));
});
