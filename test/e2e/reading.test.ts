import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { importInto, openRepositories, type Repositories } from '../support/repository.js';
import { newSite } from '../support/site.js';

const client = shared();
let repositories: Repositories;
let organization: string;
beforeAll(async () => {
  organization = await newOrganization(client);
  repositories = await openRepositories();
});
afterAll(() => repositories.close());

async function imported(name: string, files: Record<string, string>, options: object = {}, title = name) {
  await repositories.commit(name, files);
  const space = await newSpace(client, organization, { title });
  const operation = await importInto(client, space, { url: `${repositories.url}/${name}.git`, ...options });
  expect(operation.state).toBe('success');
  return space;
}

const get = async (path: string, token?: string) => {
  const { status, body } = await client.get(`/v1${path}`, token === undefined ? {} : { token });
  expect([path, status]).toEqual([path, 200]);
  return body;
};
const flat = (pages: any[]): any[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);
const read = (space: string, path: string, query: string) =>
  get(`/spaces/${space}/content/path/${encodeURIComponent(path)}?${query}`);
/** Every reference of a document. */
const refsIn = (node: any): any[] =>
  typeof node !== 'object' || node === null
    ? []
    : [...(typeof node.kind === 'string' ? [node] : []), ...Object.values(node).flatMap(refsIn)];

const docs = {
  'SUMMARY.md':
    '# Contents\n\n* [Home](README.md)\n* [Guide](guide/README.md)\n  * [Install](guide/install.md)\n* [Paper](paper.pdf)\n* [Again](guide/install.md)\n* [Gone](/broken/pages/x)\n* [How](.editorconfig)\n',
  'README.md': '# Home\n\nWelcome.\n',
  'guide/README.md': `---
description: All of it
cover: ../gone.png
---

# Guide

[home](../README.md#top), [install](<install.md> "t"), [file](../.gitbook/assets/a%20b.txt#x) [no](../none.md)
![none](../none.png) <a href="../README.md">home</a> \`[code](../README.md)\` [source](../.editorconfig)
[licence](../LICENCE.md) [folder](../src/) [outside](../../x.md) [ref][ref] [same](#there)

\`\`\`md
[code](../README.md)
{% include "../.gitbook/includes/note.md" %}
\`\`\`

> * {% include "../.gitbook/includes/note.md" %}

{% include "../.gitbook/includes/none.md" %}

{% include "../.gitbook/includes/loop.md" %}

{% content-ref url="install.md" %}
[install.md](install.md)
{% endcontent-ref %}

<figure><img src="../.gitbook/assets/a b.txt" alt=""></figure>

Two and two is <code class="expression">2 + 2</code>.

{% if visitor.claims.beta %}
For testers: {% include "../.gitbook/includes/note.md" %}
{% endif %}

[ref]: ../README.md
`,
  'guide/install.md': '# Install\n\nRun it.\n',
  'LICENCE.md': '# Licence\n',
  '.editorconfig': 'root = true\n',
  'src/.main.c': 'int main;\n',
  'paper.pdf': 'none',
  '.gitbook/assets/a b.txt': 'text',
  '.gitbook/includes/note.md': '---\ntitle: A note\n---\n\nSee [it](../../guide/install.md).\n\nTwice.\n',
  '.gitbook/includes/loop.md': 'Round {% include "loop.md" %}\n',
};

describe('markdown for readers', () => {
  let space: string;
  let guide: any;
  beforeAll(async () => {
    space = await imported('standing', docs);
    guide = await read(space, 'guide', 'format=markdown');
  });

  it('leads from page to page by paths, to files by absolute addresses, and nowhere by no link', async () => {
    const file = (await get(`/spaces/${space}/content/files`)).items.find(({ name }: any) => name === 'a b.txt');
    const url = file.downloadURL;
    expect(guide.markdown).toContain('# Guide\n\n[home](readme#top), [install](guide/install "t"), ');
    expect(guide.markdown).toContain(
      `[file](${url}) no\nnone <a href="readme">home</a> \`[code](../README.md)\` source\n`,
    );
    expect(guide.markdown).toContain('licence folder outside [ref][ref] [same](#there)\n');
    expect(guide.markdown).toContain(`<img src="${url}" alt="">`);
    expect(guide.markdown).toContain('\n[ref]: readme\n');
    expect(guide.markdown).toContain(
      '{% content-ref url="guide/install" %}\n[install.md](guide/install)\n{% endcontent-ref %}',
    );
    expect(await (await fetch(url.replace(/^https?:\/\/[^/]+/, client.url))).text()).toBe('text');
    for (const path of guide.markdown.matchAll(/\]\(([a-z/]+)[#)]/g)) {
      const resolved = new URL(path[1], 'http://site/guide').pathname.slice(1);
      expect((await read(space, resolved, '')).path).toBe(resolved);
    }
    const install = await read(space, 'guide/install', 'format=markdown');
    expect(install.markdown).toBe('# Install\n\nRun it.\n');
  });

  it('leads to the page of its own folder, by names as they are written, and to pages named in any script', async () => {
    const space = await imported('names', {
      'SUMMARY.md':
        '* [Home](README.md)\n* [Guide](guide/README.md)\n  * [A](guide/a+b.md)\n  * [B](guide/日本語.md)\n',
      'README.md': '# Home\n',
      'guide/README.md': '# Guide\n',
      'guide/a+b.md': '# A\n\n[up](README.md) [other](日本語.md)\n',
      'guide/日本語.md': '# B\n\n[back](a+b.md)\n',
    });
    const { markdown } = await read(space, 'guide/a+b', 'format=markdown');
    expect(markdown).toBe('# A\n\n[up](../guide) [other](ri-ben-yu)\n');
    expect((await read(space, 'guide/ri-ben-yu', 'format=markdown')).markdown).toBe('# B\n\n[back](a+b)\n');
  });

  it('has its includes in place, from where they stand, but for those that are not there or hold themselves', () => {
    expect(guide.markdown).toContain('\n> * See [it](guide/install).\n>\n>   Twice.\n');
    expect(guide.markdown).toContain('\n{% include "../.gitbook/includes/none.md" %}\n');
    expect(guide.markdown).toContain('\nRound {% include "loop.md" %}\n');
    expect(guide.markdown).toContain('```md\n[code](../README.md)\n{% include "../.gitbook/includes/note.md" %}\n```');
  });

  it('is evaluated where asked for', async () => {
    expect(guide.markdown).toContain('{% if visitor.claims.beta %}\nFor testers: \n\nSee [it](guide/install).\n');
    const { markdown } = await read(space, 'guide', 'format=markdown&evaluated=true');
    expect(markdown).toContain('Two and two is 4.');
    expect(markdown).not.toContain('testers');
    expect(markdown).toContain('> * See [it](guide/install).');
  });

  it('has its source byte for byte beside it', async () => {
    const page = await read(space, 'guide', 'format=source');
    expect(page.source).toBe(docs['guide/README.md']);
    expect(page).not.toHaveProperty('markdown');
    const { id } = page;
    expect((await get(`/spaces/${space}/content/page/${id}?format=source`)).source).toBe(page.source);
    expect(await read(space, 'guide', '')).not.toHaveProperty('source');
  });

  it('stays the same, so that a reader asks conditionally', async () => {
    const path = `/v1/spaces/${space}/content/page/${guide.id}?format=markdown`;
    const { headers, body } = await client.get(path);
    expect(body).toEqual(guide);
    const etag = (headers as Headers).get('etag') as string;
    expect((await client.get(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });
});

describe('references to what is no part of a space', () => {
  it('are recognised as broken, and no address', async () => {
    const space = await imported('broken', docs);
    const { document, cover } = await read(space, 'guide', 'format=document');
    expect(cover).toBeUndefined();
    const refs = refsIn(document.nodes);
    expect(refs.filter(({ kind }) => kind === 'url')).toEqual([]);
    expect(
      refs.filter((ref) => [ref.page, ref.file, ref.reusableContent].includes('broken')).map(({ kind }) => kind),
    ).toEqual(['page', 'file', 'page', 'page', 'page', 'page', 'reusable-content']);
    const ids = new Set(flat((await get(`/spaces/${space}/content/pages`)).pages).map(({ id }) => id));
    expect(ids.has('broken')).toBe(false);
    const links = flat((await get(`/spaces/${space}/content/pages`)).pages).filter(({ type }) => type === 'link');
    expect(links.map(({ title, target, href }) => [title, target, href])).toEqual([
      ['Paper', { kind: 'file', file: expect.not.stringMatching('broken') }, undefined],
      ['Again', { kind: 'page', page: expect.not.stringMatching('broken') }, undefined],
      ['Gone', { kind: 'page', page: 'broken' }, undefined],
      ['How', { kind: 'page', page: 'broken' }, undefined],
    ]);
  });

  it.each<[string, object]>([
    ['the caller', { repoTreeURL: 'https://git.example.com/acme/docs/tree/main' }],
    ['its Git information', { gitInfo: { provider: 'github', url: 'https://git.example.com/acme/docs/tree/main' } }],
  ])('lead into the repository where %s names it and it has them', async (_, options) => {
    const tree = 'https://git.example.com/acme/docs/tree/main';
    const space = await imported(`tree-${Object.keys(options)[0]}`, docs, options);
    const { document } = await read(space, 'guide', 'format=document');
    const urls = refsIn(document.nodes).filter(({ kind }) => kind === 'url');
    expect(urls.map(({ url }) => url)).toEqual([`${tree}/.editorconfig`, `${tree}/LICENCE.md`, `${tree}/src`]);
    const { markdown } = await read(space, 'guide', 'format=markdown');
    expect(markdown).toContain(`[source](${tree}/.editorconfig)`);
    expect(markdown).toContain(' no\nnone ');
    const links = flat((await get(`/spaces/${space}/content/pages`)).pages).filter(({ type }) => type === 'link');
    expect(links[3]).toMatchObject({ title: 'How', href: `${tree}/.editorconfig`, target: { kind: 'url' } });
  });

  it('lead out of a project folder too', async () => {
    const tree = 'https://git.example.com/tree';
    const files = {
      'docs/README.md': '# Home\n\n[code](../src/main.c) [none](../src/none.c) [over](../../main.c)\n',
      'src/main.c': 'int main;\n',
    };
    const space = await imported('project', files, { repoProjectDirectory: 'docs', repoTreeURL: tree });
    const { document } = await read(space, 'readme', 'format=document');
    expect(refsIn(document.nodes)).toEqual([
      { kind: 'url', url: `${tree}/src/main.c` },
      { kind: 'page', page: 'broken' },
      { kind: 'page', page: 'broken' },
    ]);
  });
});

describe('a search of several spaces', () => {
  it.each([
    ['kafka', [0, 1]],
    ['kafka', [1, 0]],
    ['about kafka', [1, 0]],
  ])('for %j with the spaces in the order %j puts the product of that name first', async (query, order) => {
    const name = `kafka-${order.join('')}-${query.length}`;
    const connectors = Array.from({ length: 12 }, (_, n) => [
      `c${n}.md`,
      `# Connector ${n}\n\nReads about Kafka topics.\n`,
    ]);
    const product = await imported(
      `${name}-product`,
      {
        'README.md': '# Streams\n\nAll about streams.\n',
        'kafka.md': '# Kafka broker\n\nAbout it.\n',
        ...Object.fromEntries(connectors),
      },
      {},
      'Streams',
    );
    const other = await imported(
      `${name}-other`,
      { 'README.md': '# Mail\n\nLetters.\n', 'notes.md': '# Notes\n\nAbout: not for Kafka.\n' },
      {},
      'Mail',
    );
    const spaces = order.map((at) => [product, other][at] as string);
    const site = await newSite(organization, { spaces });
    const { items, count } = await site.ok('POST', '/search', { query, mode: 'all' });
    expect([count, items.map(({ title }: any) => title)]).toEqual([2, ['Streams', 'Mail']]);
    expect(items[0].pages[0].title).toBe('Kafka broker');
    const { items: again } = await get(`/spaces/${product}/search?query=${encodeURIComponent(query)}`);
    expect(again[0].title).toBe('Kafka broker');
  });
});
