import { defaultCustomization } from '../../../services/sites/customization/resources.js';
import { publishSpec } from '../computed.js';
import { newOrganization, newSpace, shared } from '../fixtures.js';
import { type CommittedFiles, importInto, openRepositories, type Repositories } from '../repository.js';
import { newSite, type Site } from '../site.js';
import { guideFiles, hebrewFiles, wombatSpec } from './sample-pages.js';

const admin = shared();

/** A space with the content of a commit. */
async function spaceOf(
  { organization, repositories }: { organization: string; repositories: Repositories },
  files: CommittedFiles,
  input: { title: string; language?: string },
): Promise<string> {
  const name = input.title.toLowerCase().replace(/\W+/g, '-');
  const space = await newSpace(admin, organization, input);
  await repositories.commit(name, files);
  const operation = await importInto(admin, space, { url: `${repositories.url}/${name}.git` });
  if (operation.state !== 'success') throw new Error(JSON.stringify(operation));
  return space;
}

const link = (title: string, url: string) => ({ title, to: { kind: 'url', url } });

/** Something in every part of the frame. */
export const fullCustomization = {
  ...defaultCustomization,
  title: 'Wombat Docs',
  header: {
    ...defaultCustomization.header,
    links: [
      { ...link('Blog', 'https://example.com/blog'), links: [] },
      { ...link('Sign up', 'https://example.com/up'), style: 'button-primary', links: [] },
      {
        title: 'Products',
        to: null,
        links: [link('One', 'https://example.com/1'), link('Two', 'https://example.com/2')],
      },
    ],
  },
  footer: {
    groups: [{ title: 'Company', links: [link('About', 'https://example.com/about')] }],
    copyright: '© Wombats',
  },
  announcement: {
    enabled: true,
    message: 'Version 2 is out',
    style: 'info',
    link: link('Read', 'https://example.com/2'),
  },
  pdf: { enabled: true },
  feedback: { enabled: true },
  insights: { trackingCookie: false },
  privacyPolicy: { url: 'https://example.com/privacy' },
  socialAccounts: [{ platform: 'github', handle: 'wombats', display: { footer: true, header: true } }],
};

export interface SampleSite {
  organization: string;
  site: Site;
  /** Where its pages are, with a slash at the end. */
  url: string;
  /** Where the translation is. */
  hebrew: string;
  close(): Promise<void>;
}

const small = (title: string): CommittedFiles => ({ 'README.md': `# ${title}\n\nAbout ${title}.\n` });

/** A published site of four sections, two of them in a group; the first one has a translation from right to left. */
export async function newSampleSite(customization: object = fullCustomization): Promise<SampleSite> {
  const organization = await newOrganization(admin);
  const repositories = await openRepositories();
  const place = { organization, repositories };
  await publishSpec(admin, { organization, slug: 'wombats' }, wombatSpec);
  const guide = await spaceOf(place, guideFiles, { title: 'Guide', language: 'en' });
  const hebrew = await spaceOf(place, hebrewFiles, { title: 'Hebrew', language: 'he' });
  const [api, tools, lore] = [
    await spaceOf(place, small('Endpoints'), { title: 'API' }),
    await spaceOf(place, small('Shovels'), { title: 'Tools' }),
    await spaceOf(place, small('Legends'), { title: 'Lore' }),
  ];
  const site = await newSite(organization, { title: 'Wombat Docs' });
  const first = await site.section(guide, 'Guide');
  await site.siteSpace(hebrew, first.id);
  await site.section(api, 'API');
  await site.group('Besides', [(await site.section(tools, 'Tools')).id, (await site.section(lore, 'Lore')).id]);
  await site.ok('PUT', '/customization', customization);
  await site.ok('POST', '/publish');
  const { items } = await site.ok('GET', '/site-spaces');
  const translated = items.find((each: any) => each.space.id === hebrew);
  return {
    organization,
    site,
    url: `${admin.url}/sites/${site.id}/`,
    hebrew: translated.urls.published,
    close: () => repositories.close(),
  };
}

/** A published site of one space. */
export async function newPlainSite(
  files: CommittedFiles,
  { customization = {}, specs = {} }: { customization?: object; specs?: Record<string, object> } = {},
): Promise<SampleSite> {
  const organization = await newOrganization(admin);
  for (const [slug, spec] of Object.entries(specs)) await publishSpec(admin, { organization, slug }, spec);
  const repositories = await openRepositories();
  const space = await spaceOf({ organization, repositories }, files, { title: 'Plain' });
  const site = await newSite(organization, { title: 'Plain', spaces: [space] });
  await site.ok('PUT', '/customization', { ...defaultCustomization, ...customization });
  await site.ok('POST', '/publish');
  return {
    organization,
    site,
    url: `${admin.url}/sites/${site.id}/`,
    hebrew: '',
    close: () => repositories.close(),
  };
}
