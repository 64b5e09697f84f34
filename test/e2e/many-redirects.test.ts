import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { writePages } from '../support/shown-sites.js';
import { newSite, type Site } from '../support/site.js';

const admin = shared();
let site: Site;
let space: string;
let guide: any;
let api: any;
let start: string;
const section = (siteSectionId: string) => ({ kind: 'site-section', siteSectionId });
const found = async (source: string) => {
  const answer = await admin.get(site.at(`/redirect?source=${encodeURIComponent(source)}`));
  return answer.status === 200 ? answer.body.target.replace(start, '/') : answer.status;
};

beforeAll(async () => {
  const organization = await newOrganization(admin);
  space = await newSpace(admin, organization, { title: 'One' });
  await writePages(admin, space, { Home: 'Welcome.\n', Start: 'Begin.\n' });
  site = await newSite(organization);
  guide = await site.section(space, 'Guide');
  api = await site.section(await newSpace(admin, organization, { title: 'Two' }), 'API');
  start = (await site.ok('POST', '/publish')).urls.published;
});

it('many redirects are created, changed, published and deleted at once, and what is refused hinders no other', async () => {
  const put = async (...items: object[]) =>
    (await site.send('PUT', '/redirects', { redirects: items })).body.results.map(
      ({ status, error }: { status: string; error?: string }) => error ?? status,
    );
  const toGuide = section(guide.id);
  const toStart = { kind: 'path', spaceId: space, path: '/start' };
  expect(
    await put(
      { source: '/many/a', destination: toGuide },
      { source: '/many/b', destination: toStart },
      { source: '/many/c', intent: 'draft', destination: toGuide, permanent: true },
      { source: '/many/d', destination: section('unknown') },
      { source: '/many/e', destination: { ...toStart, path: 'nothing' } },
      { source: '/many/f', destination: null },
      { source: '/many/a', intent: 'publish' },
      { source: '/many/g', destination: toGuide, captureWildcard: true },
    ),
  ).toEqual([
    'created',
    'created',
    'created',
    expect.stringContaining('destination.siteSectionId: '),
    expect.stringContaining('destination.path: '),
    expect.stringContaining('source: '),
    expect.stringContaining('source: '),
    expect.stringContaining('captureWildcard: '),
  ]);
  expect([await found('/many/a'), await found('/many/b'), await found('/many/c')]).toEqual(['/', '/start', 404]);
  expect(
    await put(
      { source: '/MANY/a', destination: section(api.id) },
      { source: '/many/b', destination: null },
      { source: '/many/c', intent: 'publish' },
      { source: '/many/a', intent: 'draft', destination: toGuide },
      { source: '/many/a', intent: 'publish' },
    ),
  ).toEqual(['updated', 'deleted', 'published', 'created', 'published']);
  expect([await found('/many/a'), await found('/many/b'), await found('/many/c')]).toEqual(['/', 404, '/']);
  const live = (await admin.get(site.at('/redirects?limit=100'))).body.items;
  const many = live.filter((each: { source: string }) => each.source.startsWith('/many'));
  expect(many.map(({ source, permanent }: any) => [source, permanent]).toSorted()).toEqual([
    ['/many/a', false],
    ['/many/c', true],
  ]);
  expect((await admin.get(site.at('/redirects?draft=true'))).body.items.map(({ source }: any) => source)).not.toContain(
    '/many/a',
  );
  expect((await site.send('PUT', '/redirects', { redirects: [] })).status).toBe(400);
});

it('a page that somebody may not see is refused like one that is not there', async () => {
  const creator = await newUser(admin, { organization: site.organization, role: 'create' });
  await admin.post(`/v1/spaces/${space}/permissions`, { role: null, users: [creator.id] });
  const redirects = ['start', 'nothing'].map((path) => ({
    source: `/hidden/${path}`,
    destination: { kind: 'path', spaceId: space, path },
  }));
  const { body } = await creator.client.put(site.at('/redirects'), { redirects });
  const [there, absent] = body.results;
  expect([there.status, there.error]).toEqual(['error', absent.error]);
});
