import fc from 'fast-check';
import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { RefusalClient } from '../support/refusals.js';
import { type FilledSite, filledSite, newSite, newSpaces } from '../support/site.js';

const admin = shared();
const asking = new RefusalClient(admin);

let organization: string;
/** Spaces of the organization, titled a, b and c; titles may have one letter. */
let [a, b, c] = ['', '', ''];
beforeAll(async () => {
  organization = await newOrganization(admin);
  [a = '', b = '', c = ''] = await newSpaces(organization, 'a', 'b', 'c');
});

describe('a wrong request', () => {
  let filled: FilledSite;
  let foreign: { space: string; section: string; site: string };
  let hidden: string;
  let before: string;
  const state = async () => JSON.stringify([await filled.site.ok('GET', ''), await filled.site.structure()]);
  beforeAll(async () => {
    filled = await filledSite(organization, [a, b, c]);
    const other = await newOrganization(admin);
    const [space = ''] = await newSpaces(other, 'theirs');
    const site = await newSite(other, { spaces: [space] });
    foreign = { space, site: site.id, section: (await site.section(space)).id };
    hidden = await newSpace(admin, other);
    before = await state();
  });

  type Filled = FilledSite & { foreign: typeof foreign; hidden: string };
  type Wrong = [
    status: number,
    named: string,
    method: string,
    path: (of: Filled) => string,
    body: (of: Filled) => unknown,
  ];
  const fixed = (path: string) => () => path;
  const long = (length: number) => 'x'.repeat(length);
  const onA = ({ A }: Filled) => `/sections/${A}`;
  const onG = ({ G }: Filled) => `/section-groups/${G}`;
  const onVa = ({ va }: Filled) => `/site-spaces/${va}`;
  const [sections, groups, spaces, sort] = ['/sections', '/section-groups', '/site-spaces', '/structure/sort'].map(
    fixed,
  ) as [() => string, () => string, () => string, () => string];
  const wrong: Wrong[] = [
    [400, 'title', 'PATCH', fixed(''), () => ({ title: 'x' })],
    [400, 'title', 'PATCH', fixed(''), () => ({ title: long(129) })],
    [400, 'title', 'PATCH', fixed(''), () => ({ title: null })],
    [400, 'visibility', 'PATCH', fixed(''), () => ({ visibility: 'secret' })],
    [400, 'basename', 'PATCH', fixed(''), () => ({ basename: 'a/b' })],
    [400, 'basename', 'PATCH', fixed(''), () => ({ basename: '..' })],
    [400, 'basename', 'PATCH', fixed(''), () => ({ basename: `-${long(5)}` })],
    [400, 'hostname', 'PATCH', fixed(''), () => ({ hostname: 'http://docs.example.com' })],
    [400, 'hostname', 'PATCH', fixed(''), () => ({ hostname: 'localhost' })],
    [400, 'proxy', 'PATCH', fixed(''), () => ({ proxy: 'https://example.com/docs' })],
    [400, 'proxy', 'PATCH', fixed(''), () => ({ proxy: 'example.com' })],
    [400, 'agentsContext', 'PATCH', fixed(''), () => ({ agentsContext: true })],
    [400, 'adaptiveContent', 'PATCH', fixed(''), () => ({ adaptiveContent: true })],
    [400, 'defaultSiteSection', 'PATCH', fixed(''), () => ({ defaultSiteSection: 'unknown' })],
    [400, 'defaultSiteSection', 'PATCH', fixed(''), ({ G }) => ({ defaultSiteSection: G })],
    [400, 'defaultSiteSection', 'PATCH', fixed(''), (of) => ({ defaultSiteSection: of.foreign.section })],
    [400, 'defaultSiteSpace', 'PATCH', fixed(''), ({ va }) => ({ defaultSiteSpace: va })],
    [400, 'the body', 'POST', sections, () => undefined],
    [400, 'spaceId', 'POST', sections, () => ({ title: 'No space' })],
    [400, 'spaceId', 'POST', sections, () => ({ spaceId: 'unknown' })],
    [400, 'spaceId', 'POST', sections, (of) => ({ spaceId: of.foreign.space })],
    [400, 'spaceId', 'POST', sections, (of) => ({ spaceId: of.hidden })],
    [400, 'spaceId', 'POST', sections, () => ({ spaceId: '' })],
    [400, 'spaceId', 'POST', sections, () => ({ spaceId: 7 })],
    [400, 'title', 'POST', sections, () => ({ spaceId: a, title: 'x' })],
    [400, 'title', 'POST', sections, () => ({ spaceId: a, title: long(65) })],
    [400, 'icon', 'POST', sections, () => ({ spaceId: a, icon: long(51) })],
    [400, 'title', 'PATCH', onA, () => ({ title: long(129) })],
    [400, 'title', 'PATCH', onA, () => ({ title: null })],
    [400, 'path', 'PATCH', onA, () => ({ path: '' })],
    [400, 'path', 'PATCH', onA, () => ({ path: 'a b' })],
    [400, 'path', 'PATCH', onA, () => ({ path: long(101) })],
    [409, 'path', 'PATCH', onA, () => ({ path: 'BB' })],
    [400, 'condition', 'PATCH', onA, () => ({ condition: '' })],
    [400, 'condition', 'PATCH', onA, () => ({ condition: 'visitor.' })],
    [400, 'condition', 'PATCH', onA, () => ({ condition: 'process.exit()' })],
    [400, 'condition', 'PATCH', onA, () => ({ condition: long(1025) })],
    [400, 'icon', 'PATCH', onA, () => ({ icon: long(51) })],
    [400, 'description', 'PATCH', onA, () => ({ description: long(257) })],
    [400, 'defaultSiteSpace', 'PATCH', onA, ({ vb }) => ({ defaultSiteSpace: vb })],
    [404, 'section', 'PATCH', fixed('/sections/unknown'), () => ({ title: 'AA' })],
    [404, 'section', 'PATCH', ({ G }) => `/sections/${G}`, () => ({ title: 'AA' })],
    [404, 'section', 'DELETE', (of) => `/sections/${of.foreign.section}`, () => undefined],
    [
      400,
      'position.before',
      'POST',
      (of) => `${onA(of)}/move`,
      ({ A }) => ({ position: { before: { type: 'site-section', siteSection: A } } }),
    ],
    [
      404,
      'position.after',
      'POST',
      (of) => `${onA(of)}/move`,
      () => ({ position: { after: { type: 'site-section', siteSection: 'no' } } }),
    ],
    [
      400,
      'position.before',
      'POST',
      (of) => `${onA(of)}/move`,
      ({ D }) => ({ position: { before: { type: 'site-section', id: D } } }),
    ],
    [
      400,
      'position.before',
      'POST',
      (of) => `${onA(of)}/move`,
      ({ va }) => ({ position: { before: { type: 'site-space', siteSpace: va } } }),
    ],
    [400, 'position', 'POST', (of) => `${onA(of)}/move`, () => ({ position: 'first' })],
    [400, 'title', 'POST', groups, () => ({})],
    [400, 'title', 'POST', groups, () => ({ title: '' })],
    [400, 'title', 'POST', groups, () => ({ title: long(101) })],
    [400, 'sections.1', 'POST', groups, ({ A }) => ({ title: 'No', sections: [A, 'unknown'] })],
    [400, 'sections.1', 'POST', groups, ({ A }) => ({ title: 'No', sections: [A, A] })],
    [400, 'sections.0', 'POST', groups, (of) => ({ title: 'No', sections: [of.foreign.section] })],
    [400, 'sections', 'POST', groups, ({ A }) => ({ title: 'No', sections: A })],
    [400, 'title', 'PATCH', onG, () => ({ title: '' })],
    [404, 'group', 'PATCH', ({ A }) => `/section-groups/${A}`, () => ({ title: 'No' })],
    [400, 'sectionId', 'POST', (of) => `${onG(of)}/sections`, () => ({ sectionId: 'unknown' })],
    [400, 'sectionId', 'POST', (of) => `${onG(of)}/sections`, () => ({})],
    [404, 'section', 'DELETE', (of) => `${onG(of)}/sections/${of.A}`, () => undefined],
    [
      400,
      'position.before',
      'POST',
      (of) => `${onG(of)}/move`,
      ({ G }) => ({ position: { before: { type: 'site-section-group', id: G } } }),
    ],
    [
      400,
      'position',
      'POST',
      (of) => `${onG(of)}/move`,
      ({ B }) => ({ position: { before: { type: 'site-section', id: B } } }),
    ],
    [
      404,
      'position.after',
      'POST',
      (of) => `${onG(of)}/move`,
      () => ({ position: { after: { type: 'site-section', id: 'no' } } }),
    ],
    [400, 'spaceId', 'POST', spaces, (of) => ({ spaceId: of.foreign.space })],
    [404, 'section', 'POST', spaces, () => ({ spaceId: a, sectionId: 'unknown' })],
    [404, 'section', 'POST', spaces, (of) => ({ spaceId: a, sectionId: of.foreign.section })],
    [400, 'path', 'PATCH', onVa, () => ({ path: 'a/b' })],
    [400, 'condition', 'PATCH', onVa, () => ({ condition: '(' })],
    [400, 'spaceId', 'PATCH', onVa, (of) => ({ spaceId: of.foreign.space })],
    [400, 'spaceId', 'PATCH', onVa, () => ({ spaceId: null })],
    [
      400,
      'position.after',
      'POST',
      (of) => `${onVa(of)}/move`,
      ({ va }) => ({ position: { after: { type: 'site-space', siteSpace: va } } }),
    ],
    [
      404,
      'position.after',
      'POST',
      (of) => `${onVa(of)}/move`,
      () => ({ position: { after: { type: 'site-space', siteSpace: 'no' } } }),
    ],
    [
      400,
      'position.before',
      'PATCH',
      sort,
      ({ A, va }) => ({ item: { type: 'site-space', id: va }, position: { before: { type: 'site-section', id: A } } }),
    ],
    [
      400,
      'position.after',
      'PATCH',
      sort,
      ({ A, va }) => ({ item: { type: 'site-section', id: A }, position: { after: { type: 'site-space', id: va } } }),
    ],
    [400, 'item', 'PATCH', sort, () => ({})],
    [400, 'item.type', 'PATCH', sort, () => ({ item: { type: 'page', id: 'x' } })],
    [404, 'section', 'PATCH', sort, ({ va }) => ({ item: { type: 'site-section', id: va } })],
    [400, 'page', 'GET', fixed('/sections?page=nonsense'), () => undefined],
    [400, 'page', 'GET', fixed(`/site-spaces?page=${Buffer.from('[1]').toString('base64url')}`), () => undefined],
    [400, 'limit', 'GET', fixed('/section-groups?limit=1001'), () => undefined],
    [400, 'default', 'GET', fixed('/site-spaces?default=maybe'), () => undefined],
    [404, 'hare', 'GET', fixed('/structure?shareKey=unknown'), () => undefined],
  ];

  it.each(wrong.map((each, at) => [at, ...each] as const))(
    '%i is %i and names %s',
    async (_, status, named, method, path, body) => {
      const { site } = filled;
      const of = { ...filled, foreign, hidden };
      const answer = await asking.request(method, site.at(path(of)), body(of));
      expect([answer.status, answer.body.error?.code]).toEqual([status, status]);
      expect(answer.body.error.message).toContain(named);
      if (!asking.hasSent()) return;
      const was = before;
      before = await state();
      expect(before).toBe(was);
    },
  );

  it.each<[string, () => object]>([
    ['title', () => ({ title: 'x' })],
    ['type', () => ({ type: 'free' })],
    ['visibility', () => ({ visibility: 'private' })],
    ['spaces', () => ({ spaces: 'all' })],
    ['spaces.1', () => ({ spaces: [a, 'unknown'] })],
    ['spaces.0', () => ({ spaces: [foreign.space] })],
  ])('to make a site names %s, and none is made', async (named, body) => {
    const sites = `/v1/orgs/${organization}/sites`;
    const { count } = (await admin.get(sites)).body;
    const { status, body: answer } = await asking.post(sites, body());
    expect([status, answer.error.message]).toEqual([400, expect.stringContaining(named)]);
    expect((await admin.get(sites)).body.count).toBe(count);
  });

  it('about the site of another organization is 404', async () => {
    const of = (rest: string) => admin.get(`/v1/orgs/${organization}/sites/${foreign.site}${rest}`);
    for (const rest of ['', '/structure', '/sections', '/site-spaces', '/customization'])
      expect((await of(rest)).status).toBe(404);
  });
});

describe('a condition', () => {
  it('is accepted or refused by name, whatever it is', async () => {
    const { site, va } = await filledSite(organization, [a, b, c]);
    const words = fc.constantFrom(
      'visitor',
      'claims',
      '.',
      '==',
      '"x"',
      '(',
      ')',
      '[',
      ']',
      '&&',
      '!',
      '?',
      ':',
      '1',
      '`',
      '=>',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }),
      fc.array(words, { minLength: 1, maxLength: 12 }).map((some) => some.join('')),
    );
    for (const condition of fc.sample(texts, 300)) {
      const { status, body } = await asking.patch(site.at(`/site-spaces/${va}`), { condition });
      expect([200, 400]).toContain(status);
      if (status === 400) expect(body.error.message).toContain('condition');
      else expect(body.condition).toBe(condition);
    }
  });
});
