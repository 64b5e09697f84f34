import { auditEvents } from '../support/audit.js';
import { inserted, updated } from '../support/content-changes.js';
import { exportSetting, syncedSpace } from '../support/exports.js';

const setting = exportSetting();
const { client } = setting;

let made = 0;
const docs = { 'SUMMARY.md': '* [Home](README.md)\n* [A](a.md)\n', 'README.md': '# Home\n', 'a.md': '# A\n' };
const synced = () => syncedSpace(setting, `records-${made++}`, docs);

describe('the message of the commit', () => {
  const commitMessage = 'DOCS-{change_request_number}: {change_request_subject}\n\n{other}';
  const merged = async (space: string, subject: string | undefined, change: unknown) => {
    const { body } = await client.post(`/v1/spaces/${space}/change-requests`, { subject });
    const path = `/v1/spaces/${space}/change-requests/${body.id}`;
    expect((await client.post(`${path}/content`, { changes: [change] })).status).toBe(200);
    expect((await client.post(`${path}/merge`)).body.result).toBe('merge');
    return body.number;
  };

  it('names the change request whose merge is exported', async () => {
    const { space, exportNow, repository, revision } = await synced();
    const number = await merged(space, 'Say {change_request_number} $& more', inserted('New'));
    expect(await exportNow({ commitMessage })).toMatchObject({ state: 'success' });
    const message = `DOCS-${number}: Say {change_request_number} $& more\n\n{other}`;
    expect(await repository.git('log', '-1', '--format=%B', 'main')).toBe(message);
    expect((await revision()).git.message).toBe(message);
  });

  it('names none where none was merged', async () => {
    const { exportNow, repository, write } = await synced();
    await write(inserted('New'));
    await exportNow({ commitMessage });
    expect(await repository.git('log', '-1', '--format=%B', 'main')).toBe('No commit message');
  });
});

describe('after an export', () => {
  const gitInfo = { provider: 'github', url: 'https://github.com/acme/docs/tree/main' };
  const shown = { repoName: 'acme/docs', installationProvider: 'github', url: gitInfo.url };

  it('the revision, the space and git/info say where it went', async () => {
    const { space, exportNow, write, revision } = await synced();
    await write(inserted('New'));
    const repoCommitURL = 'https://github.com/acme/docs/commit/';
    const { commit, revision: id } = await exportNow({ gitInfo, repoCommitURL, repoCacheID: 'shared' });
    expect(await revision()).toMatchObject({
      id,
      type: 'edits',
      git: { oid: commit, url: `https://github.com/acme/docs/commit/${commit}`, createdByService: true },
    });
    const info = (await client.get(`/v1/spaces/${space}/git/info`)).body;
    expect(info).toMatchObject({ ...shown, operation: { direction: 'export', state: 'success', commit } });
    expect(JSON.stringify(info)).not.toContain('exporting');
    expect((await client.get(`/v1/spaces/${space}`)).body).toMatchObject({ revision: id, gitSync: shown });
  });

  it('the audit trail names the caller and the address without its secrets', async () => {
    const { space, url, exportNow, write } = await synced();
    await write(inserted('New'));
    const secret = url.replace('//', '//ada:correct-horse@');
    expect(await exportNow({ url: secret })).toMatchObject({ state: 'success' });
    const query = `operation=exportToGitRepository&resource=${space}&order=asc`;
    const events = await auditEvents(client, setting.organization, query, 2);
    const [asked, done] = events;
    expect(asked.details).toEqual({ url, ref: 'refs/heads/main', force: false });
    expect(asked.actor).toMatchObject({ id: (await client.get('/v1/user')).body.id });
    expect(done.details.revision).toMatch(/\w{20}/);
    expect(JSON.stringify(events)).not.toContain('horse');
  });

  it('pages keep their history, and search finds them', async () => {
    const { space, exportNow, importNow, write, idOf } = await synced();
    const id = await idOf('A');
    await write(updated(id, { document: { markdown: '# A\n\nAbout xylophones.\n' } }));
    const before = (await client.get(`/v1/spaces/${space}/content/page/${id}`)).body;
    await exportNow();
    await importNow();
    expect((await client.get(`/v1/spaces/${space}/content/page/${id}`)).body).toMatchObject({
      id,
      createdAt: before.createdAt,
      path: before.path,
    });
    const { items } = (await client.get(`/v1/spaces/${space}/search?query=xylophones`)).body;
    expect(items).toMatchObject([{ id }]);
  });
});
