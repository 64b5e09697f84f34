import { eventually } from '../../shared/testing/eventually.js';
import { newOrganization, newUser, shared } from '../support/fixtures.js';
import { shownSite } from '../support/shown-sites.js';
import { type FilledSite, filledSite, newSite, newSpaces } from '../support/site.js';
import { visit } from '../support/visitors.js';

const admin = shared();
const url = 'https://status.example.com/';
let organization: string;
let spaces: string[];
let filled: FilledSite;
beforeAll(async () => {
  organization = await newOrganization(admin);
  spaces = await newSpaces(organization, 'a', 'b', 'c');
  filled = await filledSite(organization, spaces);
});

const add = (body: object, site = filled.site) => site.ok('POST', '/external-links', body);
/** Titles of the top level and of groups, in order. */
const order = async (site = filled.site) =>
  (await site.structure()).structure
    .map(({ title, children }: any) => (children ? `${title}(${children.map((c: any) => c.title).join(' ')})` : title))
    .join(' ');

it('external links stand among sections and in groups, move, change and go', async () => {
  const { site, A, B, G } = filled;
  const fields = { description: 'How it goes', icon: 'signal', localizedTitle: { de: 'Zustand' } };
  const status = await add({ title: 'Status', url, ...fields });
  expect(status).toEqual({
    object: 'site-external-link',
    id: status.id,
    title: 'Status',
    url,
    draft: false,
    ...fields,
  });
  const shop = await add({ title: 'Shop', url: 'http://shop.example.com', parent: G, draft: true });
  expect(shop).toMatchObject({ sectionGroup: G, draft: true });
  expect(await order()).toBe('AA DD GG(BB CC Shop) Status');

  const sort = (item: object, position?: object) => site.ok('PATCH', '/structure/sort', { item, position });
  const link = (id: string) => ({ type: 'site-external-link', id });
  const moved = await sort(link(status.id), { before: { type: 'site-section', id: B } });
  expect(moved).toEqual({ ...status, sectionGroup: G });
  await sort({ type: 'site-section', id: A }, { after: link(status.id) });
  expect(await order()).toBe('DD GG(Status AA BB CC Shop)');
  const group = (await site.ok('GET', '/section-groups')).items[0];
  expect([group.sections.length, group.children.length]).toEqual([3, 5]);

  const at = `/external-links/${shop.id}`;
  const change = { title: 'Store', draft: false, parent: null, condition: 'visitor.claims.beta == true' };
  const { sectionGroup: _, ...rest } = shop;
  const { parent: __, ...changed } = change;
  expect(await site.ok('PATCH', at, change)).toEqual({ ...rest, ...changed });
  expect(await site.ok('PATCH', at, { condition: null, parent: G, description: null })).not.toHaveProperty('condition');
  expect(await order()).toBe('DD GG(Status AA BB CC Store)');
  await site.ok('DELETE', `/section-groups/${G}`);
  expect(await order()).toBe('DD Status AA BB CC Store');
  for (const { id } of [shop, status]) expect((await site.send('DELETE', `/external-links/${id}`)).status).toBe(205);
  expect((await site.send('DELETE', at)).status).toBe(404);
  expect(await order()).toBe('DD AA BB CC');
});

describe('a wrong request', () => {
  let other: FilledSite;
  let id: string;
  beforeAll(async () => {
    other = await filledSite(organization, spaces);
    id = (await add({ title: 'Status', url }, other.site)).id;
  });

  it.each<[number, string, object]>([
    [400, 'title', { title: 'x' }],
    [400, 'title', { title: 'x'.repeat(129) }],
    [400, 'url', { url: 'javascript:alert(1)' }],
    [400, 'url', { url: 'mailto:a@example.com' }],
    [400, 'url', { url: '/guides' }],
    [400, 'url', { url: `https://example.com/${'x'.repeat(2048)}` }],
    [400, 'description', { description: 'x'.repeat(257) }],
    [400, 'localizedTitle', { localizedTitle: { tlh: 'Dotlh' } }],
    [400, 'localizedTitle.de', { localizedTitle: { de: 'x'.repeat(129) } }],
    [400, 'localizedDescription.fr', { localizedDescription: { fr: 7 } }],
    [400, 'parent', { parent: 'none' }],
    [400, 'draft', { draft: 'yes' }],
    [400, 'condition', { condition: 'visitor.claims. ==' }],
  ])('is %i, names %s and changes nothing: %j', async (code, field, body) => {
    const before = JSON.stringify(await other.site.structure());
    const answers = [
      await other.site.send('POST', '/external-links', { title: 'Other', url, ...body }),
      await other.site.send('PATCH', `/external-links/${id}`, { title: 'Other', ...body }),
    ];
    for (const { status, body } of answers)
      expect([status, body.error.message]).toEqual([code, expect.stringContaining(field)]);
    expect(JSON.stringify(await other.site.structure())).toBe(before);
  });

  it('on a site without sections, of an unknown link or by one who may not, is refused', async () => {
    const flat = await newSite(organization, { spaces });
    const refused = await flat.send('POST', '/external-links', { title: 'Status', url });
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('add a section first')]);
    expect((await flat.send('PATCH', `/external-links/${id}`, { title: 'Other' })).status).toBe(404);
    expect((await other.site.send('PATCH', `/external-links/${other.A}`, { title: 'Other' })).status).toBe(404);
    const { client } = await newUser(admin, { organization, role: 'edit' });
    for (const [method, rest] of [
      ['POST', ''],
      ['PATCH', `/${id}`],
      ['DELETE', `/${id}`],
    ] as const) {
      const answer = await client.request(method, other.site.at(`/external-links${rest}`), { title: 'Other', url });
      expect([method, answer.status]).toEqual([method, 403]);
    }
  });
});

it('visitors get those that are meant for them, and sections and groups, in their language', async () => {
  const { site, space, start } = await shownSite(admin, { Home: 'Welcome.\n' });
  const second = await site.section(space, 'Second');
  const texts = { localizedTitle: { de: 'Zweiter' }, localizedDescription: { de: 'Nach dem ersten' } };
  expect(await site.ok('PATCH', `/sections/${second.id}`, texts)).toMatchObject(texts);
  const group = await site.group('More');
  const { localizedTitle } = await site.ok('PATCH', `/section-groups/${group.id}`, {
    localizedTitle: { de: 'Weitere Teile' },
  });
  expect(localizedTitle).toEqual({ de: 'Weitere Teile' });
  await add({ title: 'Shown', url, icon: 'signal', localizedTitle: { de: 'Sichtbar' } }, site);
  await add({ title: 'Inside', url: 'https://inside.example/', description: 'In a menu', parent: group.id }, site);
  await add({ title: 'Hidden', url: 'https://hidden.example/', condition: 'visitor.claims.beta == true' }, site);
  await add({ title: 'Later', url: 'https://later.example/', draft: true }, site);
  const page = async () => (await visit(admin, start)).body;
  const body = await eventually('the links', page, (html) => html.includes('inside.example'));
  const tabs = /<nav class="section-tabs".*?<\/nav>/s.exec(body)?.[0] ?? '';
  expect(tabs).toContain(`<a href="${url}" rel="noopener"`);
  expect(tabs).toMatch(/https:\/\/inside\.example\/.*In a menu/s);
  for (const text of ['Hidden', 'Later', 'hidden.example', 'later.example']) expect(body).not.toContain(text);
  await admin.patch(`/v1/spaces/${space}`, { language: 'de' });
  const german = await eventually('the German title', page, (html) => html.includes('Sichtbar'));
  expect(german).not.toContain('>Shown<');
  for (const text of ['Zweiter', 'Weitere Teile']) expect(german).toContain(text);
  for (const [at, body] of [
    [`/sections/${second.id}`, { localizedTitle: null, localizedDescription: null }],
    [`/section-groups/${group.id}`, { localizedTitle: null }],
  ] as const)
    for (const field of Object.keys(body)) expect(await site.ok('PATCH', at, body)).not.toHaveProperty(field);
  for (const body of [{ localizedTitle: { xx: 'a' } }, { localizedTitle: { de: 'x'.repeat(129) } }])
    expect((await site.send('PATCH', `/sections/${second.id}`, body)).status).toBe(400);
});
