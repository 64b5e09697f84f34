import { deleted, inserted, updated } from '../support/content-changes.js';
import { exportedSpace, exportFrom, exportSetting, lookInto, syncedSpace } from '../support/exports.js';
import { type CommittedFiles, importInto, named, operationEnd } from '../support/repository.js';

const setting = exportSetting();
const { client } = setting;

let made = 0;
const synced = (files: CommittedFiles = docs, options: object = {}) =>
  syncedSpace(setting, `moved-${made++}`, files, options);

const docs = {
  'SUMMARY.md': '* [Home](README.md)\n* [A](a.md)\n* [B](b.md)\n* [C](c.md)\n',
  'README.md': '# Home\n',
  'a.md': '# A\n\nOne.\n',
  'b.md': '# B\n\nOne.\n',
  'c.md': '# C\n\nOne.\n',
  'code.ts': 'export {};\n',
};
const body = (title: string, text: string) => ({ document: { markdown: `# ${title}\n\n${text}\n` } });

describe('when the branch moved on', () => {
  it('files that only the branch changed stay as they are there, and arrive with the next import', async () => {
    const { exportNow, importNow, write, idOf, commit, repository, source } = await synced();
    const theirs = await commit({ 'b.md': '# B\n\nTheirs.\n', 'code.ts': 'changed\n', 'more.txt': 'more\n' });
    const id = await idOf('A');
    await write(updated(id, body('A', 'Ours.')));
    expect(await exportNow()).toMatchObject({ state: 'success' });
    expect(await repository.changes(theirs)).toEqual(['M a.md']);
    expect(await source('B')).toContain('One.');
    expect(await importNow()).toMatchObject({ state: 'success' });
    expect([await source('A'), await source('B')]).toEqual(['# A\n\nOurs.\n', '# B\n\nTheirs.\n']);
    expect(await idOf('A')).toBe(id);
  });

  it('such files arrive with the next import also after several exports', async () => {
    const { space, exportNow, importNow, write, idOf, commit, repository, source } = await synced();
    await commit({ 'b.md': '# B\n\nTheirs.\n' });
    for (const text of ['Ours.', 'Ours again.']) {
      await write(updated(await idOf('A'), body('A', text)));
      expect(await exportNow()).toMatchObject({ state: 'success' });
    }
    expect(await exportNow()).toMatchObject({ state: 'success', commit: await repository.head() });
    expect(await importNow()).toMatchObject({ state: 'success' });
    expect([await source('A'), await source('B')]).toEqual(['# A\n\nOurs again.\n', '# B\n\nTheirs.\n']);
    const imported = (await client.get(`/v1/spaces/${space}`)).body.revision;
    await exportNow();
    await importNow();
    expect((await client.get(`/v1/spaces/${space}`)).body.revision).toBe(imported);
  });

  it('and nothing changed in the space, nothing is written, and the next import brings it', async () => {
    const { exportNow, importNow, commit, repository, source } = await synced();
    const theirs = await commit({ 'b.md': '# B\n\nTheirs.\n' });
    expect(await exportNow()).toMatchObject({ state: 'success' });
    expect(await repository.head()).toBe(theirs);
    await importNow();
    expect(await source('B')).toBe('# B\n\nTheirs.\n');
  });

  it('files that both changed fail the export with their names, and nothing changes', async () => {
    const { exportNow, write, idOf, commit, repository, revision } = await synced();
    const theirs = await commit({
      'b.md': '# B\n\nTheirs.\n',
      'c.md': null,
      'SUMMARY.md': docs['SUMMARY.md'].slice(0, -12),
    });
    await write(
      updated(await idOf('A'), body('A', 'Ours.')),
      updated(await idOf('B'), body('B', 'Ours.')),
      updated(await idOf('C'), body('C', 'Ours.')),
    );
    const before = await revision();
    const { state, error } = await exportNow();
    expect([state, error]).toEqual(['failure', expect.stringMatching(/b\.md.*c\.md.*force/)]);
    expect(error).not.toContain('a.md');
    expect(await repository.head()).toBe(theirs);
    expect((await revision()).id).toBe(before.id);
  });

  it('force writes what both changed as the space has it, and keeps what only the branch changed', async () => {
    const { exportNow, write, idOf, commit, repository } = await synced();
    const theirs = await commit({ 'b.md': '# B\n\nTheirs.\n', 'c.md': '# C\n\nTheirs.\n' });
    await write(updated(await idOf('B'), body('B', 'Ours.')));
    expect(await exportNow({ force: true })).toMatchObject({ state: 'success' });
    expect(await repository.changes(theirs)).toEqual(['M b.md']);
    expect(await repository.file('b.md')).toBe('# B\n\nOurs.');
    expect(await repository.file('c.md')).toBe('# C\n\nTheirs.');
  });

  it('the same change on both sides is no conflict', async () => {
    const { exportNow, write, idOf, commit, repository } = await synced();
    const theirs = await commit({ 'b.md': '# B\n\nSame.\n' });
    await write(updated(await idOf('B'), body('B', 'Same.')));
    expect(await exportNow()).toMatchObject({ state: 'success' });
    expect(await repository.head()).toBe(theirs);
  });

  it('a page that was deleted here and changed there is a conflict, and one deleted on both sides is none', async () => {
    const { exportNow, write, idOf, commit } = await synced();
    await write(deleted(await idOf('B')));
    await commit({ 'b.md': '# B\n\nTheirs.\n' });
    expect(await exportNow()).toMatchObject({ state: 'failure', error: expect.stringContaining('b.md') });
    await commit({ 'b.md': null });
    const { state, error = '' } = await exportNow();
    expect([state, error.includes('b.md')]).toEqual([state, false]);
  });

  it('a new page takes no name that the branch has by now', async () => {
    const { exportNow, write, repository, commit } = await synced();
    await commit({ 'new.md': 'theirs\n' });
    await write(inserted('New'));
    expect(await exportNow()).toMatchObject({ state: 'success' });
    expect(await repository.file('new.md')).toBe('theirs');
    expect((await repository.paths()).filter((path) => path.endsWith('new.md') || path.startsWith('new/'))).toEqual([
      'new.md',
      'new/README.md',
    ]);
  });
});

describe('an export to another branch', () => {
  it('begins at the commit that the space has, and writes what changed since', async () => {
    const { exportNow, write, idOf, commit, repository, first } = await synced();
    await commit({ 'b.md': '# B\n\nTheirs.\n' });
    await write(updated(await idOf('A'), body('A', 'Ours.')));
    expect(await exportNow({ ref: 'refs/heads/draft' })).toMatchObject({ state: 'success' });
    expect(await repository.git('rev-parse', 'draft~1')).toBe(first);
    expect(await repository.changes(first, 'draft')).toEqual(['M a.md']);
  });

  it('that was deleted makes it again', async () => {
    const { exportNow, write, idOf, repository, first } = await synced();
    await write(updated(await idOf('A'), body('A', 'Ours.')));
    const { commit: pushed } = await exportNow({ ref: 'refs/heads/draft' });
    await repository.git('update-ref', '-d', 'refs/heads/draft');
    expect(await exportNow({ ref: 'refs/heads/draft' })).toMatchObject({ state: 'success', commit: pushed });
    expect(await repository.changes(first, 'draft')).toEqual(['M a.md']);
  });

  it('works after an import of that branch too', async () => {
    const { exportNow, importNow, write, idOf, repository, commit, source } = await synced();
    const other = await commit({ 'b.md': '# B\n\nOther.\n' }, 'other');
    await importNow({ ref: 'refs/heads/other' });
    expect(await source('B')).toContain('Other.');
    await write(updated(await idOf('A'), body('A', 'Ours.')));
    expect(await exportNow({ ref: 'refs/heads/other' })).toMatchObject({ state: 'success' });
    expect(await repository.changes(other, 'other')).toEqual(['M a.md']);
  });
});

describe('two spaces', () => {
  it('in two folders of one repository leave each other alone', async () => {
    const one = await synced(
      { 'one/README.md': '# One\n', 'two/README.md': '# Two\n', 'README.md': '# Neither\n' },
      { repoProjectDirectory: 'one' },
    );
    const two = await exportedSpace(setting, one.url.split('/').at(-1)?.replace('.git', '') as string);
    await two.importNow({ repoProjectDirectory: 'two' });
    await one.write(updated(await one.idOf('One'), body('One', 'More.')));
    await two.write(updated(await two.idOf('Two'), body('Two', 'More.')));
    expect(await one.exportNow({ repoProjectDirectory: 'one' })).toMatchObject({ state: 'success' });
    expect(await two.exportNow({ repoProjectDirectory: 'two/' })).toMatchObject({ state: 'success' });
    expect(await one.repository.changes(one.first)).toEqual(['M one/README.md', 'M two/README.md']);
  });

  it('with the same folder see the changes of each other as those of anybody', async () => {
    const one = await synced();
    const two = await exportedSpace(setting, one.url.split('/').at(-1)?.replace('.git', '') as string);
    await two.importNow();
    await one.write(updated(await one.idOf('A'), body('A', 'Of one.')));
    await two.write(
      updated(await two.idOf('A'), body('A', 'Of two.')),
      updated(await two.idOf('B'), body('B', 'Of two.')),
    );
    await one.exportNow();
    expect(await two.exportNow()).toMatchObject({ state: 'failure', error: expect.stringContaining('a.md') });
    expect(await two.exportNow({ force: true })).toMatchObject({ state: 'success' });
    expect(await one.repository.changes(one.first)).toEqual(['M a.md', 'M b.md']);
    await one.importNow();
    expect([await one.source('A'), await one.source('B')]).toEqual(['# A\n\nOf two.\n', '# B\n\nOf two.\n']);
  });
});

describe('timestamps', () => {
  it('order exports and imports: what is older than the last applied one is skipped, unless forced', async () => {
    const { exportNow, importNow, write, idOf, repository } = await synced();
    await importNow({ timestamp: '2026-02-01T00:00:00.000Z', force: true });
    const before = await repository.head();
    await write(updated(await idOf('A'), body('A', 'Ours.')));
    const older = await exportNow({ timestamp: '2026-01-01T00:00:00.000Z' });
    expect(older).toMatchObject({ skipped: true, error: expect.stringContaining('2026-02-01') });
    expect(await repository.head()).toBe(before);
    expect(await exportNow({ timestamp: '2026-01-01T00:00:00.000Z', force: true })).toMatchObject({ state: 'success' });
    expect(await exportNow({ timestamp: '2026-03-01T00:00:00.000Z' })).toMatchObject({ state: 'success' });
    expect(await importNow({ timestamp: '2026-02-15T00:00:00.000Z' })).toMatchObject({
      state: 'success',
      skipped: true,
    });
  });
});

describe('while an export runs', () => {
  it('what is written stays, keeps its place, and goes with the next export', async () => {
    const { space, url, write, idOf, repository, source, exportNow, first } = await synced();
    await write(inserted('New'), updated(await idOf('A'), body('A', 'Ours.')));
    const started = client.post(`/v1/spaces/${space}/git/export`, {
      url,
      ref: 'refs/heads/main',
      commitMessage: 'One',
    });
    const b = await idOf('B');
    for (let at = 0; at < 5; at++) await write(updated(b, body('B', `Ours ${at}.`)));
    expect((await started).status).toBe(204);
    for (let at = 5; at < 10; at++) await write(updated(b, body('B', `Ours ${at}.`)));
    expect(await operationEnd(client, space)).toMatchObject({ state: 'success' });
    expect(await source('B')).toBe('# B\n\nOurs 9.\n');
    expect(await exportNow()).toMatchObject({ state: 'success' });
    expect(await repository.file('b.md')).toBe('# B\n\nOurs 9.');
    expect((await repository.changes(first)).sort()).toEqual(['A new.md', 'M SUMMARY.md', 'M a.md', 'M b.md']);
    expect(await named(client, space, 'New')).toMatchObject({ git: { path: 'new.md' } });
  });

  it('imports and exports of one space take turns', async () => {
    const { space, url, write, idOf, source } = await synced();
    await write(updated(await idOf('A'), body('A', 'Ours.')));
    const request = { url, ref: 'refs/heads/main' };
    await Promise.all([
      client.post(`/v1/spaces/${space}/git/export`, { ...request, commitMessage: 'One' }),
      client.post(`/v1/spaces/${space}/git/export`, { ...request, commitMessage: 'Two' }),
    ]);
    await exportFrom(client, space, { url });
    await importInto(client, space, { url });
    expect(await source('A')).toBe('# A\n\nOurs.\n');
    const name = url.split('/').at(-1)?.replace('.git', '') as string;
    expect(await lookInto(setting.repositories, name).messages()).toHaveLength(2);
  });
});
