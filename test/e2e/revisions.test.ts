import { newOrganization, newSpace, newUser, shared, walk } from '../support/fixtures.js';
import { importInto, openRepositories, type Repositories } from '../support/repository.js';

const client = shared();
let repositories: Repositories;
let space: string;
/** The empty one, the one before, and the current one. */
let first: string;
let before: string;
let current: string;
let pages: Record<string, { id: string; path: string; [field: string]: any }>;

const docs = {
  'README.md':
    '# Home\n\nSee [the guide](guide/README.md), ![logo](.gitbook/assets/logo.svg).\n\n{% include ".gitbook/includes/note.md" %}\n\n{% if visitor.claims.beta %}\nFor testers.\n{% endif %}\n\nTwo and two is <code class="expression">2 + 2</code>.\n',
  'SUMMARY.md':
    '# Contents\n\n* [Home](README.md)\n* [Guide](guide/README.md)\n  * [Install](guide/install.md)\n* [Elsewhere](https://example.com/)\n* [Beta](beta.md)\n\n## Reference\n\n* [Options](reference/options.md)\n',
  'guide/README.md': '# Guide\n\nOld words.\n',
  'guide/install.md': '# Install\n\nRun it.\n',
  'beta.md': '---\nif: visitor.claims.beta\n---\n\n# Beta\n\nFor testers.\n',
  'reference/options.md': '# Options\n\nMany.\n',
  '.gitbook/assets/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>',
  '.gitbook/assets/other.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="5" height="3"/>',
  '.gitbook/includes/note.md': '---\ntitle: A note\n---\n\nKeep this in mind.\n',
};

const flat = (list: any[]): any[] => list.flatMap((page) => [page, ...flat(page.pages ?? [])]);

beforeAll(async () => {
  repositories = await openRepositories();
  space = await newSpace(client, await newOrganization(client));
  first = (await client.get(`/v1/spaces/${space}`)).body.revision;
  const url = `${repositories.url}/revisions.git`;
  await repositories.commit('revisions', docs);
  before = (await importInto(client, space, { url })).revision;
  await repositories.commit('revisions', { 'guide/README.md': '# Guide\n\nNew words.\n' });
  current = (await importInto(client, space, { url })).revision;
  const { body } = await client.get(`/v1/spaces/${space}/content/pages`);
  pages = Object.fromEntries(flat(body.pages).map((page) => [page.title, page]));
});
afterAll(() => repositories.close());

const at = (revision: string, rest = '') => `/v1/spaces/${space}/revisions/${revision}${rest}`;
const get = async (path: string) => {
  const { status, body } = await client.get(path);
  expect([status, path]).toEqual([200, path]);
  return body;
};

describe('a revision', () => {
  it('is read whole, as the current content is, and stays when the content moves on', async () => {
    const content = await get(`/v1/spaces/${space}/content`);
    expect(await get(at(current))).toEqual(content);
    expect(content.parents).toEqual([before]);
    expect(await get(at(first))).toMatchObject({ id: first, pages: [], files: [], reusableContents: [] });
    expect((await get(at(before))).pages.length).toBe(content.pages.length);
    expect(await get(at(current, '?metadata=false'))).not.toHaveProperty('git');
    expect((await get(at(current, '/pages'))).pages).toEqual(content.pages);
  });

  it('holds what a site renderer reads of it', async () => {
    const body = await get(at(current, '?metadata=true'));
    for (const page of flat(body.pages)) {
      expect(page).toMatchObject({ id: expect.any(String), type: expect.any(String), title: expect.any(String) });
      if (page.type === 'link') expect(page.target).toEqual({ kind: 'url', url: 'https://example.com/' });
      else expect(page).toMatchObject({ path: expect.any(String), slug: expect.any(String), pages: expect.any(Array) });
      if (page.type === 'document')
        expect(page.layout).toMatchObject({
          title: true,
          description: true,
          tableOfContents: true,
          outline: true,
          pagination: true,
        });
    }
    expect(body.files[0]).toMatchObject({ downloadURL: expect.any(String), dimensions: { width: 4, height: 3 } });
    expect(body.reusableContents).toMatchObject([{ id: expect.any(String), title: 'A note' }]);
  });

  it('gives its pages by id and by path, with the body of that time', async () => {
    const { id, path } = pages.Guide as { id: string; path: string };
    const newer = await get(at(current, `/page/${id}?format=markdown`));
    expect(newer).toMatchObject({ id, path, title: 'Guide', markdown: '# Guide\n\nNew words.\n' });
    expect(await get(at(before, `/page/${id}?format=markdown`))).toMatchObject({ markdown: '# Guide\n\nOld words.\n' });
    for (const revision of [at(current), `/v1/spaces/${space}/content`]) {
      expect(await get(`${revision}/path/${encodeURIComponent(path)}?format=markdown`)).toEqual(newer);
      expect(await get(`${revision}/path/${encodeURIComponent('/Guide//Install/')}`)).toMatchObject({
        title: 'Install',
      });
      expect(await get(`${revision}/path/${pages.Reference?.path}`)).toMatchObject({
        type: 'group',
        title: 'Reference',
      });
    }
    expect(await get(at(before, `/path/${encodeURIComponent(path)}?format=document`))).toHaveProperty('document');
    expect(await get(at(current, `/page/${id}`))).not.toHaveProperty('markdown');
  });

  it('gives documents, as written or evaluated', async () => {
    const path = at(current, `/page/${pages.Home?.id}/document`);
    const written = await get(path);
    expect(written).toMatchObject({ object: 'document', nodes: expect.any(Array) });
    const page = await get(at(current, `/page/${pages.Home?.id}?format=document`));
    expect(page.document).toEqual(written);
    expect(await get(`/v1/spaces/${space}/documents/${page.documentId}`)).toEqual(written);
    expect(JSON.stringify(written)).toContain(`"page":"${pages.Guide?.id}"`);
    for (const shown of ['"type":"if"', 'For testers', '"expression":"2 + 2"'])
      expect(JSON.stringify(written)).toContain(shown);
    for (const query of ['evaluated=true', 'evaluated=deterministic-only&dereferenced=reusable-contents']) {
      const evaluated = JSON.stringify(await get(`${path}?${query}`));
      expect(evaluated).toContain('"text":"4"');
      expect(evaluated).not.toMatch(/"type":"(if|expression)"|For testers/);
    }
    expect((await get(at(current, `/page/${pages.Home?.id}?format=markdown&evaluated=true`))).markdown).toContain(
      'is 4.',
    );
  });

  it('gives its reusable content with its document', async () => {
    const [{ id }] = (await get(at(current))).reusableContents;
    const entry = await get(at(current, `/reusable-contents/${id}`));
    expect(entry).toMatchObject({ id, title: 'A note', git: { path: '.gitbook/includes/note.md' } });
    expect(await get(at(current, `/reusable-contents/${id}?metadata=false`))).not.toHaveProperty('git');
    expect(await get(`/v1/spaces/${space}/content/reusable-contents/${id}`)).toEqual(entry);
    const document = await get(at(current, `/reusable-contents/${id}/document?evaluated=true`));
    expect(JSON.stringify(document)).toContain('Keep this in mind.');
    expect(await get(`/v1/spaces/${space}/documents/${entry.document}`)).toEqual(document);
    const home = JSON.stringify(await get(at(current, `/page/${pages.Home?.id}/document`)));
    expect(home).toContain(`"reusableContent":"${id}"`);
  });

  it('lists its files page by page and gives each', async () => {
    const files = await walk(client, at(before, '/files'), 1);
    expect(files).toEqual((await get(at(before))).files);
    for (const file of files) expect(await get(at(before, `/files/${file.id}`))).toEqual(file);
  });

  it('is answered with 304 to who holds it; documents may be kept for good', async () => {
    for (const path of ['', '/pages', `/page/${pages.Home?.id}`, '/files', `/page/${pages.Home?.id}/document`]) {
      const { headers } = await client.get(at(current, path));
      const etag = String(headers.get('etag'));
      expect(etag).toContain(current);
      const immutable = path.endsWith('/document');
      expect(String(headers.get('cache-control')).includes('immutable')).toBe(immutable);
      const again = await client.get(at(current, path), { headers: { 'if-none-match': etag } });
      expect([again.status, again.body]).toEqual([304, '']);
      const other = await client.get(at(before, path), { headers: { 'if-none-match': etag } });
      expect(other.status).toBe(200);
    }
  });

  it('is not there for others, and not in other spaces', async () => {
    const stranger = await newUser(client);
    const own = await newSpace(stranger.client, await newOrganization(stranger.client));
    for (const rest of ['', '/pages', '/files', `/page/${pages.Home?.id}`, `/page/${pages.Home?.id}/document`]) {
      expect((await stranger.client.get(at(current, rest))).status).toBe(404);
      expect((await stranger.client.get(`/v1/spaces/${own}/revisions/${current}${rest}`)).status).toBe(404);
    }
    const { documentId } = await get(at(current, `/page/${pages.Home?.id}`));
    expect((await stranger.client.get(`/v1/spaces/${own}/documents/${documentId}`)).status).toBe(404);
    const elsewhere = await newSpace(client, await newOrganization(client));
    expect((await client.get(`/v1/spaces/${elsewhere}/documents/${documentId}`)).status).toBe(404);
  });

  it('answers 404 for what it does not hold and 400 for bad questions', async () => {
    const home = pages.Home?.id;
    const group = pages.Reference?.id;
    for (const path of [
      '/page/none',
      '/page/none/document',
      `/page/${group}/document`,
      '/path/none',
      '/files/none',
      '/reusable-contents/none',
      '/reusable-contents/none/document',
    ])
      expect([path, (await client.get(at(current, path))).status]).toEqual([path, 404]);
    expect((await client.get(at('none'))).status).toBe(404);
    expect((await client.get(at(first, `/page/${home}`))).status).toBe(404);
    expect((await client.get(`/v1/spaces/${space}/documents/none`)).status).toBe(404);
    for (const path of [
      `/page/${home}?format=html`,
      `/page/${home}/document?evaluated=maybe`,
      '/files?limit=1001',
      '/files?page=none',
      '?metadata=perhaps',
    ]) {
      const { status, body } = await client.get(at(current, path));
      expect([path, status, body.error?.code]).toEqual([path, 400, 400]);
    }
    expect((await client.get(`/v1/spaces/${space}/documents/x?schema=old`)).status).toBe(400);
  });
});
