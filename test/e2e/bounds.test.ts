import { spaces } from '../../services/content/core/nodes/model.js';
import { newSpace as spaceOf } from '../../services/content/core/spaces/new-space.js';
import { invites } from '../../services/identity/joining/model.js';
import { teams } from '../../services/identity/organizations/model.js';
import { shareLinks } from '../../services/sites/publishing/model.js';
import { redirects } from '../../services/sites/redirects/model.js';
import { sites } from '../../services/sites/site/model.js';
import type { Collection } from '../../shared/store/port.js';
import { newOrganization, newSpace, openSharedStore, shared } from '../support/fixtures.js';
import { newSite, type Site } from '../support/site.js';

const client = shared();
const createdAt = '2026-01-01T00:00:00.000Z';

interface Bound {
  what: string;
  most: number;
  collection: Collection<any>;
  /** The document of the one with this number, as it is stored. */
  document(owner: Owner, at: number): object;
  path(owner: Owner): string;
  body(owner: Owner): object;
}
interface Owner {
  organization: string;
  site: Site;
  section: string;
}

const stored = ({ organization }: Owner, at: number) => ({ _id: `${organization}-${at}`, organization, createdAt });
const storedOfSite = ({ site }: Owner, at: number) => ({ _id: `${site.id}-${at}`, site: site.id, createdAt });

const bounds: Bound[] = [
  {
    what: 'spaces in an organization',
    most: 10_000,
    collection: spaces,
    document: ({ organization }) => spaceOf({ organization, creator: 'ada' }).space,
    path: ({ organization }) => `/v1/orgs/${organization}/spaces`,
    body: () => ({}),
  },
  {
    what: 'sites in an organization',
    most: 5000,
    collection: sites,
    document: (owner, at) => ({
      ...stored(owner, at),
      type: 'basic',
      title: 'One of many',
      visibility: 'public',
      published: false,
      basename: `site-${at}`,
      adaptiveContent: true,
      agentsContext: 'included',
      structureVersion: 1,
      siteSpaces: 0,
    }),
    path: ({ organization }) => `/v1/orgs/${organization}/sites`,
    body: () => ({ title: 'One more' }),
  },
  {
    what: 'teams in an organization',
    most: 5000,
    collection: teams,
    document: (owner, at) => ({ ...stored(owner, at), title: 'One of many', members: 0 }),
    path: ({ organization }) => `/v1/orgs/${organization}/teams`,
    body: () => ({ title: 'One more' }),
  },
  {
    what: 'invites of an organization',
    most: 5000,
    collection: invites,
    document: (owner, at) => ({ ...stored(owner, at), to: 'organization', target: owner.organization, role: 'read' }),
    path: ({ organization }) => `/v1/orgs/${organization}/link-invites`,
    body: () => ({ role: 'read' }),
  },
  {
    what: 'redirects of a site',
    most: 10_000,
    collection: redirects,
    document: (owner, at) => ({
      ...storedOfSite(owner, at),
      source: `/old/${at}`,
      key: `old/${at}`,
      destination: { kind: 'site-section', siteSectionId: owner.section },
    }),
    path: ({ site }) => site.at('/redirects'),
    body: ({ section }) => ({ source: '/one/more', destination: { kind: 'site-section', siteSectionId: section } }),
  },
  {
    what: 'share links of a site',
    most: 1000,
    collection: shareLinks,
    document: (owner, at) => ({
      ...storedOfSite(owner, at),
      name: 'One of many',
      active: true,
      hash: `${owner.site.id}-${at}`,
      sealed: '',
    }),
    path: ({ site }) => site.at('/share-links'),
    body: () => ({ name: 'One more' }),
  },
];

async function newOwner(): Promise<Owner> {
  const organization = await newOrganization(client);
  const site = await newSite(organization);
  return { organization, site, section: (await site.section(await newSpace(client, organization))).id };
}

/** Its content tree is not in the server's memory yet, and so will hold spaces that are stored beside the server. */
const newEmptyOwner = async () => ({ organization: await newOrganization(client) }) as Owner;

it.each(bounds)('there are at most $most $what, and others have their own', async (bound) => {
  const { collection, most, what } = bound;
  const make = collection === spaces ? newEmptyOwner : newOwner;
  const [owner, other] = [await make(), await make()];
  const ask = (by: Owner) => client.request(collection === teams ? 'PUT' : 'POST', bound.path(by), bound.body(by));
  const store = await openSharedStore();
  try {
    await store.prepare([collection] as never);
    const own = what.endsWith('site') ? { site: owner.site.id } : { organization: owner.organization };
    const missing = most - (await store.count(collection, own));
    const documents = Array.from({ length: missing }, (_, at) => bound.document(owner, at)) as { _id: string }[];
    await store.insertMany(collection, documents);
    const refused = await ask(owner);
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      `There are at most ${most.toLocaleString('en')} ${what}; delete some first`,
    ]);
    expect(await store.count(collection, own)).toBe(most);
    expect((await ask(other)).status).toBe(201);
    await store.delete(collection, { _id: documents[0]?._id });
    expect((await ask(owner)).status).toBe(201);
    expect((await ask(owner)).status).toBe(409);
  } finally {
    await store.close();
  }
});
