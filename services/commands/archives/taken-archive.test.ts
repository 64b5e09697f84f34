import { type ZipEntry, zipOf } from '../../../test/support/imports/zip.js';
import {
  at,
  check,
  entriesOf,
  type Files,
  flat,
  member,
  organization,
  page,
  redirect,
  section,
  shareLink,
  site,
  siteSpaces,
  sound,
  space,
  structure,
  toLine,
  without,
} from '../../../test/support/sound-archive.js';

const withEntry = (entry: ZipEntry): ZipEntry[] => [...entriesOf(sound), entry];
const withChanged = (name: string, change: Partial<ZipEntry>): ZipEntry[] =>
  entriesOf(sound).map((entry) => (entry.name === name ? { ...entry, ...change } : entry));

const withStructure = (changed: object): Files => ({
  ...sound,
  'sites/structures.ndjson': toLine({ site: 'site', structure: { ...structure, ...changed } }),
});
const customized = (settings: object): Files => ({
  ...sound,
  'sites/customizations.ndjson': toLine({ site: 'site', settings }),
});
const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}\n`;

describe('an archive', () => {
  it('that is sound is known by its content', async () => {
    const { organization: id, spaces, sum } = await check(sound);
    expect([id, spaces]).toEqual(['org', ['space']]);
    expect((await check(entriesOf(sound).reverse())).sum).toBe(sum);
  });

  it.each<[string, Files | ZipEntry[] | Buffer, string]>([
    ['is no ZIP file', Buffer.from('no archive at all'), 'no ZIP archive'],
    ['is cut off', zipOf(entriesOf(sound)).subarray(0, 900), 'no ZIP archive'],
    ['is empty', [], 'no bindery.json'],
    ['is of something else', { 'a.txt': 'a' }, 'no bindery.json'],
    [
      'is of a later version',
      { ...sound, 'bindery.json': toLine({ format: 'bindery-archive', version: 2 }) },
      'bindery.json: version: must be 1',
    ],
    [
      'is of another format',
      { ...sound, 'bindery.json': toLine({ format: 'other' }) },
      'format: must be bindery-archive',
    ],
    ['has no checksums', entriesOf(sound).filter(({ name }) => name !== 'SHA256SUMS'), 'SHA256SUMS: is missing'],
    [
      'has a file without a checksum',
      withEntry({ name: 'spaces/space/content/b.md', content: 'b' }),
      'b.md: is not in SHA256SUMS',
    ],
    [
      'lacks a file that has one',
      entriesOf(sound).filter(({ name }) => !name.endsWith('page.md')),
      'page.md: is missing',
    ],
    ['was changed', withChanged('spaces/space/content/page.md', { content: '# Paqe\n' }), 'page.md: was changed'],
    ['leaves its folder', withEntry({ name: '../a' }), '../a'],
    ['leaves it from within', withEntry({ name: 'spaces/space/content/../../../a' }), '../../../a'],
    ['has a folder of Git', withEntry({ name: 'spaces/space/content/.GIT/config' }), "a name that is Git's own"],
    ['has an absolute path', withEntry({ name: '/etc/passwd' }), '/etc/passwd'],
    ['has a drive', withEntry({ name: 'C:/a' }), 'C:/a'],
    ['has a backslash', withEntry({ name: 'spaces\\space' }), 'invalid characters'],
    ['has an empty name in a path', withEntry({ name: 'spaces//a' }), 'leaves the archive'],
    ['has a file twice', withEntry({ name: 'teams.ndjson' }), 'teams.ndjson: is in the archive twice'],
    ['has a file that is a folder', withEntry({ name: 'teams.ndjson/a' }), 'teams.ndjson: is a file and a folder'],
    ['has a symbolic link', withChanged('teams.ndjson', { mode: 0o120777 }), 'teams.ndjson: is a symbolic link'],
    ['is encrypted', withChanged('teams.ndjson', { flags: 1 }), 'teams.ndjson: is encrypted'],
    ['is packed in another way', withChanged('teams.ndjson', { method: 14 }), 'does not read'],
    ['has entries that share bytes', withEntry({ name: 'b', content: '', sameAs: 0 }), 'shares its bytes'],
    ['says that it is huge', withChanged('teams.ndjson', { size: 4_000_000_000 }), 'has more than 1000000000 bytes'],
    ['unpacks to more than it says', withChanged('teams.ndjson', { size: 1 }), 'teams.ndjson: is damaged'],
    ['lies in many folders', withEntry({ name: `${'a/'.repeat(200)}b` }), 'in more than 100 folders'],
    ['has a long name', withEntry({ name: 'a'.repeat(5000) }), 'longer than 2048 bytes'],
    ['lacks a list', without('grants.ndjson'), 'grants.ndjson: is missing'],
    ['lacks a list of a space', without('spaces/space/files.ndjson'), 'spaces/space/files.ndjson: is missing'],
    ['has a file without a place', { ...sound, 'run.sh': 'a' }, 'run.sh: is no file of an archive'],
    ['has no JSON', { ...sound, 'teams.ndjson': 'team\n' }, 'teams.ndjson line 1: is no JSON'],
    ['has a line that is cut off', { ...sound, 'teams.ndjson': '{}' }, 'teams.ndjson line 1: is cut off'],
    [
      'has a line that is too long',
      { ...sound, 'teams.ndjson': `${' '.repeat(2_000_001)}\n` },
      'line 1: is longer than',
    ],
    ['has a value in values without end', { ...sound, 'teams.ndjson': deep }, 'teams.ndjson line 1: must be an object'],
    [
      'has a value of another kind',
      { ...sound, 'members.ndjson': toLine(member) + toLine({ ...member, role: 'owner' }) },
      'members.ndjson line 2: role: must be one of',
    ],
    [
      'has nobody who could open it',
      { ...sound, 'members.ndjson': toLine({ ...member, disabled: true }) },
      'members.ndjson: must have an admin',
    ],
    [
      'has two people with one address',
      { ...sound, 'members.ndjson': toLine(member) + toLine({ ...member, user: 'b', email: 'Ada@example.com' }) },
      'members.ndjson line 2: email: is on another line',
    ],
    [
      'has a field that nobody knows',
      { ...sound, 'teams.ndjson': toLine({ id: 'a', title: 'a', createdAt: at, x: 1 }) },
      'line 1: unknown field: x',
    ],
    [
      'has an id that is a path',
      { ...sound, 'spaces/space/pages.ndjson': toLine({ ...page, id: '../x' }) },
      'line 1: id: must be an id',
    ],
    [
      'has something twice',
      { ...sound, 'teams.ndjson': String(sound['teams.ndjson']).repeat(2) },
      'teams.ndjson line 2: describes the same',
    ],
    [
      'names a team that it lacks',
      { ...sound, 'teams.ndjson': '' },
      'members.ndjson line 1: teams: team is not in teams.ndjson',
    ],
    [
      'names a collection that it lacks',
      { ...sound, 'spaces/space/space.json': toLine({ ...space, parent: 'c' }) },
      'space.json: parent: c is not in collections.ndjson',
    ],
    [
      'is of another organization',
      { ...sound, 'organization.ndjson': toLine({ ...organization, id: 'b' }) },
      'must be one line, of the organization',
    ],
    [
      'has a space in the folder of another',
      { ...sound, 'spaces/space/space.json': toLine({ ...space, id: 'b' }) },
      'must be that of its folder',
    ],
    [
      'has a page below none',
      { ...sound, 'spaces/space/pages.ndjson': toLine({ ...page, parent: 'x' }) },
      'line 1: parent: must be on a line before',
    ],
    [
      'has a page without its file',
      { ...sound, 'spaces/space/pages.ndjson': toLine({ ...page, file: 'x.md' }) },
      'x.md is not in spaces/space/content/',
    ],
    [
      'has a site of an unknown kind',
      { ...sound, 'sites/sites.ndjson': toLine({ ...site, visibility: 'all' }) },
      'sites/sites.ndjson line 1: visibility: must be one of',
    ],
    [
      'has two sites with one address',
      { ...sound, 'sites/sites.ndjson': toLine(site) + toLine({ ...site, id: 'b', basename: 'b' }) },
      'sites/sites.ndjson line 2: hostname: is on another line',
    ],
    ['has a structure of no site', { ...sound, 'sites/sites.ndjson': '' }, 'site: site is not in sites/sites.ndjson'],
    [
      'has a site of a space that it lacks',
      withStructure({ siteSpaces: { ...siteSpaces, items: [{ id: 'part', space: 'x', path: 'main' }] } }),
      'sites/structures.ndjson line 1: structure: x is not in spaces',
    ],
    [
      'has a section without its text',
      withStructure({ entries: [section] }),
      'structure: site/section is not in sites/sections.ndjson',
    ],
    [
      'has a part of another site in a site',
      {
        ...sound,
        'sites/sites.ndjson': toLine(site) + toLine({ ...site, id: 'b', basename: 'b', hostname: undefined }),
        'sites/structures.ndjson': toLine({ ...flat, site: 'b' }),
      },
      'structure: b/part is not in sites/site-spaces.ndjson',
    ],
    [
      'has a part twice in a site',
      withStructure({ entries: [section, { ...section, path: 'b' }] }),
      'structure: must have each part once',
    ],
    [
      'has a path twice in a site',
      withStructure({ entries: [section, { id: 'group', children: [{ ...section, id: 'b', path: 'Guides' }] }] }),
      'structure: must have each path once on a level',
    ],
    [
      'has a default elsewhere',
      withStructure({ siteSpaces: { ...siteSpaces, default: 'x' } }),
      'structure: must have the default of a level on it',
    ],
    [
      'has a path that leads up',
      withStructure({ entries: [{ ...section, path: '../x' }] }),
      'sites/structures.ndjson line 1: structure.entries.0',
    ],
    ['has a color that is a script', customized({ styling: { primaryColor: { light: '"', dark: '#fff' } } }), 'color'],
    ['has a setting that nobody knows', customized({ styling: { x: 1 } }), 'settings: has unknown fields'],
    ['has a setting of another kind', customized({ pageActions: null }), 'line 1: settings.pageActions'],
    [
      'has a condition that is none',
      { ...sound, 'sites/site-spaces.ndjson': toLine({ id: 'part', site: 'site', condition: 'a ==' }) },
      'sites/site-spaces.ndjson line 1: condition',
    ],
    [
      'has two redirects of one path',
      { ...sound, 'sites/redirects.ndjson': toLine(redirect) + toLine({ ...redirect, id: 'b', source: '/Old' }) },
      'sites/redirects.ndjson line 2: source: is on another line',
    ],
    [
      'has a redirect elsewhere',
      { ...sound, 'sites/redirects.ndjson': toLine({ ...redirect, destination: { kind: 'url', url: 'a' } }) },
      'sites/redirects.ndjson line 1: destination',
    ],
    [
      'has a secret',
      { ...sound, 'sites/share-links.ndjson': toLine({ ...shareLink, key: 'k' }) },
      'unknown field: key',
    ],
    [
      'gives a role to nobody',
      { ...sound, 'sites/grants.ndjson': toLine({ site: 'site', role: 'read', createdAt: at }) },
      'must be for either a `user` or a `team`',
    ],
  ])('is refused that %s', async (_, archive, message) => {
    await expect(check(archive)).rejects.toThrow(message);
  });
});
