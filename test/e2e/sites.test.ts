import { purgeSpace } from '../../services/content/core/spaces/trash.js';
import { jobCollections } from '../../shared/jobs/jobs.js';
import { eventually } from '../../shared/testing/eventually.js';
import { proveDomain } from '../support/domains.js';
import { newOrganization, shared, walk, withStore } from '../support/fixtures.js';
import { filledSite, newSite, newSpaces } from '../support/site.js';

const { jobs } = jobCollections('content');

const admin = shared();

/** Makes the job that empties the trash due at once, as if the days of grace were over. */
async function emptyTrash(space: string): Promise<void> {
  const runAt = new Date(0).toISOString();
  await withStore([jobs], (store) =>
    store.updateMany(jobs, { kind: purgeSpace, 'payload.space': space }, { $set: { runAt } }),
  );
}

let organization: string;
/** Spaces of the organization, titled a, b and c; titles may have one letter. */
let [a, b, c] = ['', '', ''];
beforeAll(async () => {
  organization = await newOrganization(admin);
  [a = '', b = '', c = ''] = await newSpaces(organization, 'a', 'b', 'c');
});

describe('a site', () => {
  it('is made, changed, published, taken down and deleted, and its spaces stay', async () => {
    const site = await newSite(organization, {
      title: 'Our Docs',
      visibility: 'unlisted',
      type: 'premium',
      spaces: [a, b],
    });
    const made = await site.ok('GET', '');
    expect(made).toMatchObject({
      object: 'site',
      title: 'Our Docs',
      visibility: 'unlisted',
      type: 'premium',
      published: false,
      siteSpaces: 2,
      basename: expect.stringMatching(/^our-docs/),
      urls: { location: expect.stringContaining(site.id), app: expect.any(String) },
    });
    expect(made.urls.published).toBeUndefined();
    expect(await site.outline()).toBe('a*,b');
    const changes = {
      title: 'Guides',
      visibility: 'public',
      agentsContext: 'excluded',
      adaptiveContent: { enabled: false },
    };
    expect(await site.ok('PATCH', '', changes)).toMatchObject(changes);
    const [first] = (await site.structure()).structure;
    expect(first.urls).toEqual({});
    const published = await site.ok('POST', '/publish');
    expect(published).toMatchObject({ published: true, urls: { published: expect.stringMatching(/\/$/) } });
    expect(await site.ok('POST', '/publish')).toEqual(published);
    const [home, other] = (await site.structure()).structure;
    expect(home.urls.published).toBe(published.urls.published);
    expect(other.urls.published).toBe(`${published.urls.published}b/`);
    expect((await site.ok('POST', '/unpublish')).published).toBe(false);
    expect((await site.send('DELETE', '')).status).toBe(205);
    expect((await site.send('GET', '')).status).toBe(404);
    expect((await site.send('GET', '/structure')).status).toBe(404);
    expect((await site.send('DELETE', '')).status).toBe(404);
    expect((await admin.get(`/v1/spaces/${a}`)).status).toBe(200);
  });

  it('needs nothing to be made, and may begin with a new space, with pages or without', async () => {
    const { status, body } = await admin.post(`/v1/orgs/${organization}/sites`);
    expect([status, body.siteSpaces, body.type, body.visibility]).toEqual([201, 0, 'basic', 'public']);
    const pagesOf = async (spaces: string) => {
      const site = await newSite(organization, { spaces, title: 'Begun' });
      const { structure } = await site.structure();
      expect(structure).toHaveLength(1);
      return (await admin.get(`/v1/spaces/${structure[0].space.id}/content/pages`)).body.pages.length;
    };
    expect(await pagesOf('empty')).toBe(0);
    expect(await pagesOf('sample')).toBeGreaterThan(0);
  });

  it('has a basename and a host name of its own in its organization', async () => {
    const [one, two] = [await newSite(organization, { title: 'Same' }), await newSite(organization, { title: 'Same' })];
    const [first, second] = [await one.ok('GET', ''), await two.ok('GET', '')];
    expect(second.basename).toBe(`${first.basename}-1`);
    const taken = await two.send('PATCH', '', { basename: first.basename });
    expect([taken.status, taken.body.error.message]).toEqual([409, 'basename: already taken']);
    const hostname = `docs.${one.id.slice(5).toLowerCase()}.example`;
    expect(await one.ok('PATCH', '', { hostname })).toMatchObject({ hostname });
    const refused = await two.send('PATCH', '', { hostname });
    expect([refused.status, refused.body.error.message]).toEqual([409, 'hostname: already taken']);
    await one.ok('POST', '/publish');
    await proveDomain(admin, organization, hostname);
    expect((await one.ok('GET', '')).urls.published).toBe(`https://${hostname}/`);
    const origin = `${hostname}/docs`;
    const proxied = await one.ok('PATCH', '', { hostname: null, proxy: origin });
    expect(proxied).toMatchObject({ proxy: { origin }, urls: { published: `https://${origin}/` } });
    expect(proxied.hostname).toBeUndefined();
  });

  it('is found by space, title, type and state, page by page', async () => {
    const own = await newOrganization(admin);
    const [x = '', y = ''] = await newSpaces(own, 'xx', 'yy');
    const sites: string[] = [];
    for (const [title, spaces, type] of [
      ['Alpha guide', [x], 'basic'],
      ['Beta guide', [y], 'premium'],
      ['Gamma', [x, y], 'ultimate'],
    ] as const)
      sites.push((await newSite(own, { title, spaces, type })).id);
    await admin.post(`/v1/orgs/${own}/sites/${sites[1]}/publish`);
    const found = async (query: string) => {
      const { body } = await admin.get(`/v1/orgs/${own}/sites${query}`);
      expect(body.count).toBe(body.items.length);
      return body.items.map(({ id }: { id: string }) => sites.indexOf(id));
    };
    expect(await found('')).toEqual([0, 1, 2]);
    expect(await found(`?space=${x}`)).toEqual([0, 2]);
    expect(await found('?space=unknown')).toEqual([]);
    expect(await found('?title=GUIDE')).toEqual([0, 1]);
    expect(await found('?published=true')).toEqual([1]);
    expect(await found('?published=false')).toEqual([0, 2]);
    expect(await found('?type=basic&type=ultimate')).toEqual([0, 2]);
    expect(await found(`?space=${y}&title=guide&published=true&type=premium`)).toEqual([1]);
    const walked = await walk(admin, `/v1/orgs/${own}/sites`, 1);
    expect(walked.map(({ id }) => id)).toEqual(sites);
  });
});

describe('sections', () => {
  it('wrap the site spaces of a flat site when the first one comes', async () => {
    const site = await newSite(organization, { title: 'Flat', spaces: [a, b] });
    const section = await site.section(c);
    expect(section).toMatchObject({ object: 'site-section', title: 'c', path: 'c', default: false });
    expect(await site.outline()).toBe('Flat*(a*,b) c(c*)');
  });

  it('are added, listed, changed and removed', async () => {
    const site = await newSite(organization);
    const { status, headers, body } = await site.send('POST', '/sections', {
      spaceId: a,
      title: 'Guides',
      icon: 'book',
    });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ title: 'Guides', icon: 'book', path: 'guides', default: true }),
    ]);
    expect(headers.get('content-type')).toContain('json');
    const second = await site.section(b, 'Guides');
    expect(second).toMatchObject({ path: 'guides-1', default: false });
    expect((await site.ok('GET', '/sections')).count).toBe(2);
    const at = `/sections/${second.id}`;
    const changes = {
      title: 'API',
      path: 'API',
      description: 'All calls',
      icon: 'code',
      condition: 'visitor.claims.beta',
    };
    expect(await site.ok('PATCH', at, changes)).toMatchObject(changes);
    expect(await site.ok('PATCH', at, {})).toMatchObject(changes);
    const cleared = await site.ok('PATCH', at, { condition: null, icon: null, description: null });
    expect([cleared.condition, cleared.icon, cleared.description]).toEqual([undefined, undefined, undefined]);
    const added = await site.siteSpace(c, second.id);
    expect(
      (await site.ok('PATCH', at, { defaultSiteSpace: added.id })).siteSpaces.map((each: any) => each.default),
    ).toEqual([false, true]);
    expect((await site.ok('PATCH', '', { defaultSiteSection: second.id })).id).toBe(site.id);
    expect((await site.send('DELETE', at)).status).toBe(205);
    expect([(await site.send('DELETE', at)).status, (await site.send('PATCH', at, { title: 'No' })).status]).toEqual([
      404, 404,
    ]);
    expect(await site.outline()).toBe('Guides*(a*)');
    expect((await site.ok('GET', '')).siteSpaces).toBe(1);
  });

  it('move by either operation, into groups and out of them', async () => {
    const { site, A, B, D, G } = await filledSite(organization, [a, b, c]);
    expect(await site.outline()).toBe('AA*(a*) DD(a*) GG[BB(b*) CC(c*)]');
    const anchor = (siteSection: string) => ({ type: 'site-section', siteSection });
    const moved = await site.ok('POST', `/sections/${A}/move`, { position: { after: anchor(D) } });
    expect(moved).toMatchObject({ id: A, default: true });
    expect(await site.outline()).toBe('DD(a*) AA*(a*) GG[BB(b*) CC(c*)]');
    expect((await site.ok('POST', `/sections/${D}/move`, { position: { before: anchor(B) } })).sectionGroup).toBe(G);
    expect(await site.outline()).toBe('AA*(a*) GG[DD(a*) BB(b*) CC(c*)]');
    await site.ok('POST', `/sections/${D}/move`);
    expect(await site.outline()).toBe('AA*(a*) GG[BB(b*) CC(c*) DD(a*)]');
    await site.ok('PATCH', '/structure/sort', {
      item: { type: 'site-section', id: D },
      position: { before: { type: 'site-section-group', id: G } },
    });
    expect(await site.outline()).toBe('AA*(a*) DD(a*) GG[BB(b*) CC(c*)]');
    const group = async (siteSectionGroupId: string | null) =>
      (await site.ok('PATCH', `/sections/${D}`, { siteSectionGroupId })).sectionGroup;
    expect([await group(G), await group(G)]).toEqual([G, G]);
    expect(await site.outline()).toBe('AA*(a*) GG[BB(b*) CC(c*) DD(a*)]');
    expect([await group(null), await group(null)]).toEqual([undefined, undefined]);
    expect(await site.outline()).toBe('AA*(a*) GG[BB(b*) CC(c*)] DD(a*)');
    const added = await site.ok('POST', '/sections', { spaceId: c, title: 'EE', siteSectionGroupId: G });
    expect(added.sectionGroup).toBe(G);
    for (const [method, at] of [
      ['PATCH', `/sections/${D}`],
      ['POST', '/sections'],
    ] as const) {
      const { status, body } = await site.send(method, at, { spaceId: c, title: 'FF', siteSectionGroupId: A });
      expect([status, body.error.message]).toEqual([400, expect.stringContaining('siteSectionGroupId')]);
    }
    expect(await site.outline()).toBe('AA*(a*) GG[BB(b*) CC(c*) EE(c*)] DD(a*)');
  });
});

describe('section groups', () => {
  it('are added, listed, changed, moved and removed', async () => {
    const { site, A, B, C, D, G } = await filledSite(organization, [a, b, c]);
    const list = await site.ok('GET', '/section-groups');
    expect(list).toMatchObject({ count: 1, items: [{ object: 'site-section-group', id: G, title: 'GG' }] });
    expect(list.items[0].sections.map(({ id }: { id: string }) => id)).toEqual([B, C]);
    const at = `/section-groups/${G}`;
    expect(await site.ok('PATCH', at, { title: 'HH', icon: 'folder' })).toMatchObject({ title: 'HH', icon: 'folder' });
    expect((await site.ok('PATCH', at, { icon: null })).icon).toBeUndefined();
    await site.ok('POST', `${at}/move`, { position: { before: { type: 'site-section', id: D } } });
    expect(await site.outline()).toBe('AA*(a*) HH[BB(b*) CC(c*)] DD(a*)');
    await site.ok('POST', `${at}/move`, { position: { before: { type: 'site-section', id: A } } });
    await site.ok('POST', `${at}/move`);
    expect(await site.outline()).toBe('AA*(a*) DD(a*) HH[BB(b*) CC(c*)]');
    const added = await site.send('POST', `${at}/sections`, { sectionId: A });
    expect([added.status, added.body.sections.length]).toEqual([201, 3]);
    expect((await site.send('DELETE', `${at}/sections/${B}`)).status).toBe(205);
    expect(await site.outline()).toBe('DD(a*) HH[CC(c*) AA*(a*)] BB(b*)');
    expect((await site.send('DELETE', `${at}/sections/${B}`)).status).toBe(404);
    expect((await site.send('DELETE', at)).status).toBe(205);
    expect(await site.outline()).toBe('DD(a*) CC(c*) AA*(a*) BB(b*)');
    expect((await site.send('DELETE', at)).status).toBe(404);
  });

  it('take sections of other groups along', async () => {
    const { site, B, D, G } = await filledSite(organization, [a, b, c]);
    const other = await site.group('HH', [B, D]);
    expect(other.sections.map(({ sectionGroup }: any) => sectionGroup)).toEqual([other.id, other.id]);
    expect(await site.outline()).toBe('AA*(a*) GG[CC(c*)] HH[BB(b*) DD(a*)]');
    await site.ok('POST', `/section-groups/${G}/sections`, { sectionId: B });
    expect(await site.outline()).toBe('AA*(a*) GG[CC(c*) BB(b*)] HH[DD(a*)]');
  });

  it('of a flat site hide nothing of it', async () => {
    const site = await newSite(organization, { spaces: [a] });
    await site.group('Later');
    expect(await site.outline()).toBe('a*');
  });
});

describe('site spaces', () => {
  it('go to the default section, to one that is named, or to the root of a flat site', async () => {
    const flat = await newSite(organization);
    const { status, body } = await flat.send('POST', '/site-spaces', { spaceId: a });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ object: 'site-space', path: 'a', title: 'a', default: true }),
    ]);
    expect([body.section, body.space.id]).toEqual([undefined, a]);
    const { site, A, B } = await filledSite(organization, [a, b, c]);
    expect((await site.siteSpace(c)).section).toBe(A);
    expect(await site.siteSpace(b, B)).toMatchObject({ section: B, path: 'b-1', default: false });
    expect((await site.ok('GET', '')).siteSpaces).toBe(6);
  });

  it('are listed all, the default one, or all others', async () => {
    const { site, va, vb, vc, vd } = await filledSite(organization, [a, b, c]);
    const ids = async (query: string) => (await site.ok('GET', `/site-spaces${query}`)).items.map(({ id }: any) => id);
    expect(await ids('')).toEqual([va, vd, vb, vc]);
    expect(await ids('?default=true')).toEqual([va]);
    expect(await ids('?default=false')).toEqual([vd, vb, vc]);
    const flat = await newSite(organization, { spaces: [a, b] });
    const [, second] = (await flat.ok('GET', '/site-spaces')).items;
    await flat.ok('PATCH', '', { defaultSiteSpace: second.id });
    expect((await flat.ok('GET', '/site-spaces?default=true')).items).toMatchObject([{ id: second.id, default: true }]);
    expect((await newSite(organization)).ok('GET', '/site-spaces?default=true')).resolves.toEqual({
      count: 0,
      items: [],
    });
  });

  it('are changed, moved and removed', async () => {
    const { site, A, va, vb, vd } = await filledSite(organization, [a, b, c]);
    const at = `/site-spaces/${vb}`;
    expect(await site.ok('PATCH', at, { path: 'beta', condition: 'visitor.claims.x == 1' })).toMatchObject({
      path: 'beta',
      condition: 'visitor.claims.x == 1',
    });
    expect((await site.ok('PATCH', at, {})).condition).toBe('visitor.claims.x == 1');
    expect((await site.ok('PATCH', at, { condition: null })).condition).toBeUndefined();
    expect((await site.ok('PATCH', at, { spaceId: c })).space.id).toBe(c);
    const anchor = (siteSpace: string) => ({ type: 'site-space', siteSpace });
    const moved = await site.ok('POST', `${at}/move`, { position: { before: anchor(va) } });
    expect(moved).toMatchObject({ section: A, default: false });
    expect(await site.outline()).toBe('AA*(c,a*) DD(a*) GG[BB() CC(c*)]');
    await site.ok('POST', `${at}/move`, {});
    await site.ok('PATCH', '/structure/sort', {
      item: { type: 'site-space', id: va },
      position: { after: { type: 'site-space', id: vb } },
    });
    expect(await site.outline()).toBe('AA*(c,a*) DD(a*) GG[BB() CC(c*)]');
    expect((await site.send('POST', `/site-spaces/${vd}/move`, { position: { before: anchor(va) } })).status).toBe(409);
    expect((await site.send('DELETE', `/site-spaces/${va}`)).status).toBe(205);
    expect(await site.outline()).toBe('AA*(c*) DD(a*) GG[BB() CC(c*)]');
    expect((await site.send('DELETE', `/site-spaces/${va}`)).status).toBe(404);
  });

  it('show a space in the trash, with the time it went there, and lose it when it is gone for good', async () => {
    const [gone = ''] = await newSpaces(organization, 'gone');
    const site = await newSite(organization, { spaces: [gone, a] });
    await site.section(gone, 'Gone');
    await admin.delete(`/v1/spaces/${gone}`);
    const shown = (await site.ok('GET', '/site-spaces')).items;
    expect(shown.map(({ space }: any) => [space.id, typeof space.deletedAt])).toEqual([
      [gone, 'string'],
      [a, 'undefined'],
      [gone, 'string'],
    ]);
    const refused = await site.send('POST', '/site-spaces', { spaceId: gone });
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('spaceId')]);
    await emptyTrash(gone);
    await eventually(
      'the end of the site space',
      () => site.ok('GET', ''),
      ({ siteSpaces }) => siteSpaces === 1,
    );
    expect(await site.outline()).toBe('Docs*(a*) Gone()');
    expect((await admin.get(`/v1/orgs/${organization}/sites?space=${gone}`)).body.count).toBe(0);
  });
});
