import type { Filled } from './filled.js';
import { TrackedSite } from './insights/tracked-site.js';
import { published } from './integrations.js';
import { done } from './requests/setting.js';
import { uploadedFont, webFont } from './uploads.js';

/** Paths of resources of a filled organization whose lists have items, of each kind that they may hold. */
export interface FilledLists {
  organization: string;
  /** With content that came from a change request. */
  space: string;
  /** Open, reviewed, and commented on. */
  changeRequest: string;
  merged: string;
  /** A page of both that others link to. */
  page: string;
  /** In the space, and on the change request; both have replies. */
  comments: [string, string];
  /** With sections and groups, and without. */
  sites: [string, string];
  /** Of published sites: of content, of another address of it, and of one whose visitors sign in elsewhere. */
  urls: string[];
  integration: string;
  installation: string;
}

export async function filledLists({ admin, organization: id, space: imported }: Filled): Promise<FilledLists> {
  const { client } = admin;
  const post = (path: string, body: unknown = {}) => done(client.post(path, body));
  const organization = `/v1/orgs/${id}`;
  await post(`${organization}/translations`, { title: 'Manuals', languages: ['fr'] });
  const operations = [{ type: 'insert', translations: { en: 'Space', fr: 'Espace' } }];
  await done(client.put(`${organization}/translations-glossary`, { operations }));
  const { id: live } = await post(`${organization}/spaces`, { title: 'Live', editMode: 'live' });
  const space = `/v1/spaces/${live}`;

  const written = (markdown: string) => ({ document: { markdown } });
  const insert = (title: string, markdown: string) => ({ operation: 'insert_page', title, ...written(markdown) });
  const request = async (...changes: object[]): Promise<string> => {
    const { id: made } = await post(`${space}/change-requests`, { subject: 'Words' });
    await post(`${space}/change-requests/${made}/content`, { changes });
    return `${space}/change-requests/${made}`;
  };
  const merged = await request(insert('Guide', '# Guide\n\nWith `code`.\n'), insert('Old', 'To be removed.\n'));
  await post(`${merged}/merge`);
  const [guide, old] = (await done(client.get(`${space}/content/pages`))).pages as { id: string }[];
  const page = guide?.id as string;
  const changeRequest = await request(
    { operation: 'update_page', page, title: 'The guide', ...written('# The guide\n\nMore words.\n') },
    { operation: 'delete_page', page: old?.id },
    insert('About', '[The guide](guide.md), and [a site](https://example.com).\n'),
  );
  await post(`${changeRequest}/requested-reviewers`, { users: [admin.id] });
  for (const status of ['changes-requested', 'approved'])
    await post(`${changeRequest}/reviews`, { status, comment: { markdown: 'As **said**.' } });

  const comment = async (place: string) => {
    const { id: made } = await post(`${place}/comments`, { body: { markdown: 'A *word*' }, page });
    await post(`${place}/comments/${made}/replies`, { body: { markdown: 'Another' } });
    return `${place}/comments/${made}`;
  };
  const comments: FilledLists['comments'] = [await comment(space), await comment(changeRequest)];

  const newSite = async (title: string) =>
    `${organization}/sites/${(await post(`${organization}/sites`, { title, spaces: [imported] })).id}`;
  const sites: FilledLists['sites'] = [await newSite('Sections'), await newSite('Flat')];
  const [site, flat] = sites;
  const section = await post(`${site}/sections`, { spaceId: imported, title: 'First' });
  const second = await post(`${site}/sections`, { spaceId: live, title: 'Second' });
  await post(`${site}/section-groups`, { title: 'Group', sections: [second.id] });
  await post('/v1/git/installations', { provider: 'github', paused: true, target: { type: 'space', spaceId: live } });
  await post(`${site}/share-links`, { name: 'Partners' });
  const team = await done(client.put(`${organization}/teams`, { title: 'Site writers', members: [admin.id] }));
  await post(`${site}/permissions`, { role: 'create', users: [admin.id], teams: [team.id] });
  const storageKey = await uploadedFont(client, id, webFont('woff2'));
  await done(client.put(`${organization}/fonts`, { fontFamily: 'Acme', fontFaces: [{ weight: 400, storageKey }] }));
  await post(`${site}/mcp-servers`, { name: 'Shop', url: 'https://mcp.example/', headers: { 'X-Key': 'secret' } });
  const beta = { type: 'boolean', description: 'Tries what is new.' };
  const jsonSchema = { type: 'object', properties: { beta }, additionalProperties: false };
  await done(client.put(`${flat}/adaptive-schema`, { jsonSchema }));
  const siteSpaceId = second.siteSpaces[0].id;
  for (const [source, destination] of Object.entries({
    '/section': { kind: 'site-section', siteSectionId: section.id },
    '/space': { kind: 'site-space', siteSpaceId },
    '/page': { kind: 'site-page', siteSpaceId, pageId: page },
    '/wide/*': { kind: 'site-section', siteSectionId: section.id },
  }))
    for (const draft of [false, true])
      await post(`${site}/redirects`, {
        source,
        destination,
        draft,
        permanent: true,
        captureWildcard: source.endsWith('*'),
      });
  const urls = [];
  for (const each of sites) urls.push((await post(`${each}/publish`)).urls.published);
  await done(client.patch(flat, { visibility: 'visitor-auth' }));
  await done(client.patch(`${flat}/publishing/auth`, { backend: 'custom', fallbackURL: 'https://login.example/' }));
  urls.push(`${urls[0]}${second.path}`, `${urls[0]}first/guide`);
  const claims = { plan: 'pro', seats: 3, beta: true, teams: ['a', 'b'], company: { name: 'Acme' } };
  await new TrackedSite(client, id, site.split('/').at(-1) as string).tracked([
    { session: { visitorAuthClaims: claims } },
    {},
  ]);

  const integration = `/v1/integrations/${await published(client, id, { visibility: 'public', categories: ['gitsync', 'content'] })}`;
  const installed = await post(`${integration}/installations`, { organization: id });
  const installation = `${integration}/installations/${installed.id}`;
  await post(`${installation}/spaces`, { space: live });
  await post(`${installation}/sites`, { siteId: site.split('/').at(-1) });
  return { organization, space, changeRequest, merged, page, comments, sites, urls, integration, installation };
}
