import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFile } from '../../shared/process/package-root.js';
import { eventually } from '../../shared/testing/eventually.js';
import { newSpace } from '../support/fixtures.js';
import { Web } from '../support/imports/web.js';
import { importInto, openRepositories, type Repositories } from '../support/repository.js';
import { type StartedServer, startServer, whileServing } from '../support/server.js';

let server: StartedServer;
let repositories: Repositories;
let organization: string;
beforeAll(async () => {
  repositories = await openRepositories();
  // The end of what takes too long is waited for.
  server = await startServer({ env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', TIME_SCALE: '2' } });
  organization = (await server.get('/v1/orgs')).body.items[0].id;
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await repositories.close();
});

/** Asks for the health of the server until something ends. */
const whileAsked = <T>(work: () => Promise<T>): Promise<T> =>
  whileServing(server, async () => expect((await server.get('/healthz')).status).toBe(200), work);

/** Imports a repository. */
async function attacked(name: string, files: Record<string, string | Buffer>) {
  await repositories.commit(name, files);
  const space = await newSpace(server, organization);
  const operation = await whileAsked(() => importInto(server, space, { url: `${repositories.url}/${name}.git` }));
  return { space, operation };
}

const box = (type: string, ...content: Buffer[]): Buffer => {
  const head = Buffer.alloc(8);
  const bytes = Buffer.concat(content);
  head.writeUInt32BE(bytes.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, bytes]);
};
const many = (count: number, part: Buffer) => Buffer.concat(Array.from({ length: count }, () => part));
const size = 1_000_000;

/** An image of 1 pixel; its format has its dimensions in the first bytes. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const heif = (brand: string) =>
  Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\0\0mif1`)),
    box('meta', Buffer.alloc(4), box('iprp', box('ipco', many(size / 20, box('ispe', Buffer.alloc(12)))))),
  ]);
const exif = Buffer.concat([
  Buffer.from([0xff, 0xe1, 0x00, 0x20]),
  Buffer.from('Exif\0\0MM\0*\0\0\0\x08\xff\xff', 'latin1'),
  Buffer.alloc(12, 1),
]);

const images: Record<string, Buffer> = {
  'a.png': png,
  'b.heic': heif('heic'),
  'c.avif': heif('avif'),
  'd.svg': Buffer.from('<svg '.repeat(size / 5)),
  'e.svg': Buffer.from(`<svg ${'a="b" '.repeat(size / 6)}`),
  'f.jpg': Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), many(size / exif.length, exif)]),
  'g.tiff': Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), Buffer.alloc(size, 1)]),
  'h.icns': Buffer.concat([Buffer.from('icns\xff\xff\xff\xff', 'latin1'), many(size / 8, box('ic07'))]),
  'i.jxl': Buffer.concat([
    box('JXL ', Buffer.from([13, 10, 0x87, 10])),
    box('ftyp', Buffer.from('jxl \0\0\0\0jxl ')),
    many(size / 12, box('jxlp', Buffer.alloc(4))),
  ]),
  'j.jp2': Buffer.concat([box('jP  ', Buffer.alloc(4)), box('ftyp', Buffer.from('jp2 ')), many(size / 8, box('free'))]),
  'k.heic': Buffer.concat([box('ftyp', Buffer.from('heic\0\0\0\0')), Buffer.alloc(size)]),
};

it('answers while an import looks at images that were made to take long, and imports them', async () => {
  const files = Object.fromEntries(Object.entries(images).map(([name, bytes]) => [`.gitbook/assets/${name}`, bytes]));
  const { space, operation } = await attacked('images', { 'README.md': '# Images\n', ...files });
  expect(operation).toMatchObject({ state: 'success' });
  const { body } = await server.get(`/v1/spaces/${space}/content/files?limit=100`);
  expect(body.items.map(({ name }: { name: string }) => name).sort()).toEqual(Object.keys(images));
  const first = body.items.find(({ name }: { name: string }) => name === 'a.png');
  expect(first.dimensions).toEqual({ width: 1, height: 1 });
});

it('refuses a large file that is a page at 900 paths, by the name of the first that is too many', async () => {
  const summary = '* [A](a.md)\n'.repeat(160_000);
  const files = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`${i}/SUMMARY.md`, summary]));
  const { operation } = await attacked('paths', { 'README.md': '# Paths\n', ...files });
  expect(operation).toMatchObject({
    state: 'failure',
    error: expect.stringMatching(/^\d+\/SUMMARY\.md: with it, the pages have more than 200 MB/),
  });
});

it('leaves out a page that makes a document of many megabytes, and names it', async () => {
  const page = `# Large\n\n${'* a\n'.repeat(120_000)}\n`;
  const { operation } = await attacked('document', { 'README.md': '# Home\n', 'large.md': page });
  expect(operation).toMatchObject({
    state: 'success',
    problems: [{ path: 'large.md', message: expect.stringContaining('16 MB') }],
  });
});

it('answers while it reads a table of contents that is as large as may be', async () => {
  const { operation } = await attacked('contents', { 'README.md': '# Home\n', 'SUMMARY.md': '* a\n'.repeat(490_000) });
  expect(operation).toMatchObject({
    state: 'failure',
    error: expect.stringMatching(/^(The table of contents|SUMMARY\.md): /),
  });
});

describe('a website that says what it allows in patterns that take seconds an address', () => {
  const robots = `User-agent: *\n${`Disallow: /${'*a'.repeat(200)}*b\n`.repeat(1170)}`;
  const links = Array.from({ length: 50 }, (_, at) => `/${'a'.repeat(2000)}${at}`);

  it('holds up nobody, until its import is cancelled', async () => {
    const page = links.map((link) => `<a href="${link}">Link</a>`).join('');
    const web = new Web({ '/robots.txt': robots, '/': `<h1>Links</h1>${page}` });
    await web.start();
    try {
      const space = await newSpace(server, organization);
      const sent = server.post(`/v1/spaces/${space}/content/import`, { source: 'website', url: `${web.url}/` });
      const now = async () => (await server.get(`/v1/orgs/${organization}/imports`)).body.items[0];
      await whileAsked(async () => {
        await eventually('its first page', now, (item) => item?.totalResources > 0);
        for (let asked = 0; asked < 100; asked++) expect((await server.get(`/v1/spaces/${space}`)).status).toBe(200);
      });
      const { id, state } = await now();
      expect(state).toBe('in-progress');
      expect((await server.delete(`/v1/orgs/${organization}/imports/${id}`)).status).toBe(204);
      await sent;
    } finally {
      web.stop();
    }
  });

  it('is refused for the processor time that this takes', async () => {
    const { openConversionWork } = (await import(
      packageFile('dist/services/content/exchange/conversion/conversion-work.js')
    )) as typeof import('../../services/content/exchange/conversion/conversion-work.js');
    const folder = await mkdtemp(join(tmpdir(), 'bindery-robots-'));
    const file = join(folder, 'robots.txt');
    await writeFile(file, robots);
    const work = openConversionWork({ deadlineMs: 1000 });
    const urls = links.map((link) => `http://docs.example${link}`);
    await expect(work.robots({ address: 'http://docs.example/robots.txt', file, urls }, 'ada')).rejects.toMatchObject({
      type: 'UNPROCESSABLE',
      message: 'url: robots.txt needs more time to process than is allowed',
    });
    await work.close();
    await rm(folder, { recursive: true });
  });
});
