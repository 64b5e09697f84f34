import { inserted } from '../support/content-changes.js';
import { exportSetting } from '../support/exports.js';
import { newSpace, newUser } from '../support/fixtures.js';
import { connect, spaceWithRepository } from '../support/git-sync.js';
import type { CommittedFiles } from '../support/repository.js';

const setting = exportSetting();
const { client } = setting;

const docs: CommittedFiles = {
  'README.md': '# Welcome\n\nHello.\n',
  'guide.md': '# Guide\n\nFirst.\n\nSecond.\n',
};

const titlesOf = async (made: Awaited<ReturnType<typeof spaceWithRepository>>) =>
  (await made.pages()).map(({ title }) => title);

describe('the first sync, where both sides have content,', () => {
  const bothWithContent = async () => {
    const made = await spaceWithRepository(setting, docs);
    await made.write(inserted('Ours'));
    const connection = await connect(made);
    await connection.settled('pending');
    return { made, connection };
  };

  it('changes neither side until somebody chooses one', async () => {
    const { made, connection } = await bothWithContent();
    const { state, error } = await connection.sync();
    expect([state, error]).toEqual(['pending', expect.stringContaining('priority')]);
    expect([await titlesOf(made), await made.repository.paths()]).toEqual([['Ours'], ['README.md', 'guide.md']]);
  });

  it('takes the branch with priority "git"; what was there before is in the history', async () => {
    const { made, connection } = await bothWithContent();
    const before = (await made.revision()).id;
    await client.patch(connection.path, { priority: 'git' });
    await connection.settled();
    expect(await titlesOf(made)).toEqual(['Welcome', 'Guide']);
    expect((await connection.get()).priority).toBeUndefined();
    expect((await client.get(`/v1/spaces/${made.space}/revisions/${before}/pages`)).body.pages).toMatchObject([
      { title: 'Ours' },
    ]);
  });

  it('takes the space with priority "gitbook", and nothing of the branch is lost in Git', async () => {
    const { made, connection } = await bothWithContent();
    const before = await made.repository.head();
    await connection.sync({ priority: 'gitbook' });
    await connection.settled();
    expect(await made.repository.paths()).toContain('ours.md');
    expect(await made.repository.file('guide.md', before)).toContain('Second.');
  });
});

it('an empty repository gets the branch with the content of the space', async () => {
  const made = await spaceWithRepository(setting, null);
  await made.write(inserted('Ours'));
  const connection = await connect(made);
  await connection.settled();
  expect(await made.repository.paths()).toContain('ours.md');
});

it('a conflict is settled in Git by a version that fits with the text of the space', async () => {
  const made = await spaceWithRepository(setting, docs);
  const connection = await connect(made);
  await connection.settled();
  const text = (first: string) => `# Guide\n\n${first}\n\nSecond.\n`;
  await made.commit({ 'guide.md': text('In Git.') });
  await made.write(await made.edited('Guide', text('In Bindery.')));
  const { changeRequest } = await connection.sync();
  await made.commit({ 'guide.md': text('In Bindery.').replace('Second.', 'Second, from Git.') });
  expect(await connection.sync()).toMatchObject({ state: 'connected', conflicts: [] });
  expect(await made.source('Guide')).toContain('Second, from Git.');
  const request = `/v1/spaces/${made.space}/change-requests/${changeRequest}`;
  expect((await client.get(request)).body.status).toBe('archived');
});

it('a conflict is settled for the space by archiving the change request', async () => {
  const made = await spaceWithRepository(setting, docs);
  const connection = await connect(made);
  await connection.settled();
  await made.commit({ 'guide.md': '# Guide\n\nIn Git.\n\nSecond.\n' });
  await made.write(await made.edited('Guide', '# Guide\n\nIn Bindery.\n\nSecond.\n'));
  const { changeRequest, state } = await connection.sync();
  expect(state).toBe('conflict');
  await client.patch(`/v1/spaces/${made.space}/change-requests/${changeRequest}`, { status: 'archived' });
  await connection.settled();
  expect(await made.repository.file('guide.md')).toContain('In Bindery.');
});

it('a page that one side deletes and the other changes stays on the side that changed it until it is settled', async () => {
  const made = await spaceWithRepository(setting, docs);
  const connection = await connect(made);
  await connection.settled();
  await made.commit({ 'guide.md': null });
  await made.write(await made.edited('Guide', '# Guide\n\nChanged.\n\nSecond.\n'));
  expect(await connection.sync()).toMatchObject({ state: 'conflict', conflicts: [{ title: 'Guide' }] });
  expect(await titlesOf(made)).toContain('Guide');
  const { changeRequest } = await connection.get();
  await client.post(`/v1/spaces/${made.space}/change-requests/${changeRequest}/merge`);
  await connection.settled();
  expect(await titlesOf(made)).not.toContain('Guide');
});

it('a branch that was deleted breaks the connection, with words; a new branch of the same commit goes on', async () => {
  const made = await spaceWithRepository(setting, docs);
  const connection = await connect(made);
  await connection.settled();
  await made.repository.git('update-ref', 'refs/heads/renamed', 'refs/heads/main');
  await made.repository.git('update-ref', '-d', 'refs/heads/main');
  const broken = await connection.sync();
  expect([broken.state, broken.error]).toEqual(['broken', expect.stringContaining('main was deleted')]);
  await made.write(inserted('Later'));
  await client.patch(connection.path, { providerConfiguration: { branch: 'refs/heads/renamed' } });
  await connection.settled();
  expect(await made.repository.paths('renamed')).toContain('later.md');
});

it('rewritten and unrelated history is compared by its content with what both shared last', async () => {
  const made = await spaceWithRepository(setting, docs);
  const connection = await connect(made);
  await connection.settled();
  await made.write(await made.edited('Guide', '# Guide\n\nFirst.\n\nSecond in Bindery.\n'));
  // A branch without a common ancestor takes the place of the former.
  await made.commit({ 'README.md': '# Welcome\n\nRewritten.\n' }, 'side');
  const tree = await made.repository.git('rev-parse', 'side^{tree}');
  const orphan = await made.repository.git('commit-tree', tree, '-m', 'Begin again');
  await made.repository.git('update-ref', 'refs/heads/main', orphan);
  expect(await connection.sync()).toMatchObject({ state: 'connected' });
  expect(await made.source('Welcome')).toContain('Rewritten.');
  expect(await made.repository.file('guide.md')).toContain('Second in Bindery.');
  expect((await made.repository.messages()).at(-1)).toBe('Begin again');
});

it('an outage heals by itself, and the host is not asked all the time', async () => {
  const made = await spaceWithRepository(setting, docs);
  const connection = await connect(made, {
    providerConfiguration: { repositoryUrl: 'http://127.0.0.1:9/x.git', branch: 'refs/heads/main' },
  });
  const { error, status } = await connection.settled('broken');
  expect([error, status]).toEqual([expect.stringContaining('could not be reached'), 'active']);
  await client.patch(connection.path, { providerConfiguration: { repositoryUrl: made.url } });
  await connection.settled();
  expect(await titlesOf(made)).toEqual(['Welcome', 'Guide']);
});

describe('a direction', () => {
  it('"import" never writes to the branch', async () => {
    const made = await spaceWithRepository(setting, docs);
    const connection = await connect(made, { direction: 'import' });
    await connection.settled();
    const before = await made.repository.head();
    await made.write(inserted('Ours'));
    await connection.sync();
    expect(await made.repository.head()).toBe(before);
    await made.commit({ 'guide.md': '# Guide\n\nNew.\n' });
    await connection.sync();
    expect([await titlesOf(made), await made.source('Guide')]).toEqual([
      ['Welcome', 'Guide', 'Ours'],
      expect.stringContaining('New.'),
    ]);
  });

  it('"export" never writes to the space', async () => {
    const made = await spaceWithRepository(setting, null);
    await made.write(inserted('Ours'));
    const connection = await connect(made, { direction: 'export' });
    await connection.settled();
    await made.commit({ 'theirs.md': '# Theirs\n' });
    await made.write(inserted('More'));
    await connection.sync();
    expect([await titlesOf(made), await made.repository.paths()]).toEqual([
      ['Ours', 'More'],
      expect.arrayContaining(['more.md', 'ours.md', 'theirs.md']),
    ]);
  });
});

it('a paused connection does nothing, and goes on when it is no longer paused', async () => {
  const made = await spaceWithRepository(setting, docs);
  const connection = await connect(made);
  await connection.settled();
  expect((await client.patch(connection.path, { paused: true })).body.state).toBe('paused');
  await made.commit({ 'guide.md': '# Guide\n\nNew.\n' });
  expect((await client.post(`${connection.path}/sync`)).status).toBe(409);
  await client.patch(connection.path, { paused: false });
  await connection.sync();
  expect(await made.source('Guide')).toContain('New.');
});

it('merges name their change requests and people in the commit', async () => {
  const made = await spaceWithRepository(setting, docs);
  const connection = await connect(made, {
    commitMessageTemplate: 'docs: {change_request_subject} (#{change_request_number})',
  });
  await connection.settled();
  const { body } = await client.post(`/v1/spaces/${made.space}/change-requests`, { subject: 'Say more' });
  const request = `/v1/spaces/${made.space}/change-requests/${body.id}`;
  await client.post(`${request}/content`, { changes: [inserted('More')] });
  await client.post(`${request}/merge`);
  await connection.sync();
  const me = (await client.get('/v1/user')).body;
  expect(await made.repository.git('log', '-1', '--format=%s|%an|%ae', 'main')).toBe(
    `docs: Say more (#${body.number})|${me.displayName}|${me.email}`,
  );
});

describe('a connection', () => {
  it('is one of a space, shows no secrets, and ends without changing either side', async () => {
    const made = await spaceWithRepository(setting, docs);
    const { path, first } = await connect(made, {
      providerConfiguration: {
        repositoryUrl: made.url,
        branch: 'refs/heads/main',
        username: 'ada',
        accessToken: 'hush-hush',
      },
    });
    const shown = (await client.get(path)).body;
    expect([first.webhook.secret, shown.webhook.secret, JSON.stringify([first, shown]).includes('hush')]).toEqual([
      expect.any(String),
      undefined,
      false,
    ]);
    const again = await client.post('/v1/git/installations', {
      provider: 'git',
      target: { type: 'space', spaceId: made.space },
    });
    expect(again.status).toBe(409);
    expect((await client.get(`/v1/spaces/${made.space}`)).body.gitSync).toMatchObject({ installationId: shown.id });
    expect((await client.delete(path)).status).toBe(205);
    expect((await client.get(path)).status).toBe(404);
    expect((await client.get(`/v1/spaces/${made.space}`)).body.gitSync).toBeUndefined();
    expect(await made.repository.paths()).toEqual(['README.md', 'guide.md']);
  });

  it.each([
    [{ type: 'site', siteId: 'site' }, 'target.type: not supported; connect each space'],
    [{ type: 'space', spaceId: 'space', siteId: 'site' }, 'target.siteId: not supported; connect each space'],
  ])('of a site is refused: %j', async (target, words) => {
    const { status, body } = await client.post('/v1/git/installations', { provider: 'git', target });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(words)]);
  });

  it('is not that of a copy of its space', async () => {
    const made = await spaceWithRepository(setting, docs);
    await (await connect(made)).settled();
    const copy = (await client.post(`/v1/spaces/${made.space}/duplicate`)).body;
    expect([copy.title, copy.gitSync]).toEqual([expect.stringContaining('Copy of'), undefined]);
  });

  it('is there for those who may sync the space alone', async () => {
    const made = await spaceWithRepository(setting, docs);
    const { path } = await connect(made);
    const editor = await newUser(client, { organization: setting.organization, role: 'edit' });
    const stranger = await newUser(client);
    const target = {
      provider: 'git',
      target: { type: 'space', spaceId: await newSpace(client, setting.organization) },
    };
    for (const { client: caller } of [editor, stranger]) expect((await caller.get(path)).status).toBe(404);
    expect((await editor.client.post('/v1/git/installations', target)).status).toBe(403);
    expect((await stranger.client.post('/v1/git/installations', target)).status).toBe(404);
  });

  it.each([
    [{ providerConfiguration: { repositoryUrl: 'ftp://example.com/x.git' } }, 'providerConfiguration.repositoryUrl'],
    [{ providerConfiguration: { repositoryUrl: 'https://ada:hush@example.com/x.git' } }, 'accessToken'],
    [
      { providerConfiguration: { repositoryUrl: 'http://169.254.169.254/x.git' } },
      'providerConfiguration.repositoryUrl',
    ],
    [{ providerConfiguration: { branch: 'main' } }, 'providerConfiguration.branch'],
    [{ providerConfiguration: { branch: 'refs/heads/a..b' } }, 'providerConfiguration.branch'],
    [{ projectDirectory: '../up' }, 'projectDirectory'],
    [{ priority: 'neither' }, 'priority'],
    [{ direction: 'sideways' }, 'direction'],
    [{ agentInstructions: ['claude'] }, 'agentInstructions: not supported'],
    [{ providerConfiguration: { password: 'x' } }, 'providerConfiguration'],
  ])('with %j is refused', async (body, field) => {
    const made = await spaceWithRepository(setting, docs);
    const { path } = await connect(made);
    const answer = await client.patch(path, body);
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(field)]);
  });
});
