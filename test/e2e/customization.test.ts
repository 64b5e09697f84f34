import { codeThemeSchema } from '../../services/sites/customization/code-themes/resources.js';
import { defaultCustomization } from '../../services/sites/customization/resources.js';
import { auditEvents } from '../support/audit.js';
import { newOrganization, newUser, shared } from '../support/fixtures.js';
import { newestValues, officialWithout } from '../support/official.js';
import { newSite, newSpaces, type Site } from '../support/site.js';

const admin = shared();
const official = officialWithout([]);

let organization: string;
let [a, b] = ['', ''];
beforeAll(async () => {
  organization = await newOrganization(admin);
  [a = '', b = ''] = await newSpaces(organization, 'a', 'b');
});

async function customizedSite() {
  const site = await newSite(organization, { spaces: [a, b] });
  const [first, second] = (await site.ok('GET', '/site-spaces')).items;
  return { site, first: `/site-spaces/${first.id}/customization`, second: `/site-spaces/${second.id}/customization` };
}

const of = '/customization';
const color = (light: string, dark = light) => ({ light, dark });
const link = (url: string) => ({ title: 'A link', to: { kind: 'url', url } });

/** Something in every field. */
const full = {
  ...defaultCustomization,
  title: 'Acme Docs',
  styling: {
    ...defaultCustomization.styling,
    theme: 'gradient',
    primaryColor: color('#abc', '#AABBCC'),
    tint: { color: color('#123456') },
    font: {
      id: 'acme',
      custom: true,
      fontFamily: 'Acme Sans',
      fontFaces: [{ weight: 400, sources: [{ url: 'https://example.com/acme.woff2', format: 'woff2' }] }],
    },
    sidebar: { background: 'filled', list: 'pill' },
  },
  internationalization: { locale: 'pt-br' },
  favicon: { emoji: '🎉' },
  header: {
    preset: 'custom',
    logo: { light: 'https://example.com/light.png', dark: 'https://example.com/dark.png' },
    backgroundColor: color('#000000'),
    linkColor: color('#ffffff'),
    links: [
      {
        title: 'Start',
        to: { kind: 'url', url: 'https://example.com' },
        links: [link('mailto:help@example.com')],
        style: 'button-primary',
        condition: 'visitor.claims.beta == true',
      },
      { title: 'More', to: null, links: [{ title: 'A page', to: { kind: 'page', page: 'p', space: 's' } }] },
    ],
  },
  footer: {
    logo: { light: 'https://example.com/light.png', dark: 'https://example.com/dark.png' },
    groups: [
      {
        title: 'Elsewhere',
        links: [
          { title: 'Space', to: { kind: 'space', space: 's' } },
          { title: 'Anchor', to: { kind: 'anchor', anchor: 'x', page: 'p' } },
          { title: 'API', to: { kind: 'openapi', spec: 'petstore' } },
        ],
      },
    ],
    copyright: '© Acme',
  },
  announcement: { enabled: true, message: 'Version 2 is out', link: link('https://example.com/2'), style: 'info' },
  ai: { mode: 'search' },
  privacyPolicy: { url: 'https://example.com/privacy' },
  socialPreview: { url: 'https://example.com/card.png' },
};

describe('the customization of a site', () => {
  it('is complete before anybody said anything, for all site spaces too', async () => {
    const { site, first } = await customizedSite();
    const told = await site.ok('GET', of);
    expect(told).toEqual(defaultCustomization);
    expect(official.mismatchesOf('SiteCustomizationSettings', told)).toEqual([]);
    expect(await site.ok('GET', first)).toEqual(told);
    expect(await site.ok('GET', `${of}?unmasked=true`)).toEqual(told);
  });

  it('is set as a whole and told as it was set', async () => {
    const { site, first } = await customizedSite();
    expect(await site.ok('PUT', of, { ...full, unknown: 1 })).toEqual(full);
    expect(await site.ok('GET', of)).toEqual(full);
    expect(await site.ok('GET', first)).toEqual(full);
    expect(official.mismatchesOf('SiteCustomizationSettings', full)).toEqual([]);
    expect(await site.ok('PUT', of, defaultCustomization)).toEqual(defaultCustomization);
  });

  it('goes with its site', async () => {
    const { site } = await customizedSite();
    await site.ok('PUT', of, full);
    await site.ok('DELETE', '');
    expect((await site.send('GET', of)).status).toBe(404);
  });
});

describe('the customization of a site space', () => {
  it('overrides fields of its site one by one, and null gives each back', async () => {
    const { site, first, second } = await customizedSite();
    await site.ok('PUT', of, full);
    const changed = await site.ok('PATCH', first, {
      title: 'Own',
      styling: { primaryColor: color('#111111'), sidebar: { list: 'line' } },
      header: { links: [] },
      themes: { default: 'dark' },
      favicon: {},
    });
    const expected = {
      ...full,
      title: 'Own',
      styling: { ...full.styling, primaryColor: color('#111111'), sidebar: { background: 'filled', list: 'line' } },
      header: { ...full.header, links: [] },
      themes: { default: 'dark', toggeable: true },
      favicon: {},
    };
    expect(changed).toEqual(expected);
    expect(await site.ok('GET', first)).toEqual(expected);
    expect(await site.ok('GET', second)).toEqual(full);
    expect(await site.ok('GET', of)).toEqual(full);
    const reset = await site.ok('PATCH', first, { title: null, styling: { primaryColor: null }, header: null });
    expect(reset).toEqual({
      ...expected,
      title: full.title,
      header: full.header,
      styling: { ...expected.styling, primaryColor: full.styling.primaryColor },
    });
    await site.ok('PUT', of, { ...full, styling: { ...full.styling, theme: 'bold' } });
    expect(await site.ok('GET', first)).toMatchObject({ styling: { theme: 'bold', sidebar: { list: 'line' } } });
    expect(await site.send('DELETE', first)).toMatchObject({ status: 205, body: '' });
    expect(await site.ok('GET', first)).toEqual(await site.ok('GET', of));
    expect((await site.send('DELETE', first)).status).toBe(205);
  });

  it('loses nothing when many change different fields at once', async () => {
    const { site, first } = await customizedSite();
    const changes = [
      { title: 'Own' },
      { themes: { default: 'dark' } },
      { themes: { toggeable: false } },
      { pdf: { enabled: false } },
      { styling: { theme: 'bold' } },
      { styling: { depth: 'flat' } },
      { styling: { sidebar: { list: 'pill' } } },
      { footer: { copyright: 'Acme' } },
    ];
    await Promise.all(changes.map((change) => site.ok('PATCH', first, change)));
    const told = await site.ok('GET', first);
    for (const change of changes) expect(told).toMatchObject(change);
  });

  it('goes with its site space, and is not found on another site', async () => {
    const { site, first } = await customizedSite();
    const other = await newSite(organization);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect((await other.send(method, first, method === 'PATCH' ? {} : undefined)).status).toBe(404);
    await site.ok('PATCH', first, { title: 'Own' });
    await site.ok('DELETE', first.replace('/customization', ''));
    expect((await site.send('GET', first)).status).toBe(404);
  });

  it('is handed to renderers for each site space, with that of the site', async () => {
    const { site, first, second } = await customizedSite();
    await site.ok('PATCH', first, { title: 'Own' });
    await site.ok('PATCH', second, { title: 'Other' });
    await site.ok('PATCH', second, { title: null });
    const [own, plain] = [first, second].map((path) => path.split('/')[2] as string) as [string, string];
    const handed = (await site.ok('GET', '/published')).customizations;
    expect(handed).toEqual({
      site: defaultCustomization,
      siteSpaces: { [own]: { ...defaultCustomization, title: 'Own' }, [plain]: defaultCustomization },
    });
  });
});

describe('a wrong customization', () => {
  const { header, styling, footer } = defaultCustomization;
  const item = { title: 'A', to: null, links: [] };
  const headerOf = (change: object) => ({ header: { ...header, ...change } });
  const wrong: [named: string, change: object][] = [
    ['title', { title: 'x' }],
    ['title', { title: 'x'.repeat(129) }],
    ['styling', { styling: undefined }],
    ['styling.theme', { styling: { ...styling, theme: 'neon' } }],
    ['styling.primaryColor.dark', { styling: { ...styling, primaryColor: { light: '#fff' } } }],
    ['styling.primaryColor.light', { styling: { ...styling, primaryColor: color('red') } }],
    ['styling.infoColor.light', { styling: { ...styling, infoColor: color('#12345') } }],
    ['styling.tint', { styling: { ...styling, tint: '#fff' } }],
    ['styling.font', { styling: { ...styling, font: 'Comic Sans' } }],
    ['styling.sidebar.list', { styling: { ...styling, sidebar: { background: 'default' } } }],
    ['internationalization.locale', { internationalization: { locale: 'tlh' } }],
    ['favicon', { favicon: { emoji: '🎉', icon: color('https://example.com/a.png') } }],
    ['favicon.emoji', { favicon: { emoji: 'smile' } }],
    ['favicon.icon.light', { favicon: { icon: color('data:image/png;base64,AA') } }],
    ['header.logo.dark', headerOf({ logo: { light: 'https://example.com', dark: 'javascript:alert(1)' } })],
    ['header.preset', headerOf({ preset: 'loud' })],
    ['header.links', headerOf({ links: {} })],
    ['header.links.0.title', headerOf({ links: [{ ...item, title: 'x'.repeat(65) }] })],
    ['header.links.0.to', headerOf({ links: [{ title: 'A', links: [] }] })],
    ['header.links.0.to.url', headerOf({ links: [{ ...item, to: { kind: 'url', url: 'javascript:alert(1)' } }] })],
    ['header.links.0.to.kind', headerOf({ links: [{ ...item, to: { kind: 'planet', planet: 'x' } }] })],
    ['header.links.0.to.page', headerOf({ links: [{ ...item, to: { kind: 'page' } }] })],
    ['header.links.0.links.0.to', headerOf({ links: [{ ...item, links: [{ title: 'A', to: null }] }] })],
    ['header.links.0.condition', headerOf({ links: [{ ...item, condition: 'process.exit(' }] })],
    ['footer.groups.0.links', { footer: { groups: [{ title: 'A' }] } }],
    ['footer.copyright', { footer: { ...footer, copyright: 'x'.repeat(301) } }],
    ['announcement.message', { announcement: { enabled: true, message: 'x', style: 'info' } }],
    ['announcement.style', { announcement: { enabled: true, message: 'Hello', style: 'loud' } }],
    ['themes.toggeable', { themes: { default: 'dark' } }],
    ['ai.mode', { ai: { mode: 'always' } }],
    ['privacyPolicy.url', { privacyPolicy: { url: 'ftp://example.com' } }],
    ['insights.trackingCookie', { insights: {} }],
    ['pdf.enabled', { pdf: { enabled: 'yes' } }],
  ];
  let site: Site;
  let first: string;
  beforeAll(async () => {
    ({ site, first } = await customizedSite());
  });

  it.each(wrong)('names %s', async (named, change) => {
    const refused = await site.send('PUT', of, { ...defaultCustomization, ...change });
    expect([refused.status, refused.body.error?.message]).toEqual([400, expect.stringContaining(named)]);
    expect(await site.ok('GET', of)).toEqual(defaultCustomization);
  });

  it.each<[string, object]>([
    ['styling.theme', { styling: { theme: 'neon' } }],
    ['styling.sidebar.list', { styling: { sidebar: { list: 'none' } } }],
    ['header.links.0.links', { header: { links: [{ title: 'A', to: null }] } }],
    ['header.logo.dark', { header: { logo: { light: 'https://example.com' } } }],
    ['socialPreview.url', { socialPreview: { url: 'file:///etc/passwd' } }],
    ['trademark.enabled', { trademark: { enabled: 1 } }],
    ['footer', { footer: [] }],
  ])('of a site space names %s', async (named, change) => {
    const refused = await site.send('PATCH', first, change);
    expect([refused.status, refused.body.error?.message]).toEqual([400, expect.stringContaining(named)]);
    expect(await site.ok('GET', first)).toEqual(defaultCustomization);
  });
});

it('is written to the audit trail, by the names of what changed', async () => {
  const own = await newOrganization(admin);
  const [space = ''] = await newSpaces(own, 'space');
  const { client } = await newUser(admin, { organization: own, role: 'create' });
  const site = await newSite(own, { spaces: [space] }, client);
  const [{ id }] = (await site.ok('GET', '/site-spaces')).items;
  const at = `/site-spaces/${id}/customization`;
  await site.ok('PUT', of, full);
  await site.ok('PUT', of, full);
  await site.ok('PUT', of, { ...full, title: 'Other' });
  await site.ok('PATCH', at, { title: 'Own', pdf: { enabled: false } });
  await site.ok('PATCH', at, { title: 'Own' });
  await site.ok('DELETE', at);
  const told = (events: any[]) => events.filter(({ details }) => details?.customization);
  const found = told(await auditEvents(admin, own, 'order=asc', (events) => told(events).length >= 4));
  expect(
    found.slice(1).map(({ operation, resource, details }) => [operation, resource, details.customization]),
  ).toEqual([
    ['updateSiteCustomizationById', { type: 'site', id: site.id }, ['title']],
    ['overrideSiteSpaceCustomizationById', { type: 'site-space', id }, ['title', 'pdf']],
    ['deleteSiteSpaceCustomizationById', { type: 'site-space', id }, ['title', 'pdf']],
  ]);
});

describe('the customization that the newest client sends', () => {
  it('lists the actions of pages instead of switching each, and is kept', async () => {
    const { site } = await customizedSite();
    const { pdf: _pdf, git: _git, ...others } = defaultCustomization;
    const codeTheme = {
      default: { light: 'github-light', dark: 'github-dark-default' },
      openapi: { light: 'min-light', dark: 'nord' },
    };
    const socialAccounts = [{ platform: 'mastodon', handle: 'acme', display: { footer: true, header: false } }];
    const sent = {
      ...others,
      styling: { ...others.styling, codeTheme },
      pageActions: { items: ['git', 'markdown'] },
      socialAccounts,
    };
    const answered = {
      styling: { codeTheme },
      socialAccounts,
      pdf: { enabled: false },
      git: { showEditLink: true },
      pageActions: { externalAI: false, markdown: true, items: ['git', 'markdown'] },
    };
    expect(await site.ok('PUT', of, sent)).toMatchObject(answered);
    expect(await site.ok('GET', of)).toMatchObject(answered);
  });

  it('without such a list needs each switch', async () => {
    const { site } = await customizedSite();
    const { pdf: _, ...others } = defaultCustomization;
    const sent = { ...others, pageActions: { externalAI: false, markdown: true } };
    const { status, body } = await site.send('PUT', of, sent);
    expect([status, body.error.message]).toEqual([400, 'pdf: required, without pageActions.items']);
  });

  it('has each of its themes for code', () => {
    expect(codeThemeSchema.shape.default.shape.dark.options.toSorted()).toEqual(
      newestValues('CustomizationCodeTheme').toSorted(),
    );
  });
});
