import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { revisions } from '../../services/content/core/revisions/model.js';
import { blobUses } from '../../services/content/core/storage/model.js';
import type { Collection, Store } from '../../shared/store/port.js';
import { eventually } from '../../shared/testing/eventually.js';
import { download, expectEqual, exported, unzip } from '../support/archive.js';
import { runCommand, startCommand } from '../support/backups/run.js';
import { changeRequestsOf, insert, rewrite } from '../support/change-requests.js';
import { deleted, files, updated } from '../support/content-changes.js';
import { elsewhere } from '../support/elsewhere.js';
import { newSpace, newUsers, openSharedStore, shared, unique, walk } from '../support/fixtures.js';
import { zipOf } from '../support/imports/zip.js';
import { done } from '../support/requests/setting.js';
import type { Client } from '../support/server.js';
import { entriesOf } from '../support/sound-archive.js';

const run = promisify(execFile);
const client = shared();
const { start, stop, newInstallation, archiveOf, clientOf } = elsewhere();

/** An organization with a space that was written, merged into, tidied up and restored. */
async function writtenOrganization() {
  const { id: organization } = await done(client.post('/v1/orgs', { title: unique('Written') }));
  const [admin] = await newUsers(client, 1, { organization, role: 'admin' });
  if (!admin) throw new Error('no admin');
  const own = admin.client;
  await done(own.patch(`/v1/users/${admin.id}`, { displayName: 'Ada <Byron>' }));
  const space = await newSpace(own, organization, { editMode: 'live' });
  const writing = changeRequestsOf(own, { space });
  await writing.live(insert('Start'), insert('Gone'), insert('Guide'));
  await writing.live(files({ name: 'a.txt', base64: 'YQ==', contentType: 'text/plain' }));
  const gone = await writing.idOf('Gone');
  const [file] = (await done(own.get(`/v1/spaces/${space}/content/files`))).items;
  await writing.live(rewrite(gone, `[a](/files/${file.id})\n`));
  const request = await writing.newRequest('Say more: of "it"');
  await writing.write(request, rewrite(await writing.idOf('Start'), 'More.\n'));
  await writing.merge(request);
  await writing.live(updated(await writing.idOf('Guide'), { into: await writing.idOf('Start'), title: 'Guides' }));
  await writing.live(deleted(gone));
  const [, , , earlier] = await historyOf(own, space);
  await done(own.post(`/v1/spaces/${space}/revisions/${earlier.revision}/restore`));
  await writing.live(rewrite(await writing.idOf('Start'), 'Most.\n'));
  return { organization, client: own, email: admin.email, user: admin.id, space, gone, file: file.id };
}

const historyOf = (own: Client, space: string): Promise<any[]> => walk(own, `/v1/spaces/${space}/revisions`, 3);

/** All that a revision shows, without addresses and what only says how it is stored. */
async function shownRevisions(own: Client, space: string) {
  const shown = [];
  for (const { urls: _, author, ...rest } of await historyOf(own, space)) {
    const item = { ...rest, author: author && [author.id, author.displayName, author.email] };
    const at = `/v1/spaces/${space}/revisions/${item.revision}`;
    const { type, parents, createdAt, mergedFrom: __, files: held, ...revision } = await done(own.get(at));
    const { pages } = await done(own.get(`${at}/pages`));
    const texts = [];
    for (const { id } of pages) {
      const page = await done(own.get(`${at}/page/${id}?format=markdown`));
      texts.push([page.title, page.path, page.createdAt, page.updatedAt, page.markdown.replace(/\(.*?\)/g, '()')]);
    }
    const names = held.map(({ id, name, size, contentType }: any) => [id, name, size, contentType]);
    const changes = await own.get(`${at}/changes`);
    const kinds = changes.status === 200 ? changes.body.changes.map(({ type: kind }: any) => kind) : changes.status;
    shown.push({ item, type, parents, createdAt, pages: outline(revision.pages), texts, names, kinds });
  }
  return shown;
}

const outline = (pages: any[]): any[] =>
  pages.map(({ id, title, slug, pages: below = [] }) => [id, title, slug, outline(below)]);

const prepared = async <T>(settings: Record<string, string>, use: (store: Store) => Promise<T>): Promise<T> => {
  const store = await openSharedStore(settings);
  try {
    await store.prepare([revisions, blobUses] as unknown as Collection<never>[]);
    return await use(store);
  } finally {
    await store.close();
  }
};

describe('the history of a space in an archive', () => {
  it('is a Git repository that anyone may clone, with a commit for each revision', async () => {
    const made = await writtenOrganization();
    const { file, bytes } = await archiveOf(made);
    const archived = await unzip(bytes);
    const bundle = `${file}.bundle`;
    await writeFile(bundle, archived.get(`spaces/${made.space}/history.bundle`) as Buffer);
    const clone = `${file}.clone`;
    await run('git', ['clone', '--quiet', '-b', 'main', bundle, clone]);
    const git = async (...args: string[]) => (await run('git', ['-C', clone, ...args])).stdout.trimEnd();
    const history = await historyOf(made.client, made.space);
    const format = '%an|%ae|%aI|%s|%(trailers:key=Revision,valueonly,separator=%x2C)';
    expect((await git('log', `--format=${format}`)).split('\n')).toEqual(
      history.map(({ revision, createdAt, subject, type }) => {
        const words = subject ?? (type === 'merge' ? 'Merge a change request' : 'Edit');
        const at = `${createdAt.slice(0, 19)}+00:00`;
        return `Ada Byron|${made.user}@users.noreply|${at}|${words}|${revision}`;
      }),
    );
    const at = `spaces/${made.space}/`;
    for (const [path, content] of archived)
      if (path.startsWith(at) && !/(space\.json|history\.bundle)$/.test(path))
        expect([path, String(await readFile(join(clone, path.slice(at.length))))]).toEqual([path, String(content)]);
    expect(await git('log', '--diff-filter=D', '--format=', '--name-only', '--', 'content')).toContain(
      'content/gone.md',
    );
    await rm(clone, { recursive: true });
  });

  it('comes with all revisions, which are read as before', async () => {
    const made = await writtenOrganization();
    const { file, bytes } = await archiveOf(made);
    const settings = newInstallation('history');
    const { code, output } = await runCommand('import-archive', [file], settings);
    expect([code, output]).toEqual([0, expect.not.stringContaining('warning')]);
    const uses = await prepared(settings, (store) => store.count(blobUses, { space: made.space }));
    expect(uses).toBe(1);
    const server = await start(settings.DATA_DIR);
    const own = await clientOf(server, made.email);
    const before = await shownRevisions(made.client, made.space);
    expect(before.length).toBeGreaterThan(8);
    expect(await shownRevisions(own, made.space)).toEqual(before);
    const { revision } = (await historyOf(own, made.space)).at(-3);
    const { downloadURL } = await done(own.get(`/v1/spaces/${made.space}/revisions/${revision}/files/${made.file}`));
    expect(await (await fetch(downloadURL.replace(/^https?:\/\/[^/]+/, server.url))).text()).toBe('a');
    await expectEqual(bytes, await download(await exported(own, made.organization)));
    const restored = await own.post(`/v1/spaces/${made.space}/revisions/${revision}/restore`);
    expect([restored.status, restored.body.parents]).toEqual([200, [before[0]?.item.revision]]);
  });

  it('is imported to its end by a second run, without anything twice', async () => {
    const made = await writtenOrganization();
    const writing = changeRequestsOf(made.client, made);
    for (let at = 0; at < 60; at++) await writing.live(rewrite(await writing.idOf('Start'), `Text ${at}.\n`));
    const { file, bytes } = await archiveOf(made);
    const settings = newInstallation('killed-history');
    const countNow = () => prepared(settings, (store) => store.count(revisions, { space: made.space }));
    const counted = async () => {
      const names = await readdir(settings.DATA_DIR).catch((): string[] => []);
      return names.includes('bindery.sqlite') ? countNow().catch(() => 0) : 0;
    };
    const { process: child, ended } = startCommand('import-archive', [file], settings);
    await eventually('some revisions', counted, (count) => count > 3);
    child.kill('SIGKILL');
    expect((await ended).code).toBe(null);
    expect((await runCommand('import-archive', [file], settings)).code).toBe(0);
    expect(await countNow()).toBe((await historyOf(made.client, made.space)).length);
    const server = await start(settings.DATA_DIR);
    await expectEqual(bytes, await download(await exported(await clientOf(server, made.email), made.organization)));
  });

  it('is not needed: an archive that was made before has the present content alone', async () => {
    const made = await writtenOrganization();
    const { file, bytes } = await archiveOf(made);
    const before = await unzip(bytes);
    before.delete(`spaces/${made.space}/history.bundle`);
    before.delete('SHA256SUMS');
    await writeFile(file, zipOf(entriesOf(Object.fromEntries(before))));
    const settings = newInstallation('no-history');
    expect((await runCommand('import-archive', [file], settings)).code).toBe(0);
    const own = await clientOf(await start(settings.DATA_DIR), made.email);
    expect(await historyOf(own, made.space)).toMatchObject([{ type: 'edits' }, { type: 'edits', parents: [] }]);
    const titlesNow = async (from: Client) =>
      (await done(from.get(`/v1/spaces/${made.space}/content/pages`))).pages.map(({ title }: any) => title);
    expect(await titlesNow(own)).toEqual(await titlesNow(made.client));
  });

  it('is refused where another space has one of its revisions', async () => {
    const made = await writtenOrganization();
    const { file } = await archiveOf(made);
    const settings = newInstallation('foreign-history');
    await stop(await start(settings.DATA_DIR, { BOOTSTRAP_EMAIL: settings.BOOTSTRAP_EMAIL }));
    const [, { revision }] = await historyOf(made.client, made.space);
    const foreign = {
      _id: revision,
      space: 'other',
      parents: [],
      type: 'edits' as const,
      pages: [],
      files: [],
      reusable: [],
      createdAt: '2026-01-01T00:00:00.000Z',
    };
    await prepared(settings, (store) => store.insert(revisions, foreign));
    const { code, output } = await runCommand('import-archive', [file], settings);
    const expected = `spaces/${made.space}/history.bundle: ${revision} belongs to another space here`;
    expect([code, output]).toEqual([1, expect.stringContaining(expected)]);
  });
});
