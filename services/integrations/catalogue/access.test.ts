import type { Caller } from '../../../shared/contract/caller.js';
import { type InstalledIn, resolveIntegrations } from './access.js';
import { integrations } from './model.js';
import { storedDefinition } from './publishing/manifest.js';
import type { IntegrationStanding } from './resources.js';
import { bodyOf, openCatalogue } from './testing/integrations-store.js';

let deps: Awaited<ReturnType<typeof openCatalogue>>;
const names = ['private', 'unlisted', 'public', 'installed', 'built-in'];
beforeAll(async () => {
  deps = await openCatalogue();
  for (const name of names)
    await deps.store.insert(integrations, {
      ...storedDefinition(
        name,
        bodyOf({
          visibility:
            name === 'unlisted' || name === 'built-in' ? 'unlisted' : name === 'public' ? 'public' : 'private',
        }),
      ),
      _id: name,
      publication: `publication of ${name}`,
      ...(name === 'built-in' ? {} : { organization: 'acme' }),
      version: 1,
      verified: false,
      previewImages: [],
      format: 'v2',
      secrets: '',
      createdAt: '',
      updatedAt: '',
    });
});
afterAll(() => deps.close());

/** One of them is installed in `other`. */
const installedIn: InstalledIn = async ({ publications, organizations }) =>
  new Set(organizations.includes('other') ? publications.filter((each) => each === 'publication of installed') : []);

const user = (memberships: Record<string, string | null>): Caller => ({
  kind: 'user',
  user: 'ada',
  token: 't',
  memberships: Object.fromEntries(
    Object.entries(memberships).map(([id, role]) => [id, { role, teams: [], owned: [] }]),
  ),
});
const installation = (organization: string): Caller => ({
  kind: 'installation',
  installation: 'i',
  integration: 'installed',
  organization,
  user: 'ada',
  scopes: [],
  spaces: 'all',
  sites: 'all',
});

type Standings = (IntegrationStanding | undefined)[];
const cases: [string, Caller, Standings][] = [
  ['an admin of the owner', user({ acme: 'admin' }), ['owner', 'owner', 'owner', 'owner', 'other']],
  ['a creator', user({ acme: 'create' }), ['owner', 'owner', 'owner', 'owner', 'other']],
  ['a reader', user({ acme: 'read' }), ['member', 'member', 'member', 'member', 'other']],
  ['a guest', user({ acme: null }), [undefined, 'other', 'other', undefined, 'other']],
  ['a stranger', user({}), [undefined, 'other', 'other', undefined, 'other']],
  ['somebody where it is installed', user({ other: 'read' }), [undefined, 'other', 'other', 'other', 'other']],
  [
    'the integration',
    { kind: 'integration', integration: 'private', owner: 'acme' },
    ['integration', 'other', 'other', undefined, 'other'],
  ],
  [
    'an earlier one of this name',
    { kind: 'integration', integration: 'private', owner: 'gone' },
    [undefined, 'other', 'other', undefined, 'other'],
  ],
  ['its installation', installation('other'), [undefined, 'other', 'other', 'other', 'other']],
  ['another installation', installation('third'), [undefined, 'other', 'other', undefined, 'other']],
];

it.each(cases)('says what %s is to each', async (_, caller, expected) => {
  const resolved = await resolveIntegrations(deps, { caller, ids: [...names, 'unknown'] }, installedIn);
  expect(resolved.map((access) => access?.role)).toEqual([...expected, undefined]);
});

it('says why a token is refused where the integration cannot be seen otherwise', async () => {
  const memberships = { acme: { role: 'admin', teams: [], owned: [], refused: 'Sign in by SSO' } };
  const caller: Caller = { kind: 'user', user: 'ada', token: 't', memberships };
  const [hidden, shown] = await resolveIntegrations(deps, { caller, ids: ['private', 'public'] }, installedIn);
  expect([hidden?.refused, shown?.role, shown?.refused]).toEqual(['Sign in by SSO', 'other', undefined]);
});
