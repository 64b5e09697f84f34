import { readFileSync } from 'node:fs';
import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { png, Web } from '../support/imports/web.js';
import { zipOf } from '../support/imports/zip.js';

const client = shared();
const fixture = (name: string) => readFileSync(`test/support/imports/files/${name}`);
let organization: string;
const web = new Web({
  '/a.png': png,
  '/pandoc.docx': fixture('pandoc.docx'),
  '/libreoffice.docx': fixture('libreoffice.docx'),
  '/docusaurus.zip': fixture('docusaurus.zip'),
  '/book.zip': zipOf({ 'README.md': '# Home\n\n[b](b.md)\n', 'b.md': '# B\n' }),
  '/guide.md': '# Guide\n\nText ![a](a.png)\n',
});
beforeAll(async () => {
  organization = await newOrganization(client);
  await web.start();
});
afterAll(() => web.stop());

const imported = async (path: string, source: string) => {
  const space = await newSpace(client, organization);
  const answer = await client.post(`/v1/spaces/${space}/content/import`, { url: web.url + path, source });
  const { body } = await client.get(`/v1/spaces/${space}/content`);
  return { space, answer, body };
};
const textOf = async (space: string, page: string) =>
  (await client.get(`/v1/spaces/${space}/content/page/${page}?format=source`)).body.source ??
  (await client.get(`/v1/spaces/${space}/content/page/${page}?format=markdown`)).body.markdown;

it.each([
  ['/guide.md', 'markdown'],
  ['/pandoc.docx', 'docx'],
  ['/libreoffice.docx', 'docx'],
  ['/book.zip', 'zip'],
  ['/docusaurus.zip', 'zip'],
])('%s', async (path, source) => {
  const { space, answer, body } = await imported(path, source);
  console.log(answer.status, JSON.stringify(answer.body), answer.headers?.get?.('location'));
  const show = async (pages: any[], level = 0): Promise<void> => {
    for (const page of pages) {
      console.log(
        ' '.repeat(level) + page.type,
        page.title,
        page.path,
        '\n' + (page.type === 'document' ? await textOf(space, page.id) : ''),
      );
      await show(page.pages ?? [], level + 2);
    }
  };
  await show(body.pages);
  console.log(body.files);
});
