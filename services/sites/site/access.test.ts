import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Caller, InstallationCaller } from '../../../shared/contract/caller.js';
import type { Store } from '../../../shared/store/port.js';
import { openSqliteStore } from '../../../shared/store/sqlite/store.js';
import { resolveSites } from './access.js';
import { countAccessibleSites } from './counts.js';
import { siteGrants } from './grants.js';
import { type SiteDocument, sites } from './model.js';

const organization = 'acme';
let folder: string;
let store: Store;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-sites-'));
  store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
  await store.prepare([sites, siteGrants] as never[]);
  const site = { _id: 'docs', organization, published: false, visibility: 'public', basename: 'docs' };
  await store.insert(sites, site as unknown as SiteDocument);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

async function roleOf(fields: Partial<InstallationCaller>): Promise<string | null | undefined> {
  const caller = { kind: 'installation', organization, sites: 'all', scopes: [], ...fields } as unknown as Caller;
  const [access] = await resolveSites(store, { caller, ids: ['docs'] });
  return access?.role;
}

describe('an installation', () => {
  it.each([
    [[], 'read'],
    [['site:metadata:read', 'site:adaptive:read', 'space:metadata:write'], 'read'],
    [['site:adaptive:write'], 'create'],
    [['site:visitor:auth'], 'create'],
    [['site:views:read'], 'create'],
  ])('with %j has the lowest role that its operations need: %s', async (scopes, role) => {
    expect(await roleOf({ scopes })).toBe(role);
    expect(await roleOf({ scopes, sites: ['docs'] })).toBe(role);
  });

  it.each([
    ['a site that it is not installed on', { sites: ['other'] }],
    ['a site of another organization', { organization: 'other' }],
  ])('has no access to %s', async (_, fields) => {
    expect(await roleOf({ scopes: ['site:adaptive:write'], ...fields })).toBeUndefined();
  });
});

it('members with a role count all sites of their organization, guests the open ones, and disabled members none', async () => {
  const one = { organization: 'counted', published: true, visibility: 'public' };
  const made = [
    one,
    { ...one, visibility: 'share-link' },
    { ...one, published: false },
    { ...one, organization: 'else' },
  ];
  for (const [at, site] of made.entries())
    await store.insert(sites, { ...site, _id: `c${at}`, basename: `c${at}` } as unknown as SiteDocument);
  const members = [
    { role: 'read', disabled: false },
    { role: null, disabled: false },
    { role: 'admin', disabled: true },
  ] as const;
  expect(await countAccessibleSites(store, { organization: 'counted', members: [...members] })).toEqual([3, 1, 0]);
});
