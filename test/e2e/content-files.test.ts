import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { base64, ContentWriter, document, files, inserted, referencesIn } from '../support/content-changes.js';
import { newOrganization, shared } from '../support/fixtures.js';

const client = shared();
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8DAAMRgCgAhBwP9tvOtIAAAAABJRU5ErkJggg==',
  'base64',
);
const routes: Record<string, RequestListener> = {
  '/a.png': (_, response) => response.setHeader('Content-Type', 'image/png; charset=binary').end(png),
  '/plain': (_, response) => response.end('Some text'),
  '/strange': (_, response) => response.setHeader('Content-Type', '<x>').end('{}'),
  '/empty': (_, response) => response.setHeader('Content-Type', 'text/plain').end(),
  '/moved': (_, response) => response.writeHead(302, { location: '/a.png' }).end(),
  '/private': (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  '/local': (_, response) => response.writeHead(302, { location: 'http://[::1]:80/' }).end(),
  '/scheme': (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/loop': (_, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/failing': (_, response) => response.writeHead(500).end('no'),
  '/declared': (_, response) => response.writeHead(200, { 'content-length': 30_000_000 }).write('x'),
  '/endless': (_, response) => {
    const chunk = Buffer.alloc(1_000_000);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  },
  '/cut': (_, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('x', () => response.destroy());
  },
};

let server: Server;
let url: string;
let organization: string;
let writer: ContentWriter;
beforeAll(async () => {
  organization = await newOrganization(client);
  server = createServer((request, response) => {
    const route = routes[String(request.url)];
    if (route) route(request, response);
    else response.writeHead(404).end('no such file');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  writer = await ContentWriter.onNew(client, organization);
});

const inline = (name: string, content: string | Buffer = 'x', contentType = 'text/plain') => ({
  name,
  base64: base64(content),
  contentType,
});
const downloaded = async ({ downloadURL }: { downloadURL: string }) => {
  const response = await fetch(downloadURL);
  return [response.status, response.headers.get('content-type'), Buffer.from(await response.arrayBuffer())];
};

describe('inserted files', () => {
  it('are fetched by their addresses, or taken as base64, and served as they are', async () => {
    const { insertedFiles, changes, changeRequest } = await writer.apply(
      files({ name: 'logo.png', url: `${url}/a.png` }, { name: 'notes.txt', url: `${url}/plain` }),
      files(inline('page.html', '<p>Hi</p>', 'text/html; charset=utf-8'), inline('none.txt', '')),
    );
    expect(changes).toEqual([]);
    expect(insertedFiles).toMatchObject([
      { name: 'logo.png', contentType: 'image/png', size: png.length, dimensions: { width: 3, height: 2 } },
      { name: 'notes.txt', contentType: 'text/plain', size: 9 },
      { name: 'page.html', contentType: 'text/html; charset=utf-8', size: 9 },
      { name: 'none.txt', contentType: 'text/plain', size: 0 },
    ]);
    expect(await writer.files()).toEqual(insertedFiles);
    expect(await writer.state()).toEqual(changeRequest);
    expect(await downloaded(insertedFiles[0])).toEqual([200, 'image/png', png]);
    expect(await downloaded(insertedFiles[2])).toEqual([200, 'text/html; charset=utf-8', Buffer.from('<p>Hi</p>')]);
    expect((await client.get(`${writer.path}/content/files/${insertedFiles[1].id}`)).body).toEqual(insertedFiles[1]);
    expect((await client.get(`/v1/spaces/${writer.space}/content/files`)).body.items).toEqual([]);
  });

  it('have the type that the change names, else that of the answer, else that of the name', async () => {
    const { insertedFiles } = await writer.apply(
      files(
        { name: 'a.bin', url: `${url}/a.png` },
        { name: 'a.bin', url: `${url}/a.png`, contentType: 'image/gif' },
        { name: 'a.json', url: `${url}/strange` },
        { name: 'a', url: `${url}/plain` },
        { name: 'b.txt', url: `${url}/empty` },
      ),
    );
    expect(insertedFiles.map(({ contentType }: any) => contentType)).toEqual([
      'image/png',
      'image/gif',
      'application/json',
      'application/octet-stream',
      'text/plain',
    ]);
  });

  it('have odd names, also the same one twice', async () => {
    const names = ['a b@2x (1).png', '日本語.png', '__proto__', 'a%2F..?#&"\'.txt', '.hidden', 'a.png', 'a.png'];
    const { insertedFiles } = await writer.apply(files(...names.map((name) => inline(name, name))));
    for (const [at, name] of names.entries()) {
      expect(insertedFiles[at].name).toBe(name);
      expect((await downloaded(insertedFiles[at]))[2]).toEqual(Buffer.from(name));
    }
    expect(new Set(insertedFiles.map(({ id }: any) => id)).size).toBe(names.length);
  });

  it('are named by pages of the batch and of later ones, also by their own address', async () => {
    const { insertedFiles, changes } = await writer.apply(
      inserted('Page', document('![Logo](./logo) <img src="./logo.png"> {% file src="./logo.png.md" %}\n')),
      files({ name: 'x.png', url: `${url}/moved`, ref: 'logo' }, { ...inline('y.png', png), ref: 'logo.png' }),
    );
    const [x, y] = insertedFiles;
    const page = changes[0].page.id;
    expect(await writer.source(page)).toBe(
      `![Logo](/files/${x.id}) <img src="/files/${y.id}"> {% file src="/files/${y.id}" %}\n`,
    );
    const [later] = await writer.insert(inserted('Later', document(`![](${x.downloadURL})\n\n![](/files/${y.id})\n`)));
    expect(referencesIn(await writer.nodes(later as string))).toEqual([
      { kind: 'file', file: x.id },
      { kind: 'file', file: y.id },
    ]);
    expect(await writer.markdown(later as string)).toContain(`![](${x.downloadURL})`);
  });
});

describe('files that are refused', () => {
  const large = base64(Buffer.alloc(10_000_001));

  it.each<[string, () => object, string]>([
    ['neither url nor base64', () => ({ name: 'a' }), ': give either url or base64'],
    ['both', () => ({ ...inline('a'), url }), ': give either url or base64'],
    ['no contentType', () => ({ name: 'a', base64: '' }), '.contentType: required with base64'],
    ['no base64', () => ({ name: 'a', base64: 'a-_=', contentType: 'a/b' }), '.base64: not base64'],
    ['a data URL', () => ({ name: 'a', base64: 'data:;base64,AA==', contentType: 'a/b' }), '.base64: not base64'],
    ['a cut base64', () => ({ name: 'a', base64: 'AAA', contentType: 'a/b' }), '.base64: not base64'],
    ['too much base64', () => ({ ...inline('a'), base64: large }), '.base64: larger than 10 MB; give a url instead'],
    ['no URL', () => ({ name: 'a', url: 'a.png' }), '.url: must start with https:// or http://'],
    ['a file URL', () => ({ name: 'a', url: 'file:///etc/passwd' }), '.url: must start with'],
    ['a script URL', () => ({ name: 'a', url: 'javascript:alert(1)' }), '.url: must start with'],
    ['a private address', () => ({ name: 'a', url: 'http://10.1.2.3/a' }), '.url: is refused: '],
    ['an address of a cloud', () => ({ name: 'a', url: 'http://169.254.169.254/' }), '.url: is refused: '],
    ['a disguised address', () => ({ name: 'a', url: 'http://0xa9fea9fe/' }), '.url: is refused: '],
    ['an address in IPv6', () => ({ name: 'a', url: 'http://[::ffff:10.0.0.1]/' }), '.url: is refused: '],
    ['a redirect to a private address', () => ({ name: 'a', url: `${url}/private` }), '.url: the URL is refused: '],
    ['a redirect to this machine', () => ({ name: 'a', url: `${url}/local` }), '.url: the URL is refused: '],
    ['a redirect to a file', () => ({ name: 'a', url: `${url}/scheme` }), '.url: the URL must start with'],
    ['endless redirects', () => ({ name: 'a', url: `${url}/loop` }), '.url: 127.0.0.1'],
    ['a missing file', () => ({ name: 'a', url: `${url}/none` }), '.url: the server answered 404'],
    ['a failing server', () => ({ name: 'a', url: `${url}/failing` }), '.url: the server answered 500'],
    [
      'a server that is not there',
      () => ({ name: 'a', url: 'http://127.0.0.1:9/a' }),
      '.url: the request to 127.0.0.1:9',
    ],
    [
      'an unknown host',
      () => ({ name: 'a', url: 'http://nowhere.invalid/a' }),
      '.url: nowhere.invalid could not be found',
    ],
    ['too large a file', () => ({ name: 'a', url: `${url}/declared` }), '.url: the answer of 127.0.0.1'],
    ['an endless file', () => ({ name: 'a', url: `${url}/endless` }), '.url: the answer of 127.0.0.1'],
    ['an answer that is cut', () => ({ name: 'a', url: `${url}/cut` }), '.url: the request to 127.0.0.1'],
    ['a path for a name', () => inline('a/b.png'), '.name: must be a file name'],
    ['a name of the folder', () => inline('..'), '.name: must be a file name'],
    ['half a character', () => inline('a\ud800'), '.name: has half of a surrogate pair'],
    ['a line break in the name', () => inline('a\nb'), '.name: must be a file name'],
    ['no name', () => inline(''), '.name: '],
    ['a long name', () => inline('a'.repeat(257)), '.name: '],
    ['no media type', () => inline('a', 'x', 'png'), '.contentType: must be a media type'],
    ['a header in the type', () => inline('a', 'x', 'a/b\r\nx: y'), '.contentType: must be a media type'],
  ])('for %s name their place and change nothing', async (_, given, message) => {
    await writer.apply(files(inline('kept.txt')));
    const before = await writer.state();
    const [status, said] = await writer.refused(inserted('Page'), files(inline('fine.txt'), given()));
    expect([status, said]).toEqual([400, expect.stringContaining(`changes.1.files.1${message}`)]);
    expect(await writer.state()).toEqual(before);
    expect(await writer.pages()).toEqual([]);
  });

  it('are 1 to 20 a change, and their refs are their own', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => inline(`${at}.txt`));
    expect((await writer.refused(files()))[0]).toBe(400);
    expect((await writer.refused(files(...many(21))))[0]).toBe(400);
    expect(await writer.refused(files({ ...inline('a'), ref: 'x' }), inserted('X', { ref: 'x' }))).toEqual([
      400,
      'changes.1.ref: x is used twice',
    ]);
    expect(await writer.files()).toEqual([]);
    await writer.apply(files(...many(20)), files(...many(20)));
    expect(await writer.files()).toHaveLength(40);
  });
});
