import { eventually } from '../../shared/testing/eventually.js';
import { auditEvents } from '../support/audit.js';
import { ContentWriter } from '../support/content-changes.js';
import { newOrganization, newSpace, newUser, shared, walk } from '../support/fixtures.js';
import { ImportTarget, titles } from '../support/imports/import-target.js';
import { sources } from '../support/imports/sources.js';
import { openRepositories, type Repositories } from '../support/repository.js';

const client = shared();
const web = sources();
let organization: string;
let repositories: Repositories;
beforeAll(async () => {
  organization = await newOrganization(client);
  repositories = await openRepositories();
  await web.start();
});
afterAll(async () => {
  web.stop();
  await repositories.close();
});

const newTarget = async (): Promise<ImportTarget> =>
  new ImportTarget(web, await newSpace(client, organization), client);

const survives = [
  /^# /m,
  /Text with \*\*bold\*\*, [_*]italic[_*], `?code`? and a \[link\]\(https:\/\/example\.com\/a\)/,
  /^#+ Lists$/m,
  /^[*-] One\n {2,4}[*-] Nested$/m,
  /^1\. First\n2\. Second$/m,
  /```[a-z]*\n\s*def hello\(\):\n\s+print\("hi"\)\n\s*```/,
  /\| Name +\| Count +\|\n\| [-: |]+\n\| Ada +\| 3 +\|/,
];

describe('an import of', () => {
  it.each([
    ['markdown', '/guide.md', ['Guide'], 'guide', 2],
    ['html', '/page.html', ['Guide'], 'guide', 3],
    ['docx', '/pandoc.docx', ['Field guide'], 'field-guide', 2],
    ['docx', '/libreoffice.docx', ['Field guide'], 'field-guide', 2],
    ['google-docs', '/pandoc.docx', ['Field guide'], 'field-guide', 2],
    ['google-docs', '/page.html', ['Guide'], 'guide', 3],
    ['zip', '/summary.zip', ['Welcome', ['Part', ['Short name', 'B']]], 'part/short-name', 4],
    ['zip', '/html.zip', ['Start', ['Part', 'Guide']], 'part/guide', 3],
    ['google-docs', '/html.zip', ['Start', ['Part', 'Guide']], 'part/guide', 3],
    ['zip', '/book.zip', ['Introduction', ['First part', ['Guide', 'Deep']]], 'first-part/guide', 4],
    ['confluence', '/confluence.zip', [['Space home', 'Guide']], 'space-home/guide', 3],
    ['notion', '/notion.zip', [['Guide', 'Sub', 'Tasks']], 'guide', 4],
  ])('%s from %s keeps text, headings, lists, tables, code and images', async (source, url, tree, path, count) => {
    const space = await newTarget();
    const { importedResources, totalResources } = await space.imported(source, url);
    // The HTML page names an image that is not there.
    const missing = url === '/page.html' ? 1 : 0;
    expect([importedResources, totalResources]).toEqual([count, count + missing]);
    expect(titles(await space.pages())).toEqual(tree);
    const text = await space.text(path);
    for (const part of survives) expect(text).toMatch(part);
    const image = (await space.files()).find(({ contentType }: any) => contentType === 'image/png');
    expect(image).toMatchObject({ dimensions: { width: 24, height: 16 } });
    expect(text).toContain(image.downloadURL.split('?')[0]);
    expect((await fetch(image.downloadURL)).status).toBe(200);
  });

  it('HTML leaves out navigation and scripts, and writes hints, details, captions and images that are missing', async () => {
    const space = await newTarget();
    await space.imported('html', '/page.html');
    const text = await space.text('guide');
    expect(text).not.toMatch(/Imprint|alert|color|Site/);
    expect(text).toMatch(/\{% hint style="success" %\}\s+Careful\s+\{% endhint %\}/);
    expect(text).toMatch(/<summary>More<\/summary>\s+Hidden/);
    expect(text).toContain('<figcaption><p>Caption</p></figcaption>');
    expect(text).toContain('* [x] Done');
    expect(text).toContain('\\{% hint %}');
    expect(text).toContain(`[other](${web.url}/other.html) ![Gone](${web.url}/gone.png)`);
  });

  it.each([
    ['html', '/latin.html', 'Café', 'naïve'],
    ['html', '/wide.html', 'Größe', 'weit'],
    ['markdown', '/latin.md', '€uro', ''],
  ])('%s from %s reads its encoding', async (source, url, title, word) => {
    const space = await newTarget();
    await space.imported(source, url);
    const [page] = await space.pages();
    expect(page?.title).toBe(title);
    expect(await space.text(String(page?.path))).toContain(word);
  });

  it('a website follows its links below the address, as robots.txt allows, each page once', async () => {
    const space = await newTarget();
    const { importedResources, totalResources } = await space.imported('website', '/docs/');
    // 20 pages, an image and a document; one link leads to a page that is not there.
    expect([importedResources, totalResources]).toEqual([22, 23]);
    expect((await space.files()).map(({ name, contentType }: any) => [name, contentType]).sort()).toEqual([
      ['a.pdf', 'application/pdf'],
      ['dot.png', 'image/png'],
    ]);
    const five = (guide: string) => [1, 2, 3, 4, 5].map((n) => `${guide} ${n}`);
    expect(titles(await space.pages())).toEqual([
      ['Home', ['Guide', ...five('guide')], ['tasks', ...five('tasks')], ['reference', ...five('reference')], 'Last'],
    ]);
    expect(await space.text('home/tasks/tasks-5')).toContain('See [the next](tasks-1#lists)');
    expect(await space.text('home/tasks/tasks-5')).toMatch(/\[lists\]\(\S*guide\S*#lists\)/);
    expect(web.asked).not.toContain('/docs/secret/');
    expect(web.asked).not.toContain('/blog/');
    expect(await space.text('home')).toContain(`[Blog](${web.url}/blog/)`);
  });

  it('documentation of Docusaurus has its order, its categories and its admonitions', async () => {
    const space = await newTarget();
    expect(await space.imported('zip', '/docusaurus.zip')).toMatchObject({ importedResources: 12, totalResources: 12 });
    const [intro, basics, extras] = await space.pages();
    expect([intro?.title, basics?.type, basics?.title, extras?.title]).toEqual([
      'Tutorial Intro',
      'group',
      'Tutorial - Basics',
      'Tutorial - Extras',
    ]);
    expect(titles(basics?.pages ?? []).slice(0, 3)).toEqual([
      'Create a Page',
      'Create a Document',
      'Create a Blog Post',
    ]);
    const text = await space.text('tutorial-basics/markdown-features');
    expect(text).toMatch(
      /\{% hint style="danger" %\}\s+\*\*Take care\*\*\s+This action is dangerous\s+\{% endhint %\}/,
    );
    expect(text).toContain(':::tip[My tip]');
    expect(text).toContain('[Create a page](create-a-page)');
    expect(text.match(/export const Highlight/g)).toHaveLength(1);
    expect((await space.files()).map(({ name }: any) => name).sort()).toEqual([
      'docsVersionDropdown.png',
      'docusaurus.png',
      'localeDropdown.png',
    ]);
  });

  it('a wiki has the order of its sidebar, and links by the names of pages', async () => {
    await repositories.commit(
      'project.wiki',
      {
        'Home.md': 'Welcome. See [[Getting Started]] and [[the tools|Tools#use]].\n\n`[[Code]]`\n',
        'Tools.md': '## Use\n\n![Dot](img/dot.png)\n',
        'Getting-Started.md': 'Begin.\n',
        'Appendix.md': '# Appendix\n',
        '_Sidebar.md': '* [[Tools]]\n  * [[Getting Started]]\n',
        '_Footer.md': 'Footer',
        'img/dot.png': 'x',
      },
      { branch: 'master' },
    );
    const space = await newTarget();
    expect(await space.imported('github-wiki', `${repositories.url}/project.wiki.git`)).toMatchObject({
      importedResources: 5,
      totalResources: 5,
    });
    expect(titles(await space.pages())).toEqual(['Home', ['Tools', 'Getting Started'], 'Appendix']);
    const text = await space.text('home');
    expect(text).toContain('See [Getting Started](tools/getting-started) and [the tools](tools#use).');
    expect(text).toContain('`[[Code]]`');
  });

  it('an archive takes the images that front matter names', async () => {
    const space = await newTarget();
    await space.imported('zip', '/covers.zip');
    const files = await space.files();
    expect(files).toMatchObject([{ name: 'dot.png', dimensions: { width: 24, height: 16 } }]);
    const { body } = await client.get(`${space.path}/content/path/${encodeURIComponent('docs/a/a')}`);
    expect(body).toMatchObject({ title: 'A', cover: { ref: { kind: 'file', file: files[0].id } } });
  });

  it('tables of Notion become tables', async () => {
    const space = await newTarget();
    await space.imported('notion', '/notion.zip');
    expect(await space.text('guide/tasks')).toMatch(
      /\| Name +\| Done +\|\n\| [-| ]+\n\| Write +\| Yes +\|\n\| a\\\|b +\| No +\|/,
    );
    expect(await space.text('guide')).toContain('[Sub](guide/sub)');
  });
});

describe('imported pages', () => {
  it('are added at the end, with slugs of their own, and leave what is there as it is', async () => {
    const space = await newTarget();
    const first = await space.imported('markdown', '/guide.md');
    const [page] = await space.pages();
    const second = await space.imported('markdown', '/guide.md');
    expect(second.revision).not.toBe(first.revision);
    await space.imported('zip', '/html.zip', `/content/page/${page?.id}/import`);
    const pages = await space.pages();
    expect(pages.map(({ path }) => path)).toEqual(['guide', 'guide-1']);
    expect(pages[0]).toMatchObject({ id: page?.id, title: 'Guide' });
    expect(titles(pages)).toEqual([['Guide', 'Start', ['Part', 'Guide']], 'Guide']);
    expect(pages[0]?.pages?.[1]).toMatchObject({ type: 'document', path: 'guide/part' });
    await eventually(
      'all three pages in the search',
      async () => (await client.get(`${space.path}/search?query=italic`)).body.items,
      ({ length }) => length >= 3,
    );
  });

  it('become part of a change request, whose contributor the importer is, and are merged with it', async () => {
    const { space: id, id: changeRequest, path } = await ContentWriter.onNew(client, organization);
    const space = new ImportTarget(web, id, client);
    const at = path.slice(space.path.length);
    const editor = await newUser(client, { organization, role: 'edit' });
    const own = new ImportTarget(web, id, editor.client);
    const { revision } = await own.imported('zip', '/summary.zip', `${at}/content/import`);
    expect((await client.get(path)).body.revision).toBe(revision);
    const [page] = await space.pages(at);
    await own.imported('markdown', '/guide.md', `${at}/content/page/${page?.id}/import`);
    expect(titles(await space.pages(at))).toEqual([
      ['Welcome', 'Guide'],
      ['Part', ['Short name', 'B']],
    ]);
    expect(await space.pages()).toEqual([]);
    const { body } = await client.get(`${path}/contributors`);
    expect(body.items.map(({ user }: any) => user.id)).toEqual([editor.id]);
    expect((await client.post(`${path}/merge`)).status).toBe(200);
    expect(titles(await space.pages())).toEqual([
      ['Welcome', 'Guide'],
      ['Part', ['Short name', 'B']],
    ]);
    expect((await own.send('markdown', '/guide.md', `${at}/content/import`)).status).toBe(400);
    expect(changeRequest).not.toBe('');
  });

  it('come in beside other writers of the same content', async () => {
    const space = await newTarget();
    const answers = await Promise.all([
      ...Array.from({ length: 3 }, () => space.imported('markdown', '/guide.md')),
      space.imported('zip', '/html.zip'),
    ]);
    expect((await space.pages()).map(({ path }) => path).sort()).toEqual([
      'guide',
      'guide-1',
      'guide-2',
      'part',
      'start',
    ]);
    expect(new Set(answers.map(({ revision }) => revision)).size).toBe(4);
  });

  it('are in the audit trail with who imported them, without secrets of the address', async () => {
    const own = await newOrganization(client);
    const space = new ImportTarget(web, await newSpace(client, own), client);
    const { revision } = await space.imported(
      'markdown',
      `${web.url.replace('//', '//me:secret@')}/guide.md?token=hidden`,
    );
    const told = (events: any[]) => events.filter(({ operation }) => operation === 'importContent');
    const events = await auditEvents(client, own, 'order=asc', (all) => told(all).length >= 2);
    const [asked, done] = told(events);
    expect(asked).toMatchObject({
      actor: { type: 'user' },
      details: { url: `${web.url}/guide.md`, source: 'markdown' },
    });
    expect(done).toMatchObject({ actor: { type: 'system' }, details: { revision, import: asked.details.import } });
    expect(JSON.stringify(events)).not.toMatch(/secret|hidden/);
  });
});

describe('imports', () => {
  it('that take longer than a request go on, show how far they are, and can be cancelled', async () => {
    const own = await newOrganization(client);
    const space = new ImportTarget(web, await newSpace(client, own), client);
    const editor = await newUser(client, { organization: own, role: 'edit' });
    const reader = await newUser(client, { organization: own, role: 'read' });
    const stranger = await newUser(client);
    const imports = `/v1/orgs/${own}/imports`;
    const asked = space.send('website', '/slow/');
    const [item] = await eventually(
      'the first page of an import',
      async () => (await editor.client.get(imports)).body.items,
      ([begun]) => begun?.state === 'in-progress' && begun.totalResources > 0,
    );
    expect(item).toMatchObject({ object: 'import', space: space.id, source: 'website', url: `${web.url}/slow/` });
    const path = `${imports}/${item.id}`;
    expect((await reader.client.get(imports)).body).toEqual({ count: 0, items: [] });
    for (const { client: other } of [reader, stranger]) {
      expect((await other.get(path)).status).toBe(404);
      expect((await other.delete(path)).status).toBe(404);
    }
    expect((await client.get(`/v1/orgs/${organization}/imports/${item.id}`)).status).toBe(404);
    const { status, headers, body } = await asked;
    expect([status, headers.get('location'), body.state]).toEqual([202, client.url + path, 'in-progress']);
    expect((await editor.client.delete(path)).status).toBe(204);
    expect((await editor.client.get(path)).body).toMatchObject({ id: item.id, state: 'cancelled' });
    expect((await editor.client.delete(path)).status).toBe(409);
    await space.imported('markdown', '/guide.md');
    await space.send('markdown', '/none.md');
    const all = await walk<any>(editor.client, imports, 1);
    expect(all.map(({ state, error, importedResources }) => [state, error?.message, importedResources])).toEqual([
      ['failed', 'url: the server answered 404', 0],
      ['completed', undefined, 2],
      ['cancelled', undefined, 0],
    ]);
    expect(titles(await space.pages())).toEqual(['Guide']);

    const other = new ImportTarget(web, await newSpace(client, own), client);
    await other.imported('markdown', '/guide.md');
    const listed = async (asked: string) => (await editor.client.get(`${imports}?space=${asked}`)).body.count;
    expect([await listed(other.id), await listed(space.id), await listed('nothing')]).toEqual([1, 3, 0]);
    expect((await editor.client.get(`${imports}?space=${'x'.repeat(101)}`)).status).toBe(400);
  });

  it('need the right to edit', async () => {
    const space = await newTarget();
    await space.imported('markdown', '/guide.md');
    const [page] = await space.pages();
    const at = ['/content/import', `/content/page/${page?.id}/import`];
    for (const [role, status] of [
      ['comment', 403],
      ['read', 403],
      [null, 404],
    ] as const) {
      const { client: user } = await newUser(client, { organization, role });
      for (const place of at)
        expect((await new ImportTarget(web, space.id, user).send('markdown', '/guide.md', place)).status).toBe(status);
    }
    expect(
      (await client.post(space.path + at[0], { url: `${web.url}/guide.md`, source: 'markdown' }, { token: null }))
        .status,
    ).toBe(401);
    for (const none of ['/content/page/none/import', '/change-requests/none/content/import'])
      expect((await space.send('markdown', '/guide.md', none)).status).toBe(404);
  });
});
