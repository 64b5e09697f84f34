import { newSpace, shared } from './fixtures.js';
import type { Client } from './server.js';

const admin = shared();

/** A site, and its parts by what a test calls them. */
export class Site {
  constructor(
    readonly client: Client,
    readonly organization: string,
    readonly id: string,
  ) {}

  at = (rest = '') => `/v1/orgs/${this.organization}/sites/${this.id}${rest}`;
  send = (method: string, rest: string, body?: unknown) => this.client.request(method, this.at(rest), body);

  async ok(method: string, rest: string, body?: unknown): Promise<any> {
    const answer = await this.send(method, rest, body);
    if (answer.status >= 300) throw new Error(`${method} ${rest}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
  section = (spaceId: string, title?: string) => this.ok('POST', '/sections', { spaceId, title });
  group = (title: string, sections: string[] = []) => this.ok('POST', '/section-groups', { title, sections });
  siteSpace = (spaceId: string, sectionId?: string) => this.ok('POST', '/site-spaces', { spaceId, sectionId });
  structure = () => this.ok('GET', '/structure');

  /** Titles in order: `A(a*,b) G[B(c*)]`; those in upper case are sections and groups. */
  async outline(): Promise<string> {
    const { type, structure } = await this.structure();
    const siteSpaces = (items: any[]) => items.map((item) => item.title + (item.default ? '*' : '')).join(',');
    const section = (each: any) => `${each.title}${each.default ? '*' : ''}(${siteSpaces(each.siteSpaces)})`;
    if (type === 'siteSpaces') return siteSpaces(structure);
    return structure
      .map((entry: any) =>
        entry.object === 'site-section-group'
          ? `${entry.title}[${entry.sections.map(section).join(' ')}]`
          : section(entry),
      )
      .join(' ');
  }
}

export async function newSite(
  organization: string,
  input: Record<string, unknown> = {},
  client = admin,
): Promise<Site> {
  const { status, body } = await client.post(`/v1/orgs/${organization}/sites`, { title: 'Docs', ...input });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return new Site(client, organization, body.id);
}

export const newSpaces = (organization: string, ...titles: string[]) =>
  Promise.all(titles.map((title) => newSpace(admin, organization, { title })));

export interface FilledSite {
  site: Site;
  A: string;
  B: string;
  C: string;
  D: string;
  G: string;
  va: string;
  vb: string;
  vc: string;
  vd: string;
}

/** Sections A, B, C and D of one site space each, B and C in the group G. */
export async function filledSite(organization: string, [a = '', b = '', c = '']: string[]): Promise<FilledSite> {
  const site = await newSite(organization);
  const sections: any[] = [];
  for (const [title, space] of [
    ['AA', a],
    ['BB', b],
    ['CC', c],
    ['DD', a],
  ] as const)
    sections.push(await site.section(space, title));
  const [A, B, C, D] = sections.map(({ id }) => id);
  const G = (await site.group('GG', [B, C])).id;
  const [va, vb, vc, vd] = sections.map(({ siteSpaces }) => siteSpaces[0].id);
  return { site, A, B, C, D, G, va, vb, vc, vd };
}

/** A published site with a section, a group, a share link and a redirect, as path parameters. */
export async function siteOfAllParts(
  client: Client,
  organization: string,
  space: string,
): Promise<Record<string, string>> {
  const sites = `/v1/orgs/${organization}/sites`;
  const siteId = (await client.post(sites, { title: 'Fuzzed', spaces: [space] })).body.id;
  const path = `${sites}/${siteId}`;
  const section = (await client.post(`${path}/sections`, { spaceId: space, title: 'Fuzzed' })).body;
  const group = (await client.post(`${path}/section-groups`, { title: 'Fuzzed', sections: [section.id] })).body;
  const link = (await client.post(`${path}/share-links`, { name: 'Fuzzed' })).body;
  const redirect = await client.post(`${path}/redirects`, {
    source: '/old',
    destination: { kind: 'site-section', siteSection: section.id },
  });
  await client.post(`${path}/publish`);
  return {
    siteId,
    siteSectionId: section.id,
    siteSectionGroupId: group.id,
    siteSpaceId: section.siteSpaces[0].id,
    shareLinkId: link.id,
    siteRedirectId: String(redirect.body.id),
  };
}
