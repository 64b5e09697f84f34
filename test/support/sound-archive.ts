import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openChecked } from '../../services/commands/archives/taken-archive.js';
import { sha256 } from '../../shared/values/ids.js';
import { type ZipEntry, zipOf } from './imports/zip.js';
import { pixel } from './integrations.js';
import { webFont } from './uploads.js';

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
export const manifest = {
  title: 'Hello',
  description: 'Says hello.',
  visibility: 'private',
  target: 'all',
  scopes: [],
  categories: [],
  blocks: [],
  contentSources: [],
  externalLinks: [],
  configurations: {},
};
export const integration = {
  name: 'hello',
  publication: 'publication',
  version: 1,
  runtime: 'v2',
  manifest,
  icon: 'png',
  previewImages: [],
  createdAt: at,
  updatedAt: at,
};
export const configured = { externalIds: [], configuration: { region: 'eu' }, createdAt: at, updatedAt: at };
export const installation = {
  id: 'installation',
  integration: 'hello',
  publication: 'publication',
  user: 'ada',
  spaceSelection: 'all',
  siteSelection: 'selected',
  scopes: [],
  ...configured,
};
export const font = { id: 'font', fontFamily: 'Acme Sans', faces: [{ weight: 400, format: 'woff2' }], createdAt: at };
export const toLine = (value: unknown) => `${JSON.stringify(value)}\n`;

export type Files = Record<string, string | Buffer>;

export const sound: Files = {
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
  'fonts.ndjson': toLine(font),
  'fonts/font/400.woff2': webFont('woff2'),
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
  'integrations/integrations.ndjson': toLine(integration),
  'integrations/hello/script.js': 'export default {};',
  'integrations/hello/icon.png': Buffer.from(pixel.png, 'base64'),
  'integrations/installations.ndjson': toLine(installation),
  'integrations/content-installations.ndjson': toLine({ installation: 'installation', site: 'site', ...configured }),
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

export const without = (name: string, files = sound): Files =>
  Object.fromEntries(Object.entries(files).filter(([each]) => each !== name));

/** Checks an archive as the import does, from a file of a folder of its own. */
export async function check(archive: Files | ZipEntry[] | Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-archive-'));
  try {
    const path = join(folder, 'archive.zip');
    const bytes = Buffer.isBuffer(archive) ? archive : zipOf(Array.isArray(archive) ? archive : entriesOf(archive));
    await writeFile(path, bytes);
    const checked = await openChecked(path, AbortSignal.timeout(60_000));
    checked.file.close();
    return checked;
  } finally {
    await rm(folder, { recursive: true });
  }
}
