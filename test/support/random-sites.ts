import type { NewUser } from './fixtures.js';
import { unique } from './fixtures.js';
import { pagesOf } from './repository.js';
import { done } from './requests/setting.js';
import type { Client } from './server.js';
import { uploadedFont, webFont } from './uploads.js';

interface Filled {
  client: Client;
  organization: string;
  people: NewUser[];
  teams: string[];
  spaces: string[];
  next: () => number;
}

const conditions = [null, 'visitor.claims.beta == true'] as const;
const roles = ['review', 'edit', 'read', null] as const;

/** Makes sites at random: flat ones and ones with sections, with settings of all kinds, roles and secrets. */
export async function randomSites({ client, organization, people, teams, spaces, next }: Filled): Promise<void> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const site = async (title: string) => {
    const body = { title, spaces: [pick(spaces), pick(spaces)] };
    const { id } = await done(client.post(`/v1/orgs/${organization}/sites`, body));
    return `/v1/orgs/${organization}/sites/${id}`;
  };

  const flat = await site(unique('Flat'));
  await done(client.patch(flat, { basename: 'flat', hostname: 'docs.acme.example', agentsContext: 'excluded' }));
  await done(client.post(`${flat}/publish`));
  await done(client.post(`${flat}/share-links`, { name: 'Testers' }));
  const { id: doomed } = await done(client.post(`/v1/orgs/${organization}/spaces`, { title: 'Doomed' }));
  const { id: shown } = await done(client.post(`${flat}/site-spaces`, { spaceId: doomed }));
  await done(client.patch(flat, { defaultSiteSpace: shown }));
  await done(client.delete(`/v1/spaces/${doomed}`));

  const at = await site(unique('Sections'));
  await done(client.patch(at, { proxy: 'www.acme.example/docs', visibility: 'share-link' }));
  const sections: string[] = [];
  const placed: { id: string; space: string }[] = [];
  for (const title of ['Guides', 'API', 'Blog']) {
    const { id } = await done(client.post(`${at}/sections`, { spaceId: pick(spaces), title, icon: 'book' }));
    const spaceId = pick(spaces);
    const { id: siteSpace } = await done(client.post(`${at}/site-spaces`, { spaceId, sectionId: id }));
    sections.push(id);
    placed.push({ id: siteSpace, space: spaceId });
  }
  const inGerman = { localizedTitle: { de: 'Erster' }, localizedDescription: { de: 'Von einigen' } };
  await done(client.patch(`${at}/sections/${sections[0]}`, { path: 'first', description: 'Of some', ...inGerman }));
  await done(client.patch(`${at}/sections/${sections[1]}`, { condition: pick(conditions) }));
  await done(client.patch(at, { defaultSiteSection: pick(sections) }));
  const group = await done(client.post(`${at}/section-groups`, { title: 'More', sections: [sections[2]] }));
  await done(client.patch(`${at}/section-groups/${group.id}`, { localizedTitle: { de: 'Weitere' } }));
  const link = { title: 'Status', url: 'https://status.example.com/', localizedTitle: { de: 'Zustand' }, draft: true };
  const { id: moved } = await done(client.post(`${at}/external-links`, { ...link, parent: group.id }));
  await done(client.post(`${at}/external-links`, { title: 'Shop', url: 'https://shop.example.com/' }));
  await done(
    client.patch(`${at}/structure/sort`, {
      item: { type: 'site-external-link', id: moved },
      position: { before: { type: 'site-section', id: sections[2] } },
    }),
  );
  const { id: siteSpace, space } = pick(placed);
  await done(client.patch(`${at}/site-spaces/${siteSpace}`, { path: 'else', condition: pick(conditions) }));
  const overrides = { title: 'Other', themes: { default: 'dark' }, header: { preset: 'bold' } };
  await done(client.patch(`${at}/site-spaces/${siteSpace}/customization`, overrides));
  const settings = await done(client.get(`${at}/customization`));
  const regular = await uploadedFont(client, organization, webFont('woff2', unique('Regular')));
  const bold = await uploadedFont(client, organization, webFont('woff2', unique('Bold')));
  const fontFaces = [400, 700]
    .slice(0, pick([1, 2]))
    .map((weight, index) => ({ weight, storageKey: [regular, bold][index] }));
  const { permissions: _, ...font } = await done(
    client.put(`/v1/orgs/${organization}/fonts`, { fontFamily: 'Acme Sans', fontFaces }),
  );
  const styling = { ...settings.styling, font: pick([font, settings.styling.font]) };
  const stored = await Promise.all(spaces.map((each) => done(client.get(`/v1/spaces/${each}/content/files`))));
  const [file] = stored.flatMap(({ items }) => items);
  const logo = file ? { light: file.downloadURL, dark: 'https://example.com/logo.png' } : undefined;
  const header = { ...settings.header, logo, links: [{ title: 'Home', to: null, links: [] }] };
  await done(client.put(`${at}/customization`, { ...settings, styling, header, favicon: { emoji: '1f4a5' } }));
  const properties = { beta: { type: 'boolean', description: 'Tests' } };
  const jsonSchema = { type: 'object', properties, additionalProperties: false };
  await done(client.put(`${at}/adaptive-schema`, { jsonSchema }));
  await done(client.patch(`${at}/publishing/auth`, { fallbackURL: 'https://acme.example/sign-in' }));
  const server = { name: 'Orders', url: 'https://mcp.example.com/', headers: { Authorization: 'secret-4f1c' } };
  await done(client.post(`${at}/mcp-servers`, server));

  const page = (await pagesOf(client, space)).find(({ type }) => type === 'document');
  const destinations = [
    { kind: 'site-section', siteSectionId: pick(sections) },
    { kind: 'site-space', siteSpaceId: siteSpace },
    ...(page ? [{ kind: 'site-page', siteSpaceId: siteSpace, pageId: page.id }] : []),
  ];
  for (const [index, destination] of destinations.entries())
    for (const draft of [false, true])
      await done(
        client.post(`${at}/redirects`, { source: `/old-${index}`, destination, draft, permanent: next() < 0.5 }),
      );
  await done(client.post(`${at}/permissions`, { users: [pick(people).id], role: pick(roles) }));
  await done(client.post(`${at}/permissions`, { teams: [pick(teams)], role: pick(roles) }));
}
