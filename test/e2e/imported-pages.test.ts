import { newOrganization, shared, walk } from '../support/fixtures.js';
import {
  type CommittedFiles,
  importedSpace,
  importInto,
  named,
  openRepositories,
  pagesOf,
  type Repositories,
} from '../support/repository.js';

const client = shared();
let organization: string;
let repositories: Repositories;
beforeAll(async () => {
  organization = await newOrganization(client);
  repositories = await openRepositories();
});
afterAll(() => repositories.close());

const imported = (name: string, files: CommittedFiles) =>
  importedSpace({ client, organization, repositories }, name, files);

describe('a page', () => {
  const bodyOf = async (space: string, title: string) => {
    const { id } = await named(client, space, title);
    return (await client.get(`/v1/spaces/${space}/content/page/${id}?format=document`)).body.document.nodes as any[];
  };
  const textOf = (node: any): string =>
    node.object === 'text'
      ? node.leaves.map(({ text }: any) => text).join('')
      : (node.nodes ?? []).map(textOf).join('');

  const refsIn = (nodes: any[]): any[] => nodes.flatMap((node) => node.data?.ref ?? refsIn(node.nodes ?? []));

  it('is called what the summary calls it; a first heading that says something else is part of the body', async () => {
    const { space } = await imported('titles', {
      'SUMMARY.md': '* [Home](README.md)\n* [☁️ Azure](azure.md)\n* [Own](own.md)\n',
      'README.md': '# HOME\n\nHello.\n',
      'azure.md': '# Services of a zebra\n\nAn okapi.\n\n## Services of a zebra\n',
      'own.md': '---\ntitle: Else\n---\n# Own\n\nSee [there](azure.md "mention").\n',
    });
    expect((await pagesOf(client, space)).map(({ title, emoji }) => [title, emoji])).toEqual([
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
    const { id } = await named(client, space, 'Azure');
    const { markdown } = (await client.get(`/v1/spaces/${space}/content/page/${id}?format=markdown`)).body;
    expect(markdown).toMatch(/^# Azure\n\n# Services of a zebra\n/);
    const found = async (query: string) => (await client.get(`/v1/spaces/${space}/search?query=${query}`)).body.items;
    expect(await found('okapi')).toMatchObject([
      { title: 'Azure', sections: [{ title: 'Services of a zebra', path: 'azure#services-of-a-zebra-1' }] },
    ]);
    expect(await found('hello')).toMatchObject([{ title: 'Home', sections: [{ title: 'Home', path: 'readme' }] }]);
  });

  it('has links to anchors in any case, to itself as to others, percent-encoded or not', async () => {
    const headings = '## streamToBytes\n\n## Привет мир\n\n## Q&A for $USD\n\n## C++\n';
    const names = ['streamToBytes', 'ПРИВЕТ-Мир', 'Q-and-A-for-usdusd', 'q-a-for-usd', 'C++'];
    const anchors = ['streamtobytes', 'privet-mir', 'q-and-a-for-usdusd', 'q-and-a-for-usdusd', 'c++'];
    const links = ['', 'a.md', 'b.md'].flatMap((file) =>
      names.flatMap((name) => [`[x](<${file}#${name}>)`, `[x](<${file}#${encodeURIComponent(name)}>)`]),
    );
    const { space } = await imported('cases', {
      'SUMMARY.md': '* [A](a.md)\n* [B](b.md)\n',
      'a.md': `# A\n\n${headings}\n${links.join('\n\n')}\n`,
      'b.md': `# B\n\n${headings}`,
    });
    const nodes = (await bodyOf(space, 'A')).slice(4);
    const [{ id: a }, { id: b }] = [await named(client, space, 'A'), await named(client, space, 'B')];
    expect(refsIn(nodes)).toEqual(
      [{}, { page: a }, { page: b }].flatMap((page) =>
        anchors.flatMap((anchor) => Array(2).fill({ kind: 'anchor', anchor, ...page })),
      ),
    );
    const { stats } = (await client.get(`/v1/spaces/${space}/links`)).body;
    expect(stats).toEqual({ total: expect.any(Number), broken: { total: 0 } });
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
    const b = (await named(client, space, 'B')).id;
    expect(refsIn(rest.slice(0, names.length))).toEqual([
      { kind: 'anchor', anchor: 'id-1.-an-zhuang-setup' },
      { kind: 'anchor', anchor: 'api-key' },
      { kind: 'anchor', anchor: 'plain' },
      { kind: 'anchor', anchor: 'elsewhere' },
      { kind: 'anchor', anchor: 'id-1.-an-zhuang-setup', page: b },
      { kind: 'anchor', anchor: 'api-key', page: b },
      { kind: 'anchor', anchor: 'gone', page: b },
    ]);
    expect((await named(client, space, 'Setup')).target).toEqual({
      kind: 'anchor',
      anchor: 'id-1.-an-zhuang-setup',
      page: b,
    });
    const { id: revision, reusableContents } = (await client.get(`/v1/spaces/${space}/content`)).body;
    const note = `/v1/spaces/${space}/revisions/${revision}/reusable-contents/${reusableContents[0].id}/document`;
    expect(refsIn((await client.get(note)).body.nodes)).toEqual([
      { kind: 'anchor', anchor: 'zhu-yi' },
      { kind: 'anchor', anchor: 'id-1.-an-zhuang-setup', page: b },
    ]);
  });

  it('leads to the pages of folders, in any case of their names, and includes files by their paths', async () => {
    const includes = [
      '../parts/a.md',
      '/parts/a.md',
      'parts/a.md',
      '.gitbook/includes/b.md',
      'c.md',
      '../guide/README.MD',
    ];
    const { space, url } = await imported('paths', {
      'SUMMARY.md': '* [Home](Readme.md)\n* [Guide](guide/README.MD)\n* [Index](other/index.md)\n* [In](docs/in.md)\n',
      'Readme.md': '# Home\n',
      'guide/README.MD': '# Guide\n\n## The Part\n',
      'other/index.md': '# Index\n',
      'docs/in.md': `# In\n\n[x](../) [x](../guide/#The-Part) [x](/other)\n\n${includes.map((path) => `{% include "${path}" %}`).join('\n\n')}\n`,
      'docs/c.md': 'In the same folder.\n',
      'parts/a.md': 'Part. {% include "d.md" %}\n',
      '.gitbook/includes/b.md': 'As the editor has it.\n',
    });
    const idOf = async (title: string) => (await named(client, space, title)).id;
    const { id, reusableContents } = (await client.get(`/v1/spaces/${space}/content`)).body;
    const reusable = (title: string) => reusableContents.find((each: any) => each.title === title).id;
    const included = (title: string) => ({ kind: 'reusable-content', reusableContent: reusable(title) });
    expect(refsIn(await bodyOf(space, 'In'))).toEqual([
      { kind: 'page', page: await idOf('Home') },
      { kind: 'anchor', anchor: 'the-part', page: await idOf('Guide') },
      { kind: 'page', page: await idOf('Index') },
      ...['a', 'a', 'a', 'b', 'c', 'Guide'].map(included),
    ]);
    const text = `/v1/spaces/${space}/revisions/${id}/reusable-contents/${reusable('c')}/document`;
    expect(textOf((await client.get(text)).body)).toContain('In the same folder.');
    const { markdown } = (await client.get(`/v1/spaces/${space}/content/page/${await idOf('In')}?format=markdown`))
      .body;
    expect(markdown).toContain('As the editor has it.');
    await importInto(client, space, { url, force: true });
    const again = (await client.get(`/v1/spaces/${space}/content`)).body.reusableContents;
    expect(again.map((each: any) => each.id)).toEqual(reusableContents.map((each: any) => each.id));
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
