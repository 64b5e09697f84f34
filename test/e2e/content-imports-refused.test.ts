import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { ended } from '../support/imports/import-target.js';
import { type Answer, Web } from '../support/imports/web.js';
import { type ZipEntry, zipOf } from '../support/imports/zip.js';
import { RefusalClient } from '../support/refusals.js';

const client = shared();
const asking = new RefusalClient(client);
const redirect =
  (location: string): Answer =>
  (_, response) =>
    response.writeHead(302, { location }).end();
const status =
  (code: number): Answer =>
  (_, response) =>
    response.writeHead(code).end('no');

const endless = (_: unknown, response: ServerResponse) => {
  response.setHeader('content-type', 'text/markdown');
  const chunk = Buffer.alloc(500_000, 'x');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
};
const entry = (changes: Partial<ZipEntry>) => zipOf([{ name: 'a.md', content: '# A\n', ...changes }]);
const docx = (document: string) =>
  zipOf({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'word/document.xml': document,
  });
const laughs = `<!DOCTYPE w [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, at) => `<!ENTITY ${'bcdefghij'[at]} "${`&${'abcdefghi'[at]};`.repeat(10)}">`).join('')}]><w>&j;</w>`;
const external = '<!DOCTYPE w [<!ENTITY a SYSTEM "file:///etc/passwd">]><w>&a;</w>';
/** A field that says how long the content of an entry is in 64 bits. */
const zip64 = (size: bigint) => {
  const field = Buffer.alloc(12);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8, 2);
  field.writeBigUInt64LE(size, 4);
  return field;
};
const bomb = zipOf({ 'a.md': Buffer.alloc(100_000_000) });
const sound = zipOf({ 'a.md': '# A\n', 'b.md': '# B\n' });

const web = new Web({
  '/private': redirect('http://10.0.0.1/a.md'),
  '/metadata': redirect('http://169.254.169.254/latest/meta-data'),
  '/file': redirect('file:///etc/passwd'),
  '/loop': redirect('/loop'),
  '/app': redirect('/login'),
  '/login': '<h1>Sign in</h1>',
  '/gone': status(410),
  '/broken': status(500),
  '/closed': status(401),
  '/forbidden': status(403),
  '/empty.md': '',
  '/empty.html': '',
  '/empty.zip': '',
  '/endless.md': endless,
  '/declared.md': (_, response) => response.writeHead(200, { 'content-length': 3_000_000 }).write('x'),
  '/cut.md': (_, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('x', () => response.destroy());
  },
  '/bomb.md': (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/markdown', 'content-encoding': 'gzip' })
      .end(gzipSync(Buffer.alloc(10_000_000))),
  '/false.md': (_, response) =>
    response.writeHead(200, { 'content-type': 'text/markdown', 'content-encoding': 'gzip' }).end('no gzip'),
  '/image.md': ['image/png', 'x'],
  '/page.md': ['text/html', '<h1>x</h1>'],
  '/charset.md': ['text/markdown; charset=klingon', '# x'],
  '/binary.md': ['text/markdown', Buffer.from([0, 1, 2, 0, 255])],
  '/image.html': ['image/png', 'x'],
  '/words.html': ['text/html', 'no element'],
  '/deep.html': '<div>'.repeat(100_000),
  '/bold.html': `<p>${Array.from({ length: 2000 }, (_, at) => `<b class="${at}">`).join('')}x`,
  '/many.html': '<b></b>'.repeat(200_001),
  '/cells.html': `<table>${'<tr><td colspan="1000" rowspan="1000">x</td></tr>'.repeat(50)}</table>`,
  '/large.html': `<p>${'word '.repeat(500_000)}</p>`,
  '/page.docx': ['text/html', '<h1>x</h1>'],
  '/none.docx': '%PDF-1.4',
  '/other.docx': sound,
  '/entities.docx': docx(laughs),
  '/external.docx': docx(external),
  '/wide.docx': docx(Buffer.from(`\ufeff${external}`, 'utf16le').toString('latin1')),
  '/nested.docx': docx('<w>'.repeat(1000) + '</w>'.repeat(1000)),
  '/invalid.docx': docx('<w:document><unclosed'),
  '/page.zip': ['text/html', '<title>Sign in</title>'],
  '/none.zip': 'no archive',
  '/start.zip': sound.subarray(0, 60),
  '/directory.zip': Buffer.concat([sound.subarray(0, -60), Buffer.alloc(38), sound.subarray(-22)]),
  '/hollow.zip': zipOf({}),
  '/pageless.zip': zipOf({ 'a.png': 'x', 'b.txt': 'y' }),
  '/climbing.zip': entry({ name: '../../etc/a.md' }),
  '/inside.zip': entry({ name: 'a/../../b.md' }),
  '/windows.zip': entry({ name: '..\\..\\a.md' }),
  '/absolute.zip': entry({ name: '/etc/a.md' }),
  '/drive.zip': entry({ name: 'C:/a.md' }),
  '/link.zip': entry({ content: '/etc/passwd', mode: 0o120777 }),
  '/encrypted.zip': entry({ flags: 1 }),
  '/declared.zip': entry({ size: 600_000_000 }),
  '/undeclared.zip': entry({ content: Buffer.alloc(1_000_000), size: 10 }),
  '/method.zip': entry({ method: 99 }),
  '/overlapping.zip': zipOf([
    { name: 'a.md', content: '# A\n' },
    { name: 'b.md', content: '# A\n', sameAs: 0 },
  ]),
  '/crowded.zip': zipOf(Array.from({ length: 5001 }, (_, at) => ({ name: `${at}.md`, method: 0 }))),
  '/pages.zip': zipOf(Array.from({ length: 1001 }, (_, at) => ({ name: `${at}.md`, content: 'x', method: 0 }))),
  '/long.zip': entry({ name: `${'a'.repeat(2000)}.md` }),
  '/parts.zip': zipOf({ 'part.zip': entry({ size: 600_000_000 }) }),
  '/zip64.zip': entry({ size: 0xffffffff, extra: zip64(2n ** 60n) }),
  '/packed.zip': entry({ packedSize: 50_000_000 }),
  '/nul.zip': entry({ name: 'a\0.md' }),
  '/named.zip': entry({ name: `${'a'.repeat(65_000)}.md` }),
  '/quine.zip': zipOf({ 'part.zip': zipOf({ 'part.zip': sound }) }),
  '/bombs.zip': zipOf(Array.from({ length: 6 }, (_, at) => ({ name: `${at}.zip`, content: bomb, method: 0 }))),
  '/heavy.zip': zipOf({ 'guide/heavy.md': Buffer.alloc(10_000_001, 'x') }),
  '/partly.zip': zipOf({ 'guide/heavy.md': Buffer.alloc(10_000_001, 'x'), 'guide/light.md': '# Light\n' }),
  '/heavy-html.zip': zipOf({ 'guide/heavy.html': Buffer.alloc(10_000_001, '<p>x') }),
  '/heavy-csv.zip': zipOf({ 'heavy.csv': Buffer.alloc(10_000_001, 'x') }),
  '/deep.zip': zipOf({ 'deep.html': '<div>'.repeat(100_000) }),
  '/cyclic.zip': zipOf({
    'book.toml': '',
    'src/a.md': `${'text '.repeat(20_000)}${'{{#include a.md}}\n'.repeat(90_000)}`,
  }),
  '/linked.html': Array.from({ length: 100_000 }, (_, at) => `<a href="/${at}">x</a>`).join(''),
  '/evil.zip': zipOf({ 'part.zip': entry({ name: '../a.md' }) }),
  '/links.md': `# Links\n\n${'[a](b) '.repeat(20_001)}`,
  '/links.zip': zipOf(
    Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`${at}.md`, '[a](b) '.repeat(19_000)])),
  ),
  '/site.txt': ['text/plain', 'x'],
  '/robots.txt': 'User-agent: *\nDisallow: /hidden\n',
  '/hidden': '<h1>Hidden</h1>',
});

let path: string;
let before: string;
beforeAll(async () => {
  const space = await newSpace(client, await newOrganization(client));
  path = `/v1/spaces/${space}`;
  before = (await client.get(path)).body.revision;
  await web.start();
});
afterAll(() => web.stop());

const send = (body: unknown) => asking.post(`${path}/content/import`, body);
const refused = async (source: string, url: string): Promise<[status: number, message: string]> => {
  const { status, body } = await send({ source, url: url.startsWith('/') ? web.url + url : url });
  const { error } = status === 202 ? await ended(client, body) : body;
  return [error?.code, error?.message];
};

describe('an import is refused, and changes nothing,', () => {
  afterEach(async () => {
    if (asking.hasSent()) expect((await client.get(path)).body.revision).toBe(before);
  });

  it.each([
    [{}, /source: required/],
    [{ source: 'markdown' }, /url: required/],
    [{ url: 'https://example.com' }, /source: required/],
    [{ url: 'https://example.com', source: 'pdf' }, /source: /],
    [{ url: 5, source: 'markdown' }, /url: /],
    [{ url: 'example', source: 'markdown' }, /url: /],
    [{ url: `https://example.com/${'a'.repeat(2048)}`, source: 'markdown' }, /url: /],
    [[], /body/],
  ])('with the body %j', async (body, message) => {
    const { status, body: answer } = await send(body);
    expect([status, answer.error.message]).toEqual([400, expect.stringMatching(message)]);
  });

  it.each([
    ['markdown', 'javascript:alert(1)', /url: must start with/],
    ['website', 'file:///etc/passwd', /url: must start with/],
    ['zip', 'data:application/zip;base64,UEsF', /url: must start with/],
    ['html', 'gopher://example.com/', /url: must start with/],
    ['html', 'ftp://example.com/', /url: must start with/],
    ['html', 'http://10.0.0.1/', /url: is refused: 10\.0\.0\.1 is not a public address/],
    ['website', 'http://169.254.169.254/latest', /url: is refused/],
    ['docx', 'http://[fd00::1]/', /url: is refused/],
    ['zip', 'http://[::ffff:10.0.0.1]/a.zip', /url: is refused/],
    ['markdown', 'http://2852039166/', /url: is refused/],
    [
      'notion',
      'https://www.notion.so/team/Page-123',
      /url: www\.notion\.so needs an account; in Notion, choose Export/,
    ],
    ['website', 'https://team.notion.site/Page', /needs an account/],
    ['confluence', 'https://team.atlassian.net/wiki/spaces/DS', /needs an account; in Confluence, export/],
    ['github-wiki', 'https://github.com/owner/repository', /\/wiki, or an address that ends in \.wiki\.git/],
    ['github-wiki', 'https://example.com/owner/repository/wiki', /url: give/],
    [
      'google-docs',
      'https://docs.google.com/spreadsheets/d/1234567890ab/edit',
      /url: give https:\/\/docs\.google\.com\/document/,
    ],
    ['google-docs', 'https://drive.google.com/file/d/1234567890ab/view', /url: give/],
  ])('%s from %s, before any job', async (source, url, message) => {
    expect(await refused(source, url)).toEqual([400, expect.stringMatching(message)]);
    expect(
      (await client.get(`/v1/orgs/${(await client.get(path)).body.organization}/imports?limit=0`)).body.count,
    ).toBe(0);
  });

  it.each([
    ['markdown', '/private', 400, /10\.0\.0\.1 is not a public address/],
    ['website', '/metadata', 400, /169\.254\.169\.254 is not a public address/],
    ['html', '/file', 400, /url: the URL must start with/],
    ['html', '/loop', 422, /redirects too often/],
    ['html', '/app', 422, /sign-in page/],
    ['html', '/none', 422, /answered 404/],
    ['zip', '/gone', 422, /answered 410/],
    ['markdown', '/broken', 422, /answered 500/],
    ['docx', '/closed', 422, /answered 401: it seems to need an account/],
    ['google-docs', '/forbidden', 422, /answered 403: it seems to need an account/],
    ['markdown', 'http://127.0.0.1:1/a.md', 422, /ECONNREFUSED/],
    ['markdown', '/empty.md', 422, /empty/],
    ['html', '/empty.html', 422, /empty/],
    ['zip', '/empty.zip', 422, /empty/],
    ['markdown', '/endless.md', 422, /larger than/],
    ['markdown', '/declared.md', 422, /larger than/],
    ['markdown', '/cut.md', 422, /failed/],
    ['markdown', '/bomb.md', 422, /larger than/],
    ['markdown', '/false.md', 422, /failed/],
    ['markdown', '/image.md', 422, /image\/png, and no Markdown/],
    ['markdown', '/page.md', 422, /import it with source html/],
    ['markdown', '/charset.md', 422, /encoding klingon is not known/],
    ['markdown', '/binary.md', 422, /not a text/],
    ['html', '/image.html', 422, /image\/png, and no HTML/],
    ['html', '/words.html', 422, /no HTML page/],
    ['html', '/deep.html', 422, /nests elements more than 500 levels deep/],
    ['html', '/bold.html', 422, /nests elements/],
    ['html', '/many.html', 422, /more than 200,000 elements/],
    ['html', '/cells.html', 422, /more than 20,000 cells/],
    ['html', '/large.html', 422, /more than 2 MB of Markdown/],
    ['website', '/deep.html', 422, /nests elements/],
    ['docx', '/page.docx', 422, /web page, and no document/],
    ['docx', '/none.docx', 422, /no document in the DOCX format/],
    ['docx', '/other.docx', 422, /no document in the DOCX format/],
    ['docx', '/entities.docx', 422, /declares entities/],
    ['google-docs', '/entities.docx', 422, /declares entities/],
    ['docx', '/external.docx', 422, /declares entities/],
    ['docx', '/wide.docx', 422, /declares entities|cannot be read/],
    ['docx', '/nested.docx', 422, /nests elements/],
    ['docx', '/invalid.docx', 422, /cannot be read/],
    ['zip', '/page.zip', 422, /web page, and no ZIP archive/],
    ['notion', '/page.zip', 422, /needs no account/],
    ['zip', '/none.zip', 422, /no ZIP archive/],
    ['zip', '/start.zip', 422, /damaged/],
    ['zip', '/directory.zip', 422, /damaged/],
    ['zip', '/hollow.zip', 422, /no pages/],
    ['zip', '/pageless.zip', 422, /no pages/],
    ['confluence', '/pageless.zip', 422, /no pages/],
    ['zip', '/climbing.zip', 422, /leaves its folder/],
    ['zip', '/inside.zip', 422, /leaves its folder/],
    ['zip', '/windows.zip', 422, /leaves its folder/],
    ['zip', '/absolute.zip', 422, /leaves its folder/],
    ['zip', '/drive.zip', 422, /leaves its folder/],
    ['zip', '/link.zip', 422, /symbolic link/],
    ['zip', '/encrypted.zip', 422, /encrypted/],
    ['zip', '/declared.zip', 422, /unpacks to more than 500 MB, with a\.md/],
    ['zip', '/zip64.zip', 422, /unpacks to more than 500 MB, with a\.md/],
    ['confluence', '/packed.zip', 422, /damaged, in a\.md/],
    ['confluence', '/nul.zip', 422, /leaves its folder: a\0\.md/],
    ['notion', '/named.zip', 422, /1024 characters/],
    ['zip', '/undeclared.zip', 422, /damaged, in a\.md/],
    ['zip', '/method.zip', 422, /damaged, in a\.md/],
    ['zip', '/overlapping.zip', 422, /shares its bytes/],
    ['zip', '/crowded.zip', 422, /more than 5000 entries/],
    ['zip', '/pages.zip', 422, /more than 1,000 pages/],
    ['zip', '/long.zip', 422, /1024 characters/],
    ['notion', '/parts.zip', 422, /unpacks to more than 500 MB/],
    ['notion', '/quine.zip', 422, /no pages/],
    ['notion', '/bombs.zip', 422, /unpacks to more than 500 MB, with a\.md/],
    ['notion', '/evil.zip', 422, /leaves its folder/],
    ['zip', '/heavy.zip', 422, /^url: guide\/heavy\.md: the page is larger than 10 MB/],
    ['confluence', '/heavy-html.zip', 422, /^url: guide\/heavy\.html: the page is larger than 10 MB/],
    ['notion', '/heavy-csv.zip', 422, /^url: heavy\.csv: the page is larger than 10 MB/],
    ['confluence', '/deep.zip', 422, /^url: deep\.html: the page nests elements/],
    ['zip', '/cyclic.zip', 422, /^url: src\/a\.md: the page includes more than 2 MB/],
    ['html', '/linked.html', 422, /more than 20,000 links/],
    ['markdown', '/links.md', 422, /more than 20,000 links/],
    ['zip', '/links.zip', 422, /200,000 links/],
    ['website', '/hidden', 422, /robots\.txt of the website forbids/],
    ['website', '/site.txt', 422, /text\/plain, and no HTML page/],
    ['github-wiki', '/none.wiki.git', 422, /url: /],
  ])('%s from %s with %i', async (source, url, code, message) => {
    expect(await refused(source, url)).toEqual([code, expect.stringMatching(message)]);
  });
});

it('names what it leaves out of an archive, in the answer and in the list of imports', async () => {
  const { organization } = (await client.get(path)).body;
  const { status, body } = await client.post(`${path}/content/import`, { source: 'zip', url: `${web.url}/partly.zip` });
  const problems = [{ path: 'guide/heavy.md', message: 'the page is larger than 10 MB' }];
  expect([status, body]).toMatchObject([201, { importedResources: 1, totalResources: 2, problems }]);
  const { items } = (await client.get(`/v1/orgs/${organization}/imports`)).body;
  expect(items.find((each: any) => each.url.endsWith('/partly.zip'))).toMatchObject({ state: 'completed', problems });
});
