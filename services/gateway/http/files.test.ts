import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolderBlobs } from '../../../shared/blobs/folder.js';
import { blobLinks } from '../../../shared/blobs/links.js';
import { Deliveries } from '../../../shared/http/deliveries.js';
import { createSecrets } from '../../../shared/secrets/secrets.js';
import { sendFile } from './files.js';
import { commonHeaders, type Exchange, sendFailure } from './reply.js';

const links = blobLinks(createSecrets([Buffer.alloc(32, 7).toString('base64')]));
const content = Buffer.from('0123456789');
let folder: string;
let server: Server;
let origin: string;
let id: string;
let empty: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-files-'));
  const blobs = await openFolderBlobs(folder);
  id = (await blobs.put(content)).id;
  empty = (await blobs.put(Buffer.alloc(0))).id;
  server = createServer((request, response) => {
    const exchange: Exchange = {
      request,
      response,
      requestId: 'r1',
      headers: commonHeaders('r1'),
      path: '/',
      operation: 'file',
      deliveries: new Deliveries(),
      isLast: () => false,
    };
    const { pathname, searchParams } = new URL(String(request.url), 'http://localhost');
    sendFile(exchange, pathname, searchParams, links, blobs).catch((error) => sendFailure(exchange, error));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await rm(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(origin + path, { headers, method });
const linkTo = (name: string, blob = id) => links.signedPathOf({ id: blob, name });

describe('a file', () => {
  it('is sent whole, immutable, with its type and a policy that runs nothing in it', async () => {
    const response = await get(linkTo('logo.svg'));
    expect([response.status, await response.text()]).toEqual([200, '0123456789']);
    const { headers } = response;
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toContain('immutable');
  });

  it.each([
    [undefined, 200, '6789', null],
    ['bytes=1-2', 206, '78', 'bytes 1-2/4'],
    ['bytes=-1', 206, '9', 'bytes 3-3/4'],
  ])('begins after the bytes that its link skips (%s)', async (range, status, text, contentRange) => {
    const response = await get(links.signedPathOf({ id, name: 'a.png', skip: 6 }), range ? { range } : {});
    expect([response.status, await response.text(), response.headers.get('content-range')]).toEqual([
      status,
      text,
      contentRange,
    ]);
    expect((await get(linkTo('a.png').concat('&skip=6'))).status).toBe(404);
  });

  it.each([
    ['ä ö.png', "inline; filename*=UTF-8''%C3%A4%20%C3%B6.png"],
    ["it's (1)*.png", "inline; filename*=UTF-8''it%27s%20%281%29%2a.png"],
    ['a"\r\nX: 1.png', "inline; filename*=UTF-8''a%22%0D%0AX%3A%201.png"],
  ])('keeps its name %j', async (name, disposition) => {
    const { status, headers } = await get(linkTo(name));
    expect([status, headers.get('content-disposition')]).toEqual([200, disposition]);
  });

  it.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=9-9', 206, '9', 'bytes 9-9/10'],
    [`bytes=5-${'9'.repeat(400)}`, 206, '56789', 'bytes 5-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    [`bytes=${'9'.repeat(400)}-`, 416, '', 'bytes */10'],
    ['bytes=5-2', 200, '0123456789', null],
    ['bytes=-', 200, '0123456789', null],
    ['bytes=0-1,3-4', 200, '0123456789', null],
    ['lines=0-1', 200, '0123456789', null],
  ])('in part, %s, is %i', async (range, status, text, contentRange) => {
    const response = await get(linkTo('a.txt'), { range });
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect(response.headers.get('content-range')).toBe(contentRange);
    expect(response.headers.get('content-length')).toBe(String(text.length));
    if (status === 416) expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('may be empty', async () => {
    const response = await get(linkTo('a.txt', empty));
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect((await get(linkTo('a.txt', empty), { range: 'bytes=0-' })).status).toBe(416);
  });

  it('answers HEAD and a known version without its content', async () => {
    const head = await get(linkTo('a.txt'), {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
    for (const tags of [String(head.headers.get('etag')), '"other", *', '*']) {
      const known = await get(linkTo('a.txt'), { 'if-none-match': tags });
      expect([tags, known.status, await known.text()]).toEqual([tags, 304, '']);
    }
    expect((await get(linkTo('a.txt'), { 'if-none-match': '"other"' })).status).toBe(200);
  });
});

describe('a link', () => {
  it.each<[string, () => string]>([
    ['without a signature', () => linkTo('a.txt').replace(/\?.*/, '')],
    ['with another signature', () => linkTo('a.txt').replace(/=.{4}/, '=AAAA')],
    ['with a longer signature', () => `${linkTo('a.txt')}A`],
    ['with the signature of another name', () => linkTo('a.txt').replace('a.txt', 'a.html')],
    ['with the signature of another file', () => linkTo('a.txt').replace(id, empty)],
    ['to a missing file', () => linkTo('a.txt', 'f'.repeat(64))],
    ['that is not encoded', () => linkTo('a.txt').replace('a.txt', '%E0%A4%A')],
    ['out of the folder', () => `/~files/..%2f..%2fetc/passwd?signature=x`],
    ['without a name', () => `/~files/${id}/?signature=x`],
  ])('%s is 404 in the error shape', async (_, link) => {
    const response = await get(link());
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: { code: 404, message: 'File not found', reason: 'not_found' } },
    ]);
  });
});
