import { newOrganization, newSpace, shared, walk } from '../support/fixtures.js';
import { importInto, openRepositories, type Repositories } from '../support/repository.js';

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

interface ShownPage {
  id: string;
  title: string;
  type: string;
  path?: string;
  pages?: ShownPage[];
  [field: string]: any;
}

const flat = (pages: ShownPage[]): ShownPage[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);
const pagesOf = async (space: string): Promise<ShownPage[]> =>
  flat((await client.get(`/v1/spaces/${space}/content/pages`)).body.pages);
const named = async (space: string, title: string) =>
  (await pagesOf(space)).find((page) => page.title === title) as ShownPage;

async function imported(name: string, files: Record<string, string | Buffer | null> = docs) {
  const commit = await repositories.commit(name, files);
  const space = await newSpace(client, organization);
  const url = `${repositories.url}/${name}.git`;
  const operation = await importInto(client, space, { url });
  return { space, url, commit, operation };
}

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
    const pages: ShownPage[] = flat(body.pages);
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
    const welcome = await named(space, 'Welcome');
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
    expect(text).toContain(`"page":"${(await named(space, 'Guide')).id}"`);
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
    const before = new Map((await pagesOf(space)).map((page) => [page.title, page.id]));
    expect((await importInto(client, space, { url })).revision).toBe(operation.revision);
    expect((await importInto(client, space, { url, force: true })).revision).not.toBe(operation.revision);
    await repositories.commit('stable', {
      'guide/README.md': '# Guide renamed\n\nHow things are done now.\n',
      'reference/secrets.md': null,
      'reference/moved.md': docs['reference/secrets.md'],
      'SUMMARY.md': docs['SUMMARY.md'].replace('reference/secrets.md', 'reference/moved.md'),
    });
    expect(await importInto(client, space, { url })).toMatchObject({ state: 'success' });
    const after = new Map((await pagesOf(space)).map((page) => [page.title, page]));
    expect(after.get('Guide')?.id).toBe(before.get('Guide'));
    expect(after.get('Secrets')).toMatchObject({ id: before.get('Secrets'), path: 'reference/moved' });
    expect(after.get('Install it')).toMatchObject({ id: before.get('Install it') });
    expect((await client.get(`/v1/spaces/${space}/content`)).body.parents).toHaveLength(1);
  });

  it('says when pages were made and changed, by the history', async () => {
    const times = async (space: string) =>
      Object.fromEntries(
        (await pagesOf(space)).map(({ title, createdAt, updatedAt }) => [title, [createdAt, updatedAt]]),
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
    const pages = await pagesOf(space);
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
    expect(older).toMatchObject({ state: 'skipped', error: expect.stringContaining('2026-02-01') });
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

describe('a page', () => {
  const bodyOf = async (space: string, title: string) => {
    const { id } = await named(space, title);
    return (await client.get(`/v1/spaces/${space}/content/page/${id}?format=document`)).body.document.nodes as any[];
  };
  const textOf = (node: any): string =>
    node.object === 'text'
      ? node.leaves.map(({ text }: any) => text).join('')
      : (node.nodes ?? []).map(textOf).join('');

  it('is called what the summary calls it; a first heading that says something else is part of the body', async () => {
    const { space } = await imported('titles', {
      'SUMMARY.md': '* [Home](README.md)\n* [☁️ Azure](azure.md)\n* [Own](own.md)\n',
      'README.md': '# HOME\n\nHello.\n',
      'azure.md': '# Services of a zebra\n\nAn okapi.\n\n## Services of a zebra\n',
      'own.md': '---\ntitle: Else\n---\n# Own\n\nSee [there](azure.md "mention").\n',
    });
    expect((await pagesOf(space)).map(({ title, emoji }) => [title, emoji])).toEqual([
      ['Home', undefined],
      ['Azure', '☁️'],
      ['Own', undefined],
    ]);
    expect((await bodyOf(space, 'Home')).map((node) => [node.type, textOf(node)])).toEqual([['paragraph', 'Hello.']]);
    expect((await bodyOf(space, 'Azure')).map(({ type, meta }) => [type, meta?.id])).toEqual([
      ['heading-1', 'services-of-a-zebra-1'],
      ['paragraph', undefined],
      ['heading-1', 'services-of-a-zebra'],
    ]);
    expect((await bodyOf(space, 'Own')).map(({ type }) => type)).toEqual(['paragraph']);
    const { id } = await named(space, 'Azure');
    const { markdown } = (await client.get(`/v1/spaces/${space}/content/page/${id}?format=markdown`)).body;
    expect(markdown).toMatch(/^# Azure\n\n# Services of a zebra\n/);
    const found = async (query: string) => (await client.get(`/v1/spaces/${space}/search?query=${query}`)).body.items;
    expect(await found('okapi')).toMatchObject([
      { title: 'Azure', sections: [{ title: 'Services of a zebra', path: 'azure#services-of-a-zebra-1' }] },
    ]);
    expect(await found('hello')).toMatchObject([{ title: 'Home', sections: [{ title: 'Home', path: 'readme' }] }]);
  });

  it('has links to anchors by their own name, whichever name they are written with', async () => {
    const headings = '## 1. 安裝 Setup!\n\n## Custom <a href="#API Key" id="API Key"></a>\n\n## Plain\n';
    const names = [
      '#1-安裝-setup',
      '#API%20Key',
      '#plain',
      '#elsewhere',
      'b.md#1-安裝-setup',
      'b.md#custom',
      'b.md#gone',
    ];
    const links = names.map((name) => `[x](<${name}>)`).join('\n\n');
    const { space } = await imported('anchors', {
      'SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n* [Setup](b.md#1-an-zhuang-setup)\n',
      'a.md': `# A\n\n${headings}\n${links}\n\n{% include ".gitbook/includes/note.md" %}\n`,
      'b.md': `# B\n\n${headings}`,
      '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\n## 注意\n\n[x](<#注意>) [y](<../../b.md#1-安裝-setup>)\n',
    });
    const [setup, custom, plain, ...rest] = await bodyOf(space, 'A');
    expect([setup, custom, plain].map(({ meta }) => meta.id)).toEqual(['id-1.-an-zhuang-setup', 'api-key', 'plain']);
    const b = (await named(space, 'B')).id;
    const refs = (nodes: any[]): any[] => nodes.flatMap((node) => node.data?.ref ?? refs(node.nodes ?? []));
    expect(refs(rest.slice(0, names.length))).toEqual([
      { kind: 'anchor', anchor: 'id-1.-an-zhuang-setup' },
      { kind: 'anchor', anchor: 'api-key' },
      { kind: 'anchor', anchor: 'plain' },
      { kind: 'anchor', anchor: 'elsewhere' },
      { kind: 'anchor', anchor: 'id-1.-an-zhuang-setup', page: b },
      { kind: 'anchor', anchor: 'api-key', page: b },
      { kind: 'anchor', anchor: 'gone', page: b },
    ]);
    expect((await named(space, 'Setup')).target).toEqual({ kind: 'anchor', anchor: 'id-1.-an-zhuang-setup', page: b });
    const { id: revision, reusableContents } = (await client.get(`/v1/spaces/${space}/content`)).body;
    const note = `/v1/spaces/${space}/revisions/${revision}/reusable-contents/${reusableContents[0].id}/document`;
    expect(refs((await client.get(note)).body.nodes)).toEqual([
      { kind: 'anchor', anchor: 'zhu-yi' },
      { kind: 'anchor', anchor: 'id-1.-an-zhuang-setup', page: b },
    ]);
  });

  it('calls the tags of its updates as the space does', async () => {
    const { space } = await imported('updates', {
      'README.md':
        '# Changes\n\n{% updates %}\n{% update date="2025-05-03" tags="new-api" %}\n## Faster\n{% endupdate %}\n{% endupdates %}\n',
      '.gitbook/tags.yaml': '- tag: new-api\n  label: New API\n',
    });
    expect((await bodyOf(space, 'Changes')).map((node) => [node.type, textOf(node)])).toEqual([
      ['paragraph', '2025-05-03 · New API'],
      ['heading-1', 'Faster'],
    ]);
  });

  it('is found by the old paths that redirects name, where no page has the path', async () => {
    const { space, operation } = await imported('redirected', {
      '.gitbook.yaml':
        'redirects:\n  old/Page: guide.md\n  chained: old/page\n  guide: README.md\n  gone: no-such.md\n  secret: secret.md\n',
      'SUMMARY.md': '* [Home](README.md)\n* [Guide](guide.md)\n* [Secret](secret.md)\n',
      'README.md': '# Home\n',
      'guide.md': '# Guide\n',
      'secret.md': '# Secret\n',
    });
    expect(operation.problems).toEqual([
      { path: '.gitbook.yaml', message: 'gone is redirected to no-such.md, which is not a page' },
    ]);
    const titleAt = async (path: string, place = 'content') => {
      const { status, body } = await client.get(`/v1/spaces/${space}/${place}/path/${encodeURIComponent(path)}`);
      return status === 200 ? body.title : status;
    };
    for (const path of ['old/page', 'OLD//Page.md', 'old/page/README.md', 'chained', 'guide'])
      expect([path, await titleAt(path)]).toEqual([path, 'Guide']);
    expect(await titleAt('old/page', `revisions/${operation.revision}`)).toBe('Guide');
    expect([await titleAt('gone'), await titleAt('old')]).toEqual([404, 404]);
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
  ])('%j is refused by name and starts nothing', async (body, field) => {
    const space = await newSpace(client, organization);
    const answer = await client.post(`/v1/spaces/${space}/git/import`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain(field);
    expect((await client.get(`/v1/spaces/${space}/git/info`)).status).toBe(404);
  });
});

describe('files', () => {
  it('are listed page by page on the revision that the walk began with', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 7 }, (_, i) => [`.gitbook/assets/file-${i}.txt`, `text ${i}`]),
    );
    const { space, url } = await imported('walk', { 'README.md': '# Walk\n', ...files });
    const first = (await client.get(`/v1/spaces/${space}/content/files?limit=3`)).body;
    expect([first.count, first.items.length]).toEqual([7, 3]);
    await repositories.commit('walk', { '.gitbook/assets/file-0.txt': null });
    await importInto(client, space, { url });
    const rest = (await client.get(`/v1/spaces/${space}/content/files?limit=10&page=${first.next.page}`)).body;
    expect([...first.items, ...rest.items].map(({ name }: { name: string }) => name)).toEqual(
      Object.keys(files).map((path) => path.slice(16)),
    );
    expect(await walk(client, `/v1/spaces/${space}/content/files`, 2)).toHaveLength(6);
    expect(
      (await client.get(`/v1/spaces/${space}/content/files?page=${Buffer.from('["x",-1]').toString('base64url')}`))
        .status,
    ).toBe(404);
  });
});

describe('search', () => {
  it('finds pages and sections, the title first, and follows imports', async () => {
    const { space, url } = await imported('search', {
      'README.md': '# Start\n\nThe word install appears here, and cafés serve Crème brûlée.\n',
      'install.md': '# Install\n\nNothing more.\n',
      'guide.md':
        '# Guide\n\n## How to install\n\nFirst things first: unpack.\n\n## 数据库\n\n本章介绍数据库管理系统的基本概念。\n',
      'hidden.md': '---\nnoIndex: true\n---\n# Install secretly\n',
    });
    const find = async (query: string) =>
      (await client.get(`/v1/spaces/${space}/search?query=${encodeURIComponent(query)}`)).body;
    const titles = async (query: string) => (await find(query)).items.map(({ title }: { title: string }) => title);
    expect(await titles('install')).toEqual(['Install', 'Guide', 'Start']);
    expect(await titles('inst')).toEqual(['Install', 'Guide', 'Start']);
    expect(await titles('INSTALL unpack')).toEqual(['Guide']);
    expect(await titles('creme brulee')).toEqual(['Start']);
    expect(await titles('管理')).toEqual(['Guide']);
    expect(await titles('概念')).toEqual(['Guide']);
    expect(await titles('念基')).toEqual([]);
    expect(await find('nothing such')).toEqual({ count: 0, items: [] });
    expect(await find('  ')).toEqual({ count: 0, items: [] });
    const [guide] = (await find('unpack')).items;
    expect(guide.sections).toMatchObject([
      { title: 'How to install', path: 'guide#how-to-install', body: expect.stringContaining('unpack') },
    ]);
    expect(await walk(client, `/v1/spaces/${space}/search?query=install`, 1)).toHaveLength(3);
    await repositories.commit('search', { 'install.md': null, 'guide.md': '# Guide\n\nRewritten.\n' });
    await importInto(client, space, { url });
    expect(await titles('install')).toEqual(['Start']);
    expect(await titles('rewritten')).toEqual(['Guide']);
  });

  it.each([
    ['', 'query'],
    ['?query=', ''],
    [`?query=${'x'.repeat(513)}`, 'query'],
    ['?query=a&query=b', 'query'],
    ['?query=a&page=zzz', 'page'],
  ])('with "%s" answers as specified', async (query, field) => {
    const space = await newSpace(client, organization);
    const { status, body } = await client.get(`/v1/spaces/${space}/search${query}`);
    if (field === '') expect([status, body]).toEqual([200, { count: 0, items: [] }]);
    else expect([status, body.error.message]).toEqual([400, expect.stringContaining(field)]);
  });
});
