import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { ended, ImportTarget, titles } from '../support/imports/import-target.js';
import { sources } from '../support/imports/sources.js';
import { RefusalClient } from '../support/refusals.js';
import { uploaded } from '../support/uploads.js';

const client = shared();
const asking = new RefusalClient(client);
const web = sources();
let organization: string;
beforeAll(async () => {
  organization = await newOrganization(client);
  await web.start();
});
afterAll(() => web.stop());

const base64Of = async (path: string) =>
  Buffer.from(await (await fetch(web.url + path)).arrayBuffer()).toString('base64');

describe('an import of a file that is sent', () => {
  it.each([
    ['markdown', '/guide.md', ['Guide'], 1],
    ['html', '/page.html', ['Guide'], 2],
    ['docx', '/pandoc.docx', ['Field guide'], 2],
    ['google-docs', '/pandoc.docx', ['Field guide'], 2],
    ['zip', '/summary.zip', ['Welcome', ['Part', ['Short name', 'B']]], 4],
    ['confluence', '/confluence.zip', [['Space home', 'Guide']], 3],
    ['notion', '/notion.zip', [['Guide', 'Sub', 'Tasks']], 4],
  ])('of %s is as that of its address, and asks no server: %s', async (source, path, tree, count) => {
    const space = new ImportTarget(web, await newSpace(client, organization), client);
    const file = { name: path.slice(1), base64: await base64Of(path) };
    const asked = web.asked.length;
    expect(await space.imported(source, file)).toMatchObject({ importedResources: count });
    expect(web.asked.slice(asked)).toEqual([]);
    expect(titles(await space.pages())).toEqual(tree);
    const { items } = (await client.get(`/v1/orgs/${organization}/imports`)).body;
    expect(items[0]).toMatchObject({ space: space.id, source, url: file.name, state: 'completed' });
    expect(items[0]).not.toHaveProperty('upload');
  });

  it('comes by the key of an upload, of this organization and kind', async () => {
    const space = new ImportTarget(web, await newSpace(client, organization), client);
    const bytes = Buffer.from(await base64Of('/summary.zip'), 'base64');
    const sent = { name: 'docs.zip', type: 'application/zip', bytes } as const;
    const key = await uploaded(client, organization, { kind: 'import_file', ...sent });
    const elsewhere = await uploaded(client, await newOrganization(client), { kind: 'import_file', ...sent });
    const refused = await client.post(`${space.path}/content/import`, { source: 'zip', file: { key: elsewhere } });
    expect([refused.status, refused.body.error.message]).toEqual([412, expect.stringContaining('file.key: ')]);
    const answer = await client.post(`${space.path}/content/import`, { source: 'zip', file: { key } });
    await ended(client, answer.body);
    expect(titles(await space.pages())).toEqual(['Welcome', ['Part', ['Short name', 'B']]]);
    const { items } = (await client.get(`/v1/orgs/${organization}/imports?space=${space.id}`)).body;
    expect(items).toMatchObject([{ url: 'docs.zip', state: 'completed' }]);
  });

  it('comes into a change request', async () => {
    const space = new ImportTarget(web, await newSpace(client, organization), client);
    const { id } = (await client.post(`${space.path}/change-requests`, { subject: 'An export' })).body;
    const file = { name: 'My export.md', base64: Buffer.from('Text, and ![one](img/dot.png)\n').toString('base64') };
    const at = `${space.path}/change-requests/${id}/content`;
    await space.imported('markdown', file, `/change-requests/${id}/content/import`);
    expect(await space.pages()).toEqual([]);
    expect((await client.get(`${at}/pages`)).body.pages).toMatchObject([{ title: 'My export' }]);
  });

  const text = Buffer.from('# A\n').toString('base64');
  it.each([
    ['neither', { source: 'zip' }, 400, /url: required/],
    [
      'both',
      { source: 'markdown', url: 'https://example.com/a.md', file: { name: 'a.md', base64: text } },
      400,
      /file: give either/,
    ],
    ['no base64', { source: 'markdown', file: { name: 'a.md', base64: '$$$$' } }, 400, /file\.base64: not base64/],
    ['no bytes', { source: 'markdown', file: { name: 'a.md', base64: '' } }, 400, /file\.base64/],
    ['a path for a name', { source: 'markdown', file: { name: '../a.md', base64: text } }, 400, /file\.name/],
    ['a website', { source: 'website', file: { name: 'a.html', base64: text } }, 400, /file: a website has an address/],
    ['a wiki', { source: 'github-wiki', file: { name: 'a.zip', base64: text } }, 400, /file: a github-wiki has/],
    ['too much', { source: 'zip', file: { name: 'a.zip', base64: 'A'.repeat(32_000_004) } }, 400, /file\.base64/],
    [
      'a page that is too large',
      { source: 'markdown', file: { name: 'a.md', base64: 'YWFh'.repeat(700_000) } },
      422,
      /file: larger than 2 MB/,
    ],
    ['no archive', { source: 'zip', file: { name: 'a.zip', base64: text } }, 422, /file: it is no ZIP archive/],
    ['no document', { source: 'docx', file: { name: 'a.docx', base64: text } }, 422, /file: it is no document/],
  ])('is refused for %s, and changes nothing', async (_, body, status, message) => {
    const space = new ImportTarget(web, await newSpace(client, organization), client);
    const answer = await asking.post(`${space.path}/content/import`, body);
    const { error } = answer.status === 202 ? await ended(client, answer.body) : answer.body;
    expect(error).toMatchObject({ code: status, message: expect.stringMatching(message) });
    expect(await space.pages()).toEqual([]);
  });
});
