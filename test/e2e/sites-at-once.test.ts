import { auditEvents } from '../support/audit.js';
import { type NewUser, newOrganization, newUser, newUsers, shared, walk } from '../support/fixtures.js';
import { filledSite, newSite, newSpaces, Site } from '../support/site.js';

const admin = shared();

let organization: string;
/** Spaces of the organization, titled a, b and c; titles may have one letter. */
let [a, b, c] = ['', '', ''];
beforeAll(async () => {
  organization = await newOrganization(admin);
  [a = '', b = '', c = ''] = await newSpaces(organization, 'a', 'b', 'c');
});

describe('who may', () => {
  it('read sees sites, create changes them, a guest and a stranger see none', async () => {
    const site = await newSite(organization, { spaces: [a] });
    const roles = ['create', 'edit', 'read'] as const;
    const people = await Promise.all(roles.map((role) => newUser(admin, { organization, role })));
    const [creator, editor, reader] = people as [NewUser, NewUser, NewUser];
    const stranger = await newUser(admin);
    const send = ({ client }: NewUser, method: string, rest: string, body?: unknown) =>
      client.request(method, site.at(rest), body).then(({ status }) => status);
    expect(await send(creator, 'POST', '/sections', { spaceId: b })).toBe(201);
    for (const person of [editor, reader]) {
      expect(await send(person, 'GET', '/structure')).toBe(200);
      expect(await send(person, 'POST', '/sections', { spaceId: b })).toBe(403);
      expect(await send(person, 'PATCH', '', { title: 'No' })).toBe(403);
    }
    expect(await send(stranger, 'GET', '/structure')).toBe(404);
    expect(await send(stranger, 'POST', '/sections', { spaceId: b })).toBe(404);
  });

  it('may put no space on a site that it cannot read itself', async () => {
    const [secret = ''] = await newSpaces(organization, 'secret');
    await admin.patch(`/v1/spaces/${secret}`, { defaultLevel: null });
    const creator = await newUser(admin, { organization, role: 'create' });
    const site = await newSite(organization, {}, creator.client);
    expect((await creator.client.get(`/v1/spaces/${secret}`)).status).toBe(404);
    const refused = await site.send('POST', '/site-spaces', { spaceId: secret });
    expect([refused.status, refused.body.error.message]).toEqual([400, 'spaceId: no such space in this organization']);
  });
});

describe('a walk', () => {
  it('neither repeats nor skips what stays, while items come and go', async () => {
    const site = await newSite(organization);
    for (let at = 0; at < 24; at++) await site.siteSpace(a);
    const first = await site.ok('GET', '/site-spaces?limit=1000');
    const ids: string[] = first.items.map(({ id }: any) => id);
    expect(first.count).toBe(24);
    const [seen, gone] = [new Set<string>(), new Set<string>()];
    let page: string | undefined;
    for (let round = 0; ; round++) {
      const { items, next } = await site.ok('GET', `/site-spaces?limit=5${page ? `&page=${page}` : ''}`);
      for (const { id } of items) {
        expect(seen.has(id)).toBe(false);
        seen.add(id);
      }
      page = next?.page;
      if (!page) break;
      const shown = items.map(({ id }: any) => id);
      const ahead = ids[ids.indexOf(shown.at(-1)) + 1];
      const doomed = round % 2 === 0 ? shown : [shown.at(-1), ...(ahead ? [ahead] : [])];
      for (const id of doomed) {
        gone.add(id);
        await site.ok('DELETE', `/site-spaces/${id}`);
      }
      const added = await site.siteSpace(b);
      await site.ok('POST', `/site-spaces/${added.id}/move`, {
        position: { before: { type: 'site-space', siteSpace: ids.find((id) => !gone.has(id)) } },
      });
    }
    expect(ids.filter((id) => !seen.has(id) && !gone.has(id))).toEqual([]);
  });

  it.each(['/sections', '/section-groups', '/site-spaces'])('of %s finds each once, in order', async (list) => {
    const { site } = await filledSite(organization, [a, b, c]);
    await site.group('HH');
    const all = (await site.ok('GET', list)).items.map(({ id }: any) => id);
    for (const limit of [1, 2, 3]) {
      const walked = await walk(admin, site.at(list), limit);
      expect(walked.map(({ id }) => id)).toEqual(all);
    }
    expect(await site.ok('GET', `${list}?limit=0`)).toEqual({ count: all.length, items: [] });
  });
});

describe('64 clients at once', () => {
  it('moving, adding and deleting end in a consistent structure with no lost section', async () => {
    const site = await newSite(organization);
    const kept = await Promise.all(Array.from({ length: 8 }, (_, at) => site.section(a, `Kept ${at}`)));
    const doomed = await Promise.all(Array.from({ length: 8 }, (_, at) => site.section(b, `Doomed ${at}`)));
    const group = (await site.group('Group')).id;
    const people = (await newUsers(admin, 8, { organization, role: 'create' })) as NewUser[];
    const added: string[] = [];
    const act = async (at: number): Promise<number> => {
      const own = new Site((people[at % 8] as NewUser).client, organization, site.id);
      const [one, other] = [kept[at % 8].id, kept[(at * 3 + 1) % 8].id];
      switch (at % 8) {
        case 0:
          return (await own.send('DELETE', `/sections/${doomed[at / 8].id}`)).status;
        case 1:
        case 2: {
          const { status, body } = await own.send('POST', '/sections', { spaceId: c, title: `Added ${at}` });
          added.push(body.id);
          return status;
        }
        case 3:
          return (await own.send('POST', `/section-groups/${group}/sections`, { sectionId: one })).status;
        case 4:
          return (await own.send('POST', '/site-spaces', { spaceId: c, sectionId: one })).status;
        default:
          return (
            await own.send('POST', `/sections/${one}/move`, {
              position: { after: { type: 'site-section', siteSection: other } },
            })
          ).status;
      }
    };
    const statuses = await Promise.all(Array.from({ length: 64 }, (_, at) => act(at)));
    expect(statuses.filter((status) => ![200, 201, 205].includes(status))).toEqual([]);
    const { structure } = await site.structure();
    const inStructure = structure.flatMap((entry: any) => entry.sections ?? [entry]);
    const ids = inStructure.map(({ id }: any) => id).sort();
    expect(ids).toEqual([...kept.map(({ id }) => id), ...added].sort());
    const listed = await site.ok('GET', '/sections?limit=1000');
    expect([listed.count, listed.items.map(({ id }: any) => id).sort()]).toEqual([ids.length, ids]);
    const siteSpaces = inStructure.flatMap(({ siteSpaces }: any) => siteSpaces.map(({ id }: any) => id)).sort();
    const spaces = await site.ok('GET', '/site-spaces?limit=1000');
    expect(spaces.items.map(({ id }: any) => id).sort()).toEqual(siteSpaces);
    expect([(await site.ok('GET', '')).siteSpaces, spaces.count]).toEqual([8 + 16 + 8, 8 + 16 + 8]);
    expect(inStructure.filter((section: any) => section.default)).toHaveLength(1);
    expect(new Set(inStructure.map(({ path }: any) => path)).size).toBe(ids.length);
  });
});

describe('the audit trail', () => {
  it('tells every change of a site', async () => {
    const own = await newOrganization(admin);
    const [space = ''] = await newSpaces(own, 'space');
    const site = await newSite(own, { spaces: [space] });
    const section = await site.section(space);
    const group = await site.group('Group', [section.id]);
    const added = await site.siteSpace(space, section.id);
    await site.ok('PATCH', `/sections/${section.id}`, { title: 'Other' });
    await site.ok('PATCH', `/sections/${section.id}`, { title: 'Other' });
    await site
      .ok('POST', `/sections/${section.id}/move`, { position: { after: { type: 'site-section', siteSection: 'no' } } })
      .catch(() => {});
    await site.ok('DELETE', `/section-groups/${group.id}/sections/${section.id}`);
    await site.ok('PATCH', `/site-spaces/${added.id}`, { condition: 'visitor.claims.a' });
    await site.ok('DELETE', `/site-spaces/${added.id}`);
    await site.ok('DELETE', `/section-groups/${group.id}`);
    await site.ok('DELETE', `/sections/${section.id}`);
    await site.ok('POST', '/publish');
    await site.ok('PATCH', '', { title: 'Renamed' });
    await site.ok('DELETE', '');
    const expected = [
      ['createSite', 'site'],
      ['addSectionToSite', 'site-section'],
      ['addSectionGroupToSite', 'site-section-group'],
      ['addSpaceToSite', 'site-space'],
      ['updateSiteSectionById', 'site-section'],
      ['removeSectionFromGroup', 'site-section-group'],
      ['updateSiteSpaceById', 'site-space'],
      ['deleteSiteSpaceById', 'site-space'],
      ['deleteSiteSectionGroupById', 'site-section-group'],
      ['deleteSiteSectionById', 'site-section'],
      ['publishSite', 'site'],
      ['updateSiteById', 'site'],
      ['deleteSiteById', 'site'],
    ];
    const events = await auditEvents(admin, own, 'order=asc', (all) =>
      all.some(({ operation }) => operation === 'deleteSiteById'),
    );
    const found = events.filter(({ resource }) => resource.type.startsWith('site'));
    expect(found.map(({ operation, resource }) => [operation, resource.type])).toEqual(expected);
  });
});
