import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipOf } from '../../../test/support/imports/zip.js';
import { entriesOf, type Files, page, sound, toLine } from '../../../test/support/sound-archive.js';
import { historyBounds } from '../../content/exchange/archive/history/bounds.js';
import { openChecked } from './taken-archive.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-histories-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function git(args: string[], input: Buffer | string = ''): Promise<void> {
  const env = { ...process.env, GIT_DIR: join(folder, 'made'), GIT_CONFIG_GLOBAL: '/dev/null' };
  const child = spawn('git', args, { env, stdio: ['pipe', 'ignore', 'inherit'] });
  // A command that reads nothing may end first.
  child.stdin.on('error', () => {}).end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`git ${args[0]} ended with ${code}`);
}

type Content = Record<string, string | { mode: string; content: string }>;

interface Commit {
  /** All that it holds. */
  files?: Content;
  message?: string;
  branch?: string;
  /** Marks of commits besides the one before. */
  parents?: string[];
}

const own: Record<string, string> = {
  'pages.ndjson': toLine(page),
  'files.ndjson': '',
  'reusable-contents.ndjson': '',
  'redirects.ndjson': '',
  'content/page.md': '# Page\n',
};
const messageOf = (id: string, more = '', at = '2026-11-29T12:00:00.000Z') =>
  `Edit\n\nRevision: ${id}\nType: edits\nCreated-At: ${at}\n${more}`;

const who = 'Ada <ada@users.noreply> 1795953600 +0000';
const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;

function streamOf(commits: Commit[]): string {
  const written = commits.map(({ files = own, message = messageOf('one'), branch = 'main', parents = [] }, at) => {
    const changes = Object.entries(files).map(([path, file]) => {
      const { mode, content } = typeof file === 'string' ? { mode: '100644', content: file } : file;
      if (mode === '160000') return `M 160000 ${content} "${path}"\n`;
      return `M ${mode} inline "${path}"\n${data(content)}`;
    });
    const merged = parents.map((mark) => `merge :${mark}\n`).join('');
    const head = `commit refs/heads/${branch}\nmark :${at + 1}\nauthor ${who}\ncommitter ${who}\n${data(message)}`;
    return `${head}${merged}deleteall\n${changes.join('')}\n`;
  });
  return `${written.join('')}done\n`;
}

async function bundleOf(commits: Commit[], refs = ['refs/heads/main']): Promise<Buffer> {
  await rm(join(folder, 'made'), { recursive: true, force: true });
  await git(['init', '--quiet', '--bare', join(folder, 'made')]);
  await git(['-c', 'core.protectNTFS=false', 'fast-import', '--quiet', '--force', '--done'], streamOf(commits));
  await git(['bundle', 'create', '--quiet', join(folder, 'made.bundle'), ...refs]);
  return readFile(join(folder, 'made.bundle'));
}

async function check(archive: Files) {
  const path = join(folder, 'archive.zip');
  await writeFile(path, zipOf(entriesOf(archive)));
  const checked = await openChecked(path, AbortSignal.timeout(60_000));
  checked.file.close();
  return checked;
}

const name = 'spaces/space/history.bundle';
const withBundle = (bundle: Buffer | string): Files => ({ ...sound, [name]: bundle });
const withCommits = async (commits: Commit[], refs?: string[]) => withBundle(await bundleOf(commits, refs));

const earlier: Commit = { files: { ...own, 'content/page.md': '# Before\n' }, message: messageOf('zero') };
const nested = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`content/${'a/'.repeat(at)}b.md`, 'b']));

describe('the history of a space in an archive', () => {
  it('is known by its revisions and the change requests that they name', async () => {
    const merged = { message: messageOf('one', 'Parent: zero\nMerged-From: request\nSubject: "A\\nb"\n') };
    const { histories } = await check(await withCommits([earlier, merged]));
    expect(histories).toEqual([{ space: 'space', revisions: ['zero', 'one'], changeRequests: ['request'] }]);
    expect((await check(sound)).histories).toEqual([]);
    expect((await readdir(tmpdir())).filter((each) => each.startsWith('work-'))).toEqual([]);
  });

  it.each<[string, () => Promise<Files>, string]>([
    ['is no bundle', async () => withBundle('no bundle'), `${name}: must be a Git bundle`],
    ['is empty', async () => withBundle(''), `${name}: must be a Git bundle`],
    ['is cut off', async () => withBundle((await bundleOf([{}])).subarray(0, -30)), `${name}: is no sound Git bundle`],
    [
      'was changed',
      async () => withBundle(Buffer.concat([(await bundleOf([{}])).subarray(0, -1), Buffer.from('x')])),
      `${name}: is no sound Git bundle`,
    ],
    [
      'names a commit that it lacks',
      async () => {
        const bundle = await bundleOf([{}]);
        return withBundle(Buffer.concat([Buffer.from(`# v2 git bundle\n${'a'.repeat(40)}`), bundle.subarray(56)]));
      },
      `${name}: is no sound Git bundle`,
    ],
    [
      'has another branch, too',
      () => withCommits([{}, { branch: 'other', message: messageOf('two') }], ['main', 'other']),
      `${name}: must be a Git bundle (version 2) of refs/heads/main alone`,
    ],
    [
      'has another branch in its place',
      () => withCommits([{ branch: 'other' }], ['other']),
      `of refs/heads/main alone`,
    ],
    ['needs commits that others have', () => withCommits([earlier, {}], ['main', '^main~1']), 'with all its commits'],
    [
      'has a commit with two parents',
      () =>
        withCommits([earlier, { branch: 'b', message: messageOf('b') }, { message: messageOf('c'), parents: ['2'] }]),
      'must have one parent',
    ],
    ['has a file of its own', () => withCommits([{ files: { ...own, 'run.sh': 'a' } }]), '"run.sh": is no file of'],
    [
      'has a file without a place',
      () => withCommits([{ files: { ...own, 'space.json': 'a' } }]),
      '"space.json": is no',
    ],
    [
      'has a symbolic link',
      () => withCommits([{ files: { ...own, 'content/a': { mode: '120000', content: '/etc/passwd' } } }]),
      '"content/a": must be a plain file',
    ],
    [
      'has a program',
      () => withCommits([{ files: { ...own, 'content/a': { mode: '100755', content: 'a' } } }]),
      '"content/a": must be a plain file',
    ],
    [
      'has a submodule',
      () => withCommits([{ files: { ...own, 'content/a': { mode: '160000', content: 'a'.repeat(40) } } }]),
      '"content/a": must be a plain file',
    ],
    ['leaves its folder', () => withCommits([{ files: { ...own, 'content/a/../../b': 'a' } }]), `${name}: `],
    ['has a folder of Git', () => withCommits([{ files: { ...own, 'content/.git/config': 'a' } }]), `${name}: `],
    ['has a backslash', () => withCommits([{ files: { ...own, 'content/a\\\\b': 'a' } }]), 'is no file of the folder'],
    ['has folders in folders', () => withCommits([{ files: { ...own, ...nested } }]), `${name}: `],
    ['has no trailers', () => withCommits([{ message: 'Edit' }]), '"Edit" is no trailer of a revision'],
    ['has an empty message', () => withCommits([{ message: '' }]), 'Revision: required'],
    ['has a trailer of its own', () => withCommits([{ message: messageOf('one', 'X: y\n') }]), '"X: y" is no trailer'],
    [
      'has a trailer twice',
      () => withCommits([{ message: messageOf('one', 'Type: edits\n') }]),
      'Type: must be there once',
    ],
    [
      'lacks a trailer',
      () => withCommits([{ message: 'Edit\n\nRevision: one\nType: edits\n' }]),
      'Created-At: required',
    ],
    [
      'has a trailer that is no JSON',
      () => withCommits([{ message: messageOf('one', 'Git: {\n') }]),
      'Git: is no JSON',
    ],
    ['has an id that is a path', () => withCommits([{ message: messageOf('../one') }]), 'Revision: must be an id'],
    [
      'has an author who is none',
      () => withCommits([{ message: messageOf('one', 'Author: a b\n') }]),
      'Author: must be',
    ],
    [
      'is of a time that is none',
      () => withCommits([{ message: messageOf('one', '', 'yesterday') }]),
      'Created-At: must be',
    ],
    [
      'goes back in time',
      () => withCommits([earlier, { message: messageOf('one', '', '2020-01-01T00:00:00.000Z') }]),
      'Created-At: must not be before that of the commit before',
    ],
    ['has a revision twice', () => withCommits([{}, {}]), 'Revision: is that of another commit'],
    [
      'lacks a list in a commit',
      () => withCommits([{ ...earlier, files: { 'content/page.md': 'a' } }, {}]),
      'pages.ndjson: is missing',
    ],
    [
      'has a page without its file in a commit',
      () => withCommits([{ ...earlier, files: { ...own, 'pages.ndjson': toLine({ ...page, file: 'x.md' }) } }, {}]),
      'pages.ndjson line 1: file: x.md is not in content/',
    ],
    [
      'has a line of another kind in a commit',
      () => withCommits([{ ...earlier, files: { ...own, 'redirects.ndjson': toLine({ from: 1 }) } }, {}]),
      'redirects.ndjson line 1: ',
    ],
    [
      'has a list that unpacks to more than any has',
      () => withCommits([{ ...earlier, files: { ...own, 'files.ndjson': ' '.repeat(100_000_001) } }, {}]),
      'files.ndjson: has more than 100000000 bytes',
    ],
    [
      'ends with other content',
      () => withCommits([{}, { ...earlier, message: messageOf('two') }]),
      'must hold the same as spaces/space/: content/page.md differs',
    ],
    [
      'ends with more content',
      () => withCommits([{ files: { ...own, 'content/more.md': 'a' } }]),
      'must hold the same as spaces/space/: content/more.md is not there',
    ],
  ])('is refused that %s', async (_, archive, message) => {
    const refused = check(await archive());
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toThrow(name);
  });

  it('is refused with more than a history may have', async () => {
    const bounds = { ...historyBounds };
    const refusals: string[] = [];
    const refusedWith = async (changed: Partial<typeof historyBounds>) => {
      Object.assign(historyBounds, bounds, changed);
      const archive = await withCommits([earlier, {}]);
      await check(archive).catch(({ message }) => refusals.push(message.replace(/[0-9a-f]{40}/, 'it')));
    };
    try {
      for (const changed of [{ revisions: 1 }, { bytes: 100 }, { changes: 5 }, { objects: 3 }])
        await refusedWith(changed);
    } finally {
      Object.assign(historyBounds, bounds);
    }
    expect(refusals).toEqual([
      `${name}: commit it: is one more than the 1 that a history may have`,
      `${name}: has files of more than 100 bytes`,
      `${name}: commit it: has more than 5 changes of files`,
      `${name}: has more than 3 Git objects`,
    ]);
  });

  it('is refused where two spaces have a revision in common', async () => {
    const bundle = await bundleOf([{}]);
    const other = Object.entries(sound).flatMap(([path, content]) =>
      path.startsWith('spaces/space/') ? [[path.replace('spaces/space/', 'spaces/two/'), content] as const] : [],
    );
    const files: Files = {
      ...sound,
      ...Object.fromEntries(other),
      [name]: bundle,
      'spaces/two/history.bundle': bundle,
    };
    files['spaces/two/space.json'] = String(files['spaces/two/space.json']).replace('"space"', '"two"');
    await expect(check(files)).rejects.toThrow('spaces/two/history.bundle: one is in spaces/space/history.bundle, too');
  });
});
