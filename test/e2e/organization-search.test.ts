import fc from 'fast-check';
import { eventually } from '../../shared/testing/eventually.js';
import { newOrganization, newSpace, newUser, newUsers, shared, walk } from '../support/fixtures.js';
import { newPlace, newTeam } from '../support/permissions.js';
import type { Client } from '../support/server.js';
import { newSite } from '../support/site.js';

const admin = shared();

interface Found {
  id: string;
  title: string;
  pages: { id: string; title: string; path: string; sections: { body: string }[] }[];
}

const search = async (client: Client, organization: string, query: string) =>
  client.get(`/v1/orgs/${organization}/search?${query}`);

/** Writes pages into a space of mode `live`. */
async function writePages(space: string, pages: Record<string, unknown>[]): Promise<void> {
  const changes = pages.map((page) => ({ operation: 'insert_page', ...page }));
  const { status, body } = await admin.post(`/v1/spaces/${space}/content`, { changes });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
}

async function filledSpace(organization: string, title: string, ...texts: string[]): Promise<string> {
  const space = await newSpace(admin, organization, { title, editMode: 'live' });
  await writePages(
    space,
    texts.map((markdown) => ({ document: { markdown } })),
  );
  return space;
}

/** Asks until so many spaces are found: what is written is indexed a moment later. */
async function found(organization: string, query: string, count: number, client = admin): Promise<Found[]> {
  const { items } = await eventually(
    `${count} spaces with ${query}`,
    async () => (await search(client, organization, `query=${query}&limit=1000`)).body,
    (body) => body.count === count,
  );
  return items;
}

describe('the search of an organization', () => {
  let organization: string;
  let spaces: string[];
  beforeAll(async () => {
    organization = await newOrganization(admin);
    const texts = (at: number) =>
      Array.from(
        { length: 1 + (at % 3) },
        (_, page) => `# Page ${page}\n\n## Install\n\nThe zebra ${'eats '.repeat(at)}.\n`,
      );
    spaces = [];
    for (let at = 0; at < 18; at++) spaces.push(await filledSpace(organization, `Space ${at}`, ...texts(at)));
    spaces.push(await filledSpace(organization, 'Best', '# Zebra\n\nQuokka.\n', '# Other\n\nA zebra.\n'));
    // The last page of each space is indexed last.
    for (const [query, count] of [
      ['zebra', 19],
      ['zebra+page+1', 12],
      ['zebra+page+2', 6],
      ['zebra+other', 1],
    ] as const)
      await found(organization, query, count);
  });

  it('finds spaces by their best page, each with its pages and sections', async () => {
    const items = await found(organization, 'zeb', 19);
    expect(items[0]).toMatchObject({
      id: spaces.at(-1),
      title: 'Best',
      pages: [
        { title: 'Zebra', path: 'zebra' },
        { title: 'Other', sections: [{ body: expect.stringContaining('zebra') }] },
      ],
    });
    expect(await found(organization, 'zebra+quokka', 1)).toMatchObject([
      { title: 'Best', pages: [{ title: 'Zebra' }] },
    ]);
    expect((await search(admin, organization, 'query=zebra+nowhere')).body).toEqual({ count: 0, items: [] });
    expect((await search(admin, organization, 'query=%20')).body).toEqual({ count: 0, items: [] });
  });

  it('has one order, whatever the limit, and every space once', async () => {
    const path = `/v1/orgs/${organization}/search?query=zebra`;
    const all = (await walk<Found>(admin, path, 1000)).map(({ id }) => id);
    expect([...all].sort()).toEqual([...spaces].sort());
    for (const limit of [1, 4, 7, 18, 19])
      expect((await walk<Found>(admin, path, limit)).map(({ id }) => id)).toEqual(all);
    expect((await admin.get(`${path}&limit=0`)).body).toEqual({ count: 19, items: [] });
    const shown = (await walk<Found>(admin, path, 1000)).find(({ title }) => title === 'Space 17')?.pages;
    expect(shown).toHaveLength(3);
  });

  it.each([
    ['', 'query'],
    [`query=${'x'.repeat(513)}`, 'query'],
    ['query=a&query=b', 'query'],
    ['query=a&limit=1001', 'limit'],
    ['query=a&limit=-1', 'limit'],
    ['query=a&page=zzz', 'page'],
    ['query=a&page=WzFd', 'page'],
    [`query=zebra&page=${Buffer.from('["x",1]').toString('base64url')}`, 'page'],
  ])('refuses "%s"', async (query, field) => {
    const { status, body } = await search(admin, organization, query);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(field)]);
  });

  it('refuses a page of another query', async () => {
    const { next } = (await search(admin, organization, 'query=zebra&limit=1')).body;
    const page = encodeURIComponent(next.page);
    expect((await search(admin, organization, `query=zebra&page=${page}`)).status).toBe(200);
    const { status, body } = await search(admin, organization, `query=page&page=${page}`);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('page')]);
  });

  it('is there for members alone', async () => {
    const stranger = await newUser(admin);
    for (const [client, where] of [
      [stranger.client, organization],
      [admin, 'none'],
    ] as const)
      expect((await search(client, where, 'query=zebra')).status).toBe(404);
    expect(
      (await admin.request('GET', `/v1/orgs/${organization}/search?query=a`, undefined, { token: '' })).status,
    ).toBe(401);
  });

  it('follows the content: what is written, deleted and restored', async () => {
    const own = await newOrganization(admin);
    const [one, two] = [await filledSpace(own, 'One', '# A wombat\n'), await filledSpace(own, 'Two', '# A wombat\n')];
    await found(own, 'wombat', 2);
    await admin.delete(`/v1/spaces/${one}`);
    expect((await search(admin, own, 'query=wombat')).body).toMatchObject({ count: 1, items: [{ id: two }] });
    await admin.post(`/v1/spaces/${one}/restore`);
    expect((await search(admin, own, 'query=wombat')).body.count).toBe(2);
    const { pages } = (await admin.get(`/v1/spaces/${one}/content/pages`)).body;
    const changes = [{ operation: 'update_page', page: pages[0].id, document: { markdown: '# A koala\n' } }];
    expect((await admin.post(`/v1/spaces/${one}/content`, { changes })).status).toBe(200);
    await found(own, 'koala', 1);
    expect((await search(admin, own, 'query=wombat')).body.items.map(({ id }: Found) => id)).toEqual([two]);
  });
});

it('scores depend only on what the caller may read', async () => {
  const [one, two] = [await newOrganization(admin), await newOrganization(admin)];
  const reader = await newUser(admin, { organization: one });
  const texts = ['# Apples\n\nRed pears.\n', '# Pears\n\nGreen.\n', '# Soup\n\nWith apples and pears.\n'];
  const ids: Record<string, string[]> = { [one]: [], [two]: [] };
  for (const organization of [one, two])
    for (const [at, text] of texts.entries()) ids[organization]?.push(await filledSpace(organization, `S${at}`, text));
  for (let at = 0; at < 8; at++) {
    const hidden = await filledSpace(one, 'Hidden', `# Apples ${at}\n\nApples apples.\n`);
    await admin.patch(`/v1/spaces/${hidden}`, { defaultLevel: null });
  }
  await found(one, 'apples', 10);
  await found(two, 'apples', 2);
  for (const query of ['apples', 'pears', 'apples+pears', 'p']) {
    const mine = (await search(reader.client, one, `query=${query}`)).body;
    const theirs = (await search(admin, two, `query=${query}`)).body;
    expect([query, mine.count]).toEqual([query, theirs.count]);
    const places = ({ items }: { items: Found[] }, organization: string) =>
      items.map(({ id }) => ids[organization]?.indexOf(id));
    expect(places(mine, one)).toEqual(places(theirs, two));
  }
});

it('finds exactly the spaces that a caller may open, whatever was granted', async () => {
  const organization = await newOrganization(admin);
  const collections: string[] = [];
  for (const at of [0, 1, 2]) {
    const parent = at === 2 ? { parent: collections[0]?.split('/').pop() } : {};
    collections.push(await newPlace(organization, 'collections', admin, parent));
  }
  const spaces: string[] = [];
  for (let at = 0; at < 10; at++) {
    const parent = at < 8 ? { parent: collections[at % 3]?.split('/').pop() } : {};
    const path = await newPlace(organization, 'spaces', admin, { editMode: 'live', ...parent });
    const space = path.split('/').pop() as string;
    await writePages(space, [{ document: { markdown: `# Numbat ${at}\n` } }]);
    spaces.push(space);
  }
  await found(organization, 'numbat', 10);
  const members = await newUsers(admin, 3, { organization });
  const people = [...members, ...(await newUsers(admin, 2, { organization, role: null }))];
  const teams = [await newTeam(organization, []), await newTeam(organization, [])];

  const role = fc.constantFrom('admin', 'create', 'edit', 'read', null);
  const place = fc.constantFrom(...collections, ...spaces.map((id) => `/v1/spaces/${id}`));
  const person = fc.constantFrom(...people.map(({ id }) => id));
  const space = fc.constantFrom(...spaces.map((id) => `/v1/spaces/${id}`));
  const team = fc.constantFrom(...teams);
  type Request = [method: string, path: string, body?: object];
  const inOrganization = (path: string) => `/v1/orgs/${organization}${path}`;
  const change = fc.oneof(
    fc
      .tuple(place, fc.oneof(role, fc.constant('inherit')))
      .map(([at, defaultLevel]): Request => ['PATCH', at, { defaultLevel }]),
    fc
      .tuple(place, role, person)
      .map(([at, given, user]): Request => ['POST', `${at}/permissions`, { role: given, users: [user] }]),
    fc
      .tuple(place, role, team)
      .map(([at, given, id]): Request => ['POST', `${at}/permissions`, { role: given, teams: [id] }]),
    fc.tuple(place, person).map(([at, user]): Request => ['DELETE', `${at}/permissions/users/${user}`]),
    fc.tuple(team, person).map(([id, user]): Request => ['PUT', inOrganization(`/teams/${id}/members/${user}`), {}]),
    fc.tuple(team, person).map(([id, user]): Request => ['DELETE', inOrganization(`/teams/${id}/members/${user}`)]),
    fc
      .tuple(person, role)
      .map(([user, given]): Request => ['PATCH', inOrganization(`/members/${user}`), { role: given }]),
    fc
      .tuple(person, fc.boolean())
      .map(([user, disabled]): Request => ['PATCH', inOrganization(`/members/${user}`), { disabled }]),
    space.map((at): Request => ['DELETE', at]),
    space.map((at): Request => ['POST', `${at}/restore`]),
  );
  const opens = async (client: Client): Promise<string[]> => {
    const answers = await Promise.all(spaces.map((id) => client.get(`/v1/spaces/${id}`)));
    return spaces.filter((_, at) => answers[at]?.status === 200 && !answers[at]?.body.deletedAt);
  };
  const sizes = new Set<number>();
  const property = fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 12 }), async (changes) => {
    for (const [method, path, body] of changes) {
      const { status } = await admin.request(method, path, body);
      expect(status).toBeLessThan(500);
    }
    for (const client of [admin, ...people.map((each) => each.client)]) {
      const finds = async () => {
        const { body } = await search(client, organization, 'query=numbat');
        return { count: body.count ?? 0, ids: (body.items ?? []).map(({ id }: Found) => id).sort() };
      };
      let [expected, answer] = [await opens(client), await finds()];
      // What a membership is may have become known between the two.
      if (expected.length !== answer.count) [expected, answer] = [await opens(client), await finds()];
      expect(answer).toEqual({ count: expected.length, ids: [...expected].sort() });
      sizes.add(expected.length);
    }
  });
  await fc.assert(property, { numRuns: 10, endOnFailure: true });
  // Otherwise the changes would prove little.
  expect(sizes.size).toBeGreaterThan(3);
});

it('finds for a visitor what its site shows, as its claims allow', async () => {
  const organization = await newOrganization(admin);
  const [shown, gone, alone] = [
    await filledSpace(
      organization,
      'Shown',
      '# Home\n\n{% if visitor.claims.unsigned.plan == "pro" %}\nA dingo.\n{% endif %}\n',
    ),
    await filledSpace(organization, 'Gone', '# Dingo\n'),
    await filledSpace(organization, 'Alone', '# Dingo\n'),
  ];
  await writePages(shown, [
    { document: { markdown: '# Emu\n' }, condition: 'visitor.claims.unsigned.plan == "pro"' },
    { document: { markdown: '# Kiwi\n\nAn emu, and a dingo.\n' } },
  ]);
  await found(organization, 'dingo', 3);
  await found(organization, 'kiwi', 1);
  const site = await newSite(organization, { spaces: [shown, gone] });
  const { urls } = await site.ok('POST', '/publish');
  const visit = async (plan: string) => {
    const { body } = await admin.post('/v1/urls/published', {
      url: urls.published,
      visitor: { unsignedClaims: { plan } },
    });
    return async (query: string, where = organization) => {
      const answer = await admin.request('GET', `/v1/orgs/${where}/search?query=${query}`, undefined, {
        token: body.apiToken,
      });
      if (answer.status !== 200) return answer.status;
      const titles = (item: Found) => `${item.title}: ${item.pages.map(({ title }) => title).join()}`;
      return [answer.body.count, ...answer.body.items.map(titles)];
    };
  };
  const [pro, free] = [await visit('pro'), await visit('free')];
  expect(await pro('emu')).toEqual([1, 'Shown: Emu,Kiwi']);
  expect(await free('emu')).toEqual([1, 'Shown: Kiwi']);
  expect(await pro('dingo')).toEqual([2, 'Gone: Dingo', 'Shown: Home,Kiwi']);
  expect(await free('dingo')).toEqual([2, 'Gone: Dingo', 'Shown: Kiwi']);
  await admin.delete(`/v1/spaces/${gone}`);
  expect(await free('dingo')).toEqual([1, 'Shown: Kiwi']);
  expect((await found(organization, 'dingo', 2)).map(({ id }) => id)).toContain(alone);
  expect(await free('dingo', await newOrganization(admin))).toBe(404);
});
