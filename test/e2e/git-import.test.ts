import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import {
  type CommittedFiles,
  flatPages,
  importedSpace,
  importInto,
  named,
  openRepositories,
  pagesOf,
  type Repositories,
  type ShownPage,
} from '../support/repository.js';

const client = shared();
let organization: string;
let repositories: Repositories;
beforeAll(async () => {
  organization = await newOrganization(client);
  repositories = await openRepositories();
});
afterAll(() => repositories.close());

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAEklEQVR4nGP8z8DwnwEKmGAMAC0CAgVzzGb+AAAAAElFTkSuQmCC',
  'base64',
);

const docs = {
  '.gitbook.yaml': 'root: ./\nstructure:\n  readme: README.md\n  summary: SUMMARY.md\n',
  'README.md':
    '---\ndescription: Where it begins\n---\n\n# Welcome\n\nHello **world**, see [the guide](guide/README.md) and ![logo](.gitbook/assets/logo.png).\n',
  'SUMMARY.md':
    '# Table of contents\n\n* [Welcome](README.md)\n* [Guide](guide/README.md)\n  * [Install it](guide/install.md)\n* [Elsewhere](https://example.com/)\n\n## Reference\n\n* [Secrets](reference/secrets.md)\n',
  'guide/README.md': '# Guide\n\nHow things are done.\n',
  'guide/install.md':
    '---\nicon: download\nhidden: true\n---\n# Installation\n\n## From source\n\nRun the frobnicator twice.\n\n{% hint style="info" %}\nMind the gap.\n{% endhint %}\n',
  'reference/secrets.md': '---\nnoIndex: true\n---\n# Secrets\n\nNothing about xylophones.\n',
  '.gitbook/assets/logo.png': png,
  '.gitbook/includes/note.md': '---\ntitle: A note\n---\n\nKeep this in mind.\n',
};

const imported = (name: string, files: CommittedFiles = docs) =>
  importedSpace({ client, organization, repositories }, name, files);

describe('an import', () => {
  it('brings the pages of the summary with titles, order, paths, descriptions and flags', async () => {
    const { space, commit, operation } = await imported('pages');
    expect(operation).toMatchObject({ direction: 'import', state: 'success', commit, ref: 'refs/heads/main' });
    const { body } = await client.get(`/v1/spaces/${space}/content`);
    expect(body).toMatchObject({
      id: operation.revision,
      type: 'edits',
      git: { oid: commit, ref: 'refs/heads/main', createdByService: false },
    });
    const pages: ShownPage[] = flatPages(body.pages);
    expect(pages.map(({ title, type }) => [title, type])).toEqual([
      ['Welcome', 'document'],
      ['Guide', 'document'],
      ['Install it', 'document'],
      ['Elsewhere', 'link'],
      ['Reference', 'group'],
      ['Secrets', 'document'],
    ]);
    expect(pages[0]).toMatchObject({ description: 'Where it begins', git: { path: 'README.md' }, hidden: false });
    expect(pages[2]).toMatchObject({ path: 'guide/install', icon: 'download', hidden: true });
    expect(pages[3]).toMatchObject({ target: { kind: 'url', url: 'https://example.com/' } });
    expect(pages[5]).toMatchObject({ path: 'reference/secrets', noIndex: true });
    for (const { id } of pages) expect(id).toMatch(/^[a-zA-Z0-9]{1,40}$/);
    expect(body.reusableContents).toMatchObject([{ title: 'A note' }]);
    expect((await client.get(`/v1/spaces/${space}`)).body).toMatchObject({ revision: operation.revision });
  });

  it('keeps sources byte for byte and offers them as markdown and as document', async () => {
    const { space } = await imported('bodies');
    const welcome = await named(client, space, 'Welcome');
    const path = `/v1/spaces/${space}/content/page/${welcome.id}`;
    expect((await client.get(path)).body).toEqual(welcome);
    const markdown = (await client.get(`${path}?format=markdown`)).body.markdown;
    expect(markdown.startsWith('# Welcome\n')).toBe(true);
    expect(markdown).toContain('Hello **world**, see [the guide](guide)');
    expect((await client.get(`${path}?format=source`)).body.source).toBe(docs['README.md']);
    const { document } = (await client.get(`${path}?format=document`)).body;
    const text = JSON.stringify(document);
    expect(document).toMatchObject({ object: 'document' });
    expect(text).toContain('"bold"');
    expect(text).toContain(`"page":"${(await named(client, space, 'Guide')).id}"`);
    const [file] = (await client.get(`/v1/spaces/${space}/content/files`)).body.items;
    expect(text).toContain(`"file":"${file.id}"`);
    expect((await client.get(`${path}?format=html`)).status).toBe(400);
    expect((await client.get(`/v1/spaces/${space}/content/page/nowhere`)).status).toBe(404);
  });

  it('brings files whose downloadURL works without a token, and without the signature does not', async () => {
    const { space } = await imported('files');
    const { body } = await client.get(`/v1/spaces/${space}/content/files`);
    expect(body.items).toMatchObject([
      { name: 'logo.png', contentType: 'image/png', size: png.length, dimensions: { width: 2, height: 3 } },
    ]);
    const [file] = body.items;
    expect((await client.get(`/v1/spaces/${space}/content/files/${file.id}`)).body).toEqual(file);
    const url = new URL(file.downloadURL.replace(/^https?:\/\/[^/]+/, client.url));
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(png);
    const part = await fetch(url, { headers: { range: 'bytes=2-5' } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, png.subarray(2, 6)]);
    url.searchParams.set('signature', 'x'.repeat(32));
    expect((await fetch(url)).status).toBe(404);
    expect((await client.get(`/v1/spaces/${space}/content/files/nowhere`)).status).toBe(404);
  });

  it('leaves out git metadata when asked to', async () => {
    const { space } = await imported('metadata');
    for (const path of ['content', 'content/pages', 'content/files']) {
      expect(JSON.stringify((await client.get(`/v1/spaces/${space}/${path}`)).body)).toContain('"git":');
      expect(JSON.stringify((await client.get(`/v1/spaces/${space}/${path}?metadata=false`)).body)).not.toContain(
        '"git":',
      );
    }
  });

  it('keeps page ids by path and by content, and is skipped when nothing changed', async () => {
    const { space, url, operation } = await imported('stable');
    const before = new Map((await pagesOf(client, space)).map((page) => [page.title, page.id]));
    expect((await importInto(client, space, { url })).revision).toBe(operation.revision);
    expect((await importInto(client, space, { url, force: true })).revision).not.toBe(operation.revision);
    await repositories.commit('stable', {
      'guide/README.md': '# Guide renamed\n\nHow things are done now.\n',
      'reference/secrets.md': null,
      'reference/moved.md': docs['reference/secrets.md'],
      'SUMMARY.md': docs['SUMMARY.md'].replace('reference/secrets.md', 'reference/moved.md'),
    });
    expect(await importInto(client, space, { url })).toMatchObject({ state: 'success' });
    const after = new Map((await pagesOf(client, space)).map((page) => [page.title, page]));
    expect(after.get('Guide')?.id).toBe(before.get('Guide'));
    expect(after.get('Secrets')).toMatchObject({ id: before.get('Secrets'), path: 'reference/moved' });
    expect(after.get('Install it')).toMatchObject({ id: before.get('Install it') });
    expect((await client.get(`/v1/spaces/${space}/content`)).body.parents).toHaveLength(1);
  });

  it('says when pages were made and changed, by the history', async () => {
    const times = async (space: string) =>
      Object.fromEntries(
        (await pagesOf(client, space)).map(({ title, createdAt, updatedAt }) => [title, [createdAt, updatedAt]]),
      );
    const at = (day: number) => `2024-03-0${day}T10:00:00.000Z`;
    await repositories.commit('times', docs, { at: at(1) });
    await repositories.commit('times', { 'guide/README.md': '# Guide\n\nNew words.\n' }, { at: at(2) });
    await repositories.commit('times', { 'other.txt': 'x' }, { at: at(3) });
    const space = await newSpace(client, organization);
    const url = `${repositories.url}/times.git`;
    await importInto(client, space, { url });
    const first = {
      Welcome: [at(1), at(1)],
      Guide: [at(1), at(2)],
      'Install it': [at(1), at(1)],
      Elsewhere: [at(3), at(3)],
      Reference: [at(3), at(3)],
      Secrets: [at(1), at(1)],
    };
    expect(await times(space)).toEqual(first);
    await repositories.commit('times', { 'guide/install.md': '# Installation\n\nNew words.\n' }, { at: at(5) });
    const summary = docs['SUMMARY.md'].replace('reference/secrets.md', 'moved.md');
    const added = { 'reference/secrets.md': null, 'moved.md': docs['reference/secrets.md'], 'new.md': '# New' };
    await repositories.commit('times', { ...added, 'SUMMARY.md': `${summary}* [New](new.md)\n` }, { at: at(6) });
    await importInto(client, space, { url });
    const second = { ...first, 'Install it': [at(1), at(5)], New: [at(6), at(6)] };
    expect(await times(space)).toEqual(second);
    await importInto(client, space, { url, force: true });
    expect(await times(space)).toEqual(second);
  });

  it('reads the folder that is named, and shows links that leave it in the repository', async () => {
    await repositories.commit('folders', {
      'README.md': '# Not this one\n',
      'docs/README.md': '# Inner\n\nSee [code](../src/main.ts).\n',
      'src/main.ts': 'export {};\n',
    });
    const space = await newSpace(client, organization);
    const operation = await importInto(client, space, {
      url: `${repositories.url}/folders.git`,
      repoProjectDirectory: 'docs',
      repoTreeURL: 'https://github.com/acme/folders/blob/main',
      repoCommitURL: 'https://github.com/acme/folders/commit',
      gitInfo: { provider: 'github', url: 'https://github.com/acme/folders/tree/main' },
    });
    expect(operation.state).toBe('success');
    const pages = await pagesOf(client, space);
    expect(pages.map(({ title }) => title)).toEqual(['Inner']);
    const { document } = (await client.get(`/v1/spaces/${space}/content/page/${pages[0]?.id}?format=document`)).body;
    expect(JSON.stringify(document)).toContain('https://github.com/acme/folders/blob/main/src/main.ts');
    expect((await client.get(`/v1/spaces/${space}/content`)).body.git.url).toBe(
      `https://github.com/acme/folders/commit/${operation.commit}`,
    );
    const gitSync = {
      repoName: 'acme/folders',
      installationProvider: 'github',
      url: 'https://github.com/acme/folders/tree/main',
    };
    expect((await client.get(`/v1/spaces/${space}/git/info`)).body).toMatchObject(gitSync);
    expect((await client.get(`/v1/spaces/${space}`)).body.gitSync).toMatchObject(gitSync);
  });

  it('is ordered by timestamp: what is older than the last applied one is skipped, unless forced', async () => {
    const { space, url } = await imported('ordered');
    const newer = await importInto(client, space, { url, timestamp: '2026-02-01T00:00:00.000Z', force: true });
    expect(newer.state).toBe('success');
    await repositories.commit('ordered', { 'README.md': '# Changed\n' });
    const older = await importInto(client, space, { url, timestamp: '2026-01-01T00:00:00.000Z' });
    expect(older).toMatchObject({ state: 'success', skipped: true, error: expect.stringContaining('2026-02-01') });
    expect((await client.get(`/v1/spaces/${space}/content`)).body.id).toBe(newer.revision);
    const forced = await importInto(client, space, { url, timestamp: '2026-01-01T00:00:00.000Z', force: true });
    expect(forced.state).toBe('success');
    expect((await client.get(`/v1/spaces/${space}/content`)).body.id).toBe(forced.revision);
  });

  it('makes a revision beside the primary content when it is standalone', async () => {
    const { space, url, operation } = await imported('standalone');
    await repositories.commit('standalone', { 'README.md': '# Preview\n' });
    const preview = await importInto(client, space, { url, standalone: true });
    expect(preview.state).toBe('success');
    expect(preview.revision).not.toBe(operation.revision);
    expect((await client.get(`/v1/spaces/${space}/content`)).body.id).toBe(operation.revision);
    expect((await client.get(`/v1/spaces/${space}/search?query=preview`)).body.count).toBe(0);
  });

  it('fails with a reason, and leaves the content', async () => {
    const { space, url, operation } = await imported('failing');
    const missing = await importInto(client, space, { url, ref: 'refs/heads/nowhere' });
    expect(missing).toMatchObject({ state: 'failure', error: expect.stringMatching(/branch|ref/i) });
    const gone = await importInto(client, space, { url: `${repositories.url}/gone.git` });
    expect(gone.state).toBe('failure');
    const empty = await importInto(client, space, { url, repoProjectDirectory: 'nothing/here' });
    expect(empty).toMatchObject({ state: 'failure', error: expect.stringContaining('nothing/here') });
    expect((await client.get(`/v1/spaces/${space}/content`)).body.id).toBe(operation.revision);
  });
});

describe('credentials in the URL', () => {
  it('are used, and never shown or kept in clear', async () => {
    const guarded = await openRepositories({ credentials: { username: 'ada', password: 'correct-horse' } });
    try {
      await guarded.commit('private', { 'README.md': '# Private\n' });
      const space = await newSpace(client, organization);
      const [scheme, rest] = guarded.url.split('//');
      const refused = await importInto(client, space, { url: `${scheme}//ada:wrong-horse@${rest}/private.git` });
      expect(refused.state).toBe('failure');
      expect(JSON.stringify(refused)).not.toContain('wrong-horse');
      const url = `${scheme}//ada:correct-horse@${rest}/private.git`;
      expect(await importInto(client, space, { url })).toMatchObject({ state: 'success' });
      for (const path of ['', '/git/info', '/content'])
        expect(JSON.stringify((await client.get(`/v1/spaces/${space}${path}`)).body)).not.toContain('horse');
    } finally {
      await guarded.close();
    }
  });
});

describe('a request to import', () => {
  const ref = 'refs/heads/main';
  const url = 'https://github.com/acme/docs.git';
  it.each([
    [{ ref }, 'url'],
    [{ url }, 'ref'],
    [{ url: '', ref }, 'url'],
    [{ url: 5, ref }, 'url'],
    [{ url: 'javascript:alert(1)', ref }, 'url'],
    [{ url: 'file:///etc/passwd', ref }, 'url'],
    [{ url: 'ext::sh -c id', ref }, 'url'],
    [{ url: '--upload-pack=id', ref }, 'url'],
    [{ url: '/etc', ref }, 'url'],
    [{ url: 'git@github.com:acme/docs.git', ref }, 'url'],
    [{ url: 'http://10.0.0.1/docs.git', ref }, 'url'],
    [{ url: 'http://169.254.169.254/latest', ref }, 'url'],
    [{ url: 'http://[::ffff:10.0.0.1]/docs.git', ref }, 'url'],
    [{ url: 'http://0x0a000001/docs.git', ref }, 'url'],
    [{ url, ref: 'main' }, 'ref'],
    [{ url, ref: 'refs/heads/' }, 'ref'],
    [{ url, ref: 'refs/heads/a..b' }, 'ref'],
    [{ url, ref: 'refs/heads/--output=x' }, 'ref'],
    [{ url, ref: 'refs/tags/v1' }, 'ref'],
    [{ url, ref, timestamp: 'yesterday' }, 'timestamp'],
    [{ url, ref, force: 'yes' }, 'force'],
    [{ url, ref, standalone: 1 }, 'standalone'],
    [{ url, ref, repoProjectDirectory: '../..' }, 'repoProjectDirectory'],
    [{ url, ref, repoTreeURL: 'javascript:alert(1)' }, 'repoTreeURL'],
    [{ url, ref, repoCommitURL: 'nope' }, 'repoCommitURL'],
    [{ url, ref, gitInfo: { provider: 'svn', url } }, 'provider'],
    [{ url, ref, gitInfo: { provider: 'github', url: 'nope' } }, 'gitInfo.url'],
    [{ url, ref, gitInfo: { provider: 'github', url: 'https://[' } }, 'gitInfo.url'],
    [{ url, ref, gitInfo: { provider: 'github', url: 'data:text/html,x' } }, 'gitInfo.url'],
    [{ url, ref, repoTreeURL: 'http://%' }, 'repoTreeURL'],
  ])('%j is refused by name and starts nothing', async (body, field) => {
    const space = await newSpace(client, organization);
    const answer = await client.post(`/v1/spaces/${space}/git/import`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain(field);
    expect((await client.get(`/v1/spaces/${space}/git/info`)).status).toBe(404);
  });
});
