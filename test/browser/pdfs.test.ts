import { setTimeout as pause } from 'node:timers/promises';
import { changeRequestsOf, rewrite } from '../support/change-requests.js';
import { newOrganization, newSpace, newUser } from '../support/fixtures.js';
import { importInto, named, openRepositories } from '../support/repository.js';
import { type StartedServer, startServer } from '../support/server.js';

const red = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC',
  'base64',
);
const env = { PDF_BROWSER: process.env.PDF_BROWSER ?? '/usr/bin/chromium', OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' };

const storeBefore = process.env.BINDERY_TEST_STORE;
const of = { space: '' };
let server: StartedServer;
let organization: string;
beforeAll(async () => {
  server = await startServer({ env });
  process.env.BINDERY_TEST_STORE = JSON.stringify(server.settings);
  organization = await newOrganization(server);
  of.space = await newSpace(server, organization, { title: 'Über Büchér', language: 'de' });
  const repositories = await openRepositories();
  await repositories.commit('pdfs', {
    'SUMMARY.md': '* [Home](README.md)\n* [Guide](guide.md)\n  * [Deep](deep.md)\n* [Last](last.md)\n',
    'README.md':
      '# Home\n\n![Red](.gitbook/assets/red.png) ![Far](http://127.0.0.1:1/far.png)\n\n[to guide](guide.md#one) [out](https://example.com/out)\n',
    'guide.md': '# Guide\n\n## One\n\n`code`\n',
    'deep.md': '# Deep\n\n[last](last.md) ![Red](.gitbook/assets/red.png)\n',
    'last.md': '# Last\n',
    '.gitbook/assets/red.png': red,
  });
  await importInto(server, of.space, { url: `${repositories.url}/pdfs.git` });
  await repositories.close();
});
afterAll(async () => {
  process.env.BINDERY_TEST_STORE = storeBefore;
  await server.stop();
});

const at = (rest = '') => `/v1/spaces/${of.space}${rest}`;

/** What an address answers when the PDF is made. */
async function fetched(url: string): Promise<{ status: number; type: string | null; pdf: string }> {
  const response = await fetch(url);
  if (response.status === 503) {
    await pause(Number(response.headers.get('retry-after')) * 100);
    return fetched(url);
  }
  const pdf = Buffer.from(await response.arrayBuffer()).toString('latin1');
  return { status: response.status, type: response.headers.get('content-type'), pdf };
}

async function pdfAt(path: string): Promise<string> {
  const { status, body } = await server.get(path);
  expect([status, Object.keys(body)]).toEqual([200, ['url']]);
  const { type, pdf } = await fetched(String(body.url));
  expect(type).toBe('application/pdf');
  return pdf;
}

const pagesOf = (pdf: string) => [...pdf.matchAll(/\/Type \/Page\b(?!s)/g)].length;

it('the PDF of a space has all pages, their pictures once, and links that lead within it and out of it', async () => {
  const pdf = await pdfAt(at('/pdf'));
  // A cover with the contents and the first page, and a sheet for each further one.
  expect(pagesOf(pdf)).toBeGreaterThanOrEqual(4);
  expect([...pdf.matchAll(/\/Subtype \/Image\s+\/Width 10\b/g)]).toHaveLength(1);
  expect(pdf).toContain('/Lang (de)');
  expect(pdf).toContain('/URI (https://example.com/out)');
  expect(pdf).not.toContain('/URI (http://127.0.0.1');
  expect(pdf).toMatch(/\/Dest \/[\w-]+-one/);
  expect(pdf).toMatch(/FontName \/\w+\+Inter/);
  expect(pdf).toMatch(/FontName \/\w+\+JetBrainsMono/);
});

it('a page comes with those below it, or alone', async () => {
  const { id } = await named(server, of.space, 'Guide');
  const [whole, alone] = [await pdfAt(at(`/pdf?page=${id}`)), await pdfAt(at(`/pdf?page=${id}&only=true`))];
  expect(pagesOf(whole)).toBe(pagesOf(alone) + 1);
  // A page that is not in the document is read elsewhere.
  expect(whole).toContain(`/URI (${server.url}/app/s/${of.space}/last)`);
  expect(alone).not.toMatch(/\/Subtype \/Image\s+\/Width 10\b/);
});

it('the PDF of a change request has its content', async () => {
  const { newRequest, write } = changeRequestsOf(server, of);
  const number = await newRequest();
  const { id } = await named(server, of.space, 'Last');
  await write(number, rewrite(id, '[changed](https://example.com/changed)\n'));
  const changed = '/URI (https://example.com/changed)';
  expect(await pdfAt(at(`/change-requests/${number}/pdf?page=${id}`))).toContain(changed);
  expect(await pdfAt(at(`/pdf?page=${id}`))).not.toContain(changed);
});

it('an address that was changed, and one of somebody who lost access, shows nothing', async () => {
  const user = await newUser(server, { organization, role: 'read' });
  const { body } = await server.get(at('/pdf'), { token: user.token });
  const url = String(body.url);
  expect((await fetched(url)).status).toBe(200);
  expect((await fetched(`${url}x`)).status).toBe(404);
  await server.delete(`/v1/orgs/${organization}/members/${user.id}`);
  expect((await fetched(url)).status).toBe(404);
});

it('what does not exist is 404, and another form of the query 400', async () => {
  for (const path of ['/pdf?page=no', '/change-requests/99/pdf', '/change-requests/no/pdf?page=no'])
    expect([path, (await server.get(at(path))).status]).toEqual([path, 404]);
  for (const path of ['/pdf?only=maybe', `/pdf?page=${'a'.repeat(300)}`])
    expect([path, (await server.get(at(path))).status]).toEqual([path, 400]);
});
