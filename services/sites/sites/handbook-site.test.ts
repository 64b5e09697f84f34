import { type Caller, system } from '../../../shared/contract/caller.js';
import { write } from '../../../shared/store/port.js';
import { type SiteDocument, sites } from '../site/model.js';
import { structures } from '../structure/model.js';
import { publishHandbookSite } from './handbook-site.js';
import { publicSites } from './public-sites.js';
import { type NotedDependencies, openNotedDependencies } from './testing/noted-dependencies.js';

const handbook = { organization: 'acme', space: 'book', site: 'site_book' };
let noted: NotedDependencies;
/** What content answers about the space. */
let access: object | null;

beforeEach(async () => {
  access = { organization: 'acme', role: 'admin', state: 'active' };
  noted = await openNotedDependencies({
    'content.resolveAccess.space': () => [access],
    'identity.findOrganization': ({ id }: { id: string }) => (id === 'gone' ? null : { id, title: `The ${id}` }),
    'identity.findDomainOwners': () => ({ 'docs.acme.test': ['acme'] }),
  });
});
afterEach(() => noted.close());

const publish = () => {
  const trail = () => write.check(sites, { _id: handbook.site }, 1);
  const caller: Caller = system;
  return publishHandbookSite({ ...noted.deps, trail }, handbook, { call: noted.call, caller });
};
const made = () => noted.deps.store.get(sites, handbook.site);
const list = () => publicSites(noted.deps, noted.call);

describe('the site of the handbook', () => {
  it('is public and published from the start, and is made once', async () => {
    expect(await publish()).toBe('https://bindery.test/sites/site_book/');
    const site = await made();
    expect(site).toMatchObject({
      title: 'Bindery handbook',
      basename: 'handbook',
      visibility: 'public',
      published: true,
      siteSpaces: 1,
    });
    expect((await noted.deps.store.get(structures, handbook.site))?.spaces).toEqual(['book']);
    expect(await publish()).toBe('https://bindery.test/sites/site_book/');
    expect(await made()).toEqual(site);
  });

  it('stays unpublished where somebody unpublished it', async () => {
    await publish();
    await noted.deps.store.update(sites, { _id: handbook.site }, { $set: { published: false } });
    expect(await publish()).toBeNull();
    expect((await made())?.published).toBe(false);
  });

  it('is not made of a space that is gone, in the trash or elsewhere', async () => {
    for (const state of [
      null,
      { organization: 'acme', role: 'admin', state: 'deleted' },
      { organization: 'other', role: 'admin', state: 'active' },
    ]) {
      access = state;
      expect(await publish()).toBeNull();
      expect(await made()).toBeNull();
    }
  });

  it('takes another basename where its own is taken', async () => {
    await noted.deps.store.insert(sites, siteOf('acme', 'first', { basename: 'handbook' }));
    await publish();
    expect((await made())?.basename).toBe('handbook-1');
  });
});

const siteOf = (organization: string, id: string, more: Partial<SiteDocument> = {}): SiteDocument => ({
  _id: `site_${id}`,
  organization,
  type: 'basic',
  title: id,
  visibility: 'public',
  published: true,
  basename: id,
  adaptiveContent: true,
  agentsContext: 'included',
  structureVersion: 1,
  siteSpaces: 1,
  createdAt: `2026-01-01T00:00:00.${id.length}00Z`,
  ...more,
});

describe('the sites that anybody may find', () => {
  it('are the public ones that are published, at the addresses of their visitors', async () => {
    await noted.deps.store.insertMany(sites, [
      siteOf('acme', 'a'),
      siteOf('acme', 'bb', { hostname: 'docs.acme.test' }),
      siteOf('other', 'ccc'),
      siteOf('acme', 'draft', { published: false }),
      siteOf('acme', 'hidden', { visibility: 'unlisted' }),
      siteOf('acme', 'secret', { visibility: 'share-link' }),
      siteOf('acme', 'members', { visibility: 'visitor-auth' }),
      siteOf('gone', 'orphan'),
    ]);
    expect(await list()).toEqual({
      items: [
        { title: 'a', url: 'https://bindery.test/sites/site_a/', organization: 'The acme' },
        { title: 'bb', url: 'https://docs.acme.test/', organization: 'The acme' },
        { title: 'ccc', url: 'https://bindery.test/sites/site_ccc/', organization: 'The other' },
      ],
      more: false,
    });
  });

  it('are fifty at most', async () => {
    const many = Array.from({ length: 60 }, (_, at) => siteOf('acme', `site-${at}`));
    await noted.deps.store.insertMany(sites, many);
    const { items, more } = await list();
    expect([items.length, more]).toEqual([50, true]);
  });
});
