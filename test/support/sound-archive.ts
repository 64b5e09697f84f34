import { sha256 } from '../../shared/values/ids.js';
import type { ZipEntry } from './imports/zip.js';

export const at = '2026-11-29T12:00:00.000Z';
export const organization = {
  id: 'org',
  title: 'Acme',
  emailDomains: [],
  type: 'business',
  defaultRole: null,
  sso: false,
  ai: true,
  inviteLinks: true,
  createdAt: at,
};
export const member = {
  user: 'ada',
  email: 'ada@example.com',
  displayName: 'Ada',
  role: 'admin',
  disabled: false,
  sso: false,
  teams: ['team'],
  owned: [],
  joinedAt: at,
};
export const space = {
  id: 'space',
  title: 'A space',
  editMode: 'live',
  defaultLevel: 'inherit',
  createdBy: 'ada',
  createdAt: at,
  updatedAt: at,
};
export const page = { id: 'page', type: 'document', title: 'Page', slug: 'page', path: 'page', file: 'page.md' };
export const site = {
  id: 'site',
  type: 'ultimate',
  title: 'Docs',
  visibility: 'public',
  published: true,
  basename: 'docs',
  hostname: 'docs.example.com',
  adaptiveContent: true,
  agentsContext: 'included',
  createdAt: at,
};
export const siteSpaces = { items: [{ id: 'part', space: 'space', path: 'main' }], default: 'part' };
export const structure = { siteSpaces: { items: [], default: null }, entries: [], defaultSection: null };
export const flat = { site: 'site', structure: { ...structure, siteSpaces } };
export const section = { id: 'section', path: 'guides', siteSpaces: { items: [], default: null } };
export const redirect = {
  id: 'redirect',
  site: 'site',
  source: '/old',
  destination: { kind: 'site-space', siteSpaceId: 'part' },
  createdAt: at,
};
export const shareLink = { id: 'link', site: 'site', name: 'Link', active: true, createdAt: at };
export const toLine = (value: unknown) => `${JSON.stringify(value)}\n`;

export type Files = Record<string, string | Buffer>;

export const sound: Record<string, string> = {
  'bindery.json': toLine({ format: 'bindery-archive', version: 1, organization: 'org' }),
  'organization.ndjson': toLine(organization),
  'members.ndjson': toLine(member),
  'teams.ndjson': toLine({ id: 'team', title: 'Team', createdAt: at }),
  'saml-providers.ndjson': '',
  'oidc-providers.ndjson': '',
  'collections.ndjson': '',
  'grants.ndjson': '',
  'translations.ndjson': '',
  'glossary.ndjson': '',
  'openapi.ndjson': '',
  'comments.ndjson': '',
  'replies.ndjson': '',
  'sites/sites.ndjson': toLine(site),
  'sites/structures.ndjson': toLine(flat),
  'sites/sections.ndjson': '',
  'sites/section-groups.ndjson': '',
  'sites/external-links.ndjson': '',
  'sites/site-spaces.ndjson': toLine({ id: 'part', site: 'site' }),
  'sites/customizations.ndjson': toLine({ site: 'site', settings: { themes: { default: 'dark' } } }),
  'sites/authentication.ndjson': '',
  'sites/share-links.ndjson': '',
  'sites/redirects.ndjson': toLine(redirect),
  'sites/mcp-servers.ndjson': '',
  'sites/grants.ndjson': '',
  'spaces/space/space.json': toLine(space),
  'spaces/space/pages.ndjson': toLine(page),
  'spaces/space/files.ndjson': '',
  'spaces/space/reusable-contents.ndjson': '',
  'spaces/space/redirects.ndjson': '',
  'spaces/space/content/page.md': '# Page\n',
};

/** The entries of an archive with right checksums. */
export function entriesOf(files: Files): ZipEntry[] {
  const sums = Object.entries(files).map(([name, content]) => `${sha256(content)}  ${name}\n`);
  return Object.entries({ ...files, SHA256SUMS: sums.join('') }).map(([name, content]) => ({ name, content }));
}
