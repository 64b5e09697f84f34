import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { blobUses } from '../../services/content/core/storage/model.js';
import { uploads } from '../../services/content/core/storage/uploads/model.js';
import { eventually } from '../../shared/testing/eventually.js';
import { timestamp } from '../../shared/values/ids.js';
import { newOrganization, newUser, shared, withStore } from '../support/fixtures.js';
import { shownSite } from '../support/shown-sites.js';
import { newSite } from '../support/site.js';
import { putUpload, uploadedFont, webFont } from '../support/uploads.js';
import { visit } from '../support/visitors.js';

const admin = shared();
let organization: string;
beforeAll(async () => {
  organization = await newOrganization(admin);
});

const fonts = (of = organization) => `/v1/orgs/${of}/fonts`;
const font = (text = 'glyphs') => uploadedFont(admin, organization, webFont('woff2', text));
/** The status of the answer to a body that never ends. `fetch` would go on to read such a body after the answer. */
const statusOfEndless = async (url: string, type: string) => {
  const request = httpRequest(url, { method: 'PUT', headers: { 'content-type': type } });
  const ended = pipeline(Readable.from(endless()), request).catch(() => undefined);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  request.destroy();
  await ended;
  return answer.statusCode;
};
function* endless() {
  for (;;) yield Buffer.alloc(65_536);
}
const used = async (id: string) =>
  withStore(
    [blobUses],
    async (store) => (await store.page(blobUses, { filter: { space: id }, sort: {}, limit: 9 })).items.length,
  );

describe('an upload', () => {
  const bytes = webFont('woff2');
  const file = { name: 'Acme.woff2', type: 'font/woff2', size: bytes.length };
  const urlFor = async (fields = {}) => {
    const path = `/v1/orgs/${organization}/storage/upload`;
    const { body } = await admin.post(path, { file: { ...file, ...fields }, kind: 'customization_font' });
    return body.url as string;
  };
  const put = async (url: string, content = bytes, type = file.type) => {
    const answer = await putUpload(url, content, type);
    return [answer.status, answer.status < 300 ? '' : (((await answer.json()) as any).error.message as string)];
  };

  it('takes the announced bytes, once', async () => {
    const url = await urlFor();
    expect(await put(url)).toEqual([204, '']);
    expect(await put(url)).toEqual([409, expect.stringContaining('used')]);
  });

  it('takes nothing else, and what was announced all the same', async () => {
    const url = await urlFor();
    expect(await put(url, Buffer.concat([bytes, bytes]))).toEqual([413, expect.stringContaining('larger')]);
    expect(await put(url, bytes.subarray(1))).toEqual([400, expect.stringContaining('body: ')]);
    expect(await put(url, bytes, 'text/html')).toEqual([415, expect.stringContaining('font/woff2')]);
    expect(await put(url, Buffer.alloc(bytes.length))).toEqual([400, expect.stringContaining('must be a font')]);
    expect(await statusOfEndless(url, file.type)).toBe(413);
    expect((await fetch(url)).status).toBe(405);
    expect(await put(`${url}x`)).toEqual([404, 'Upload not found']);
    expect(await put(url)).toEqual([204, '']);
  });

  it.each<[string, object, string]>([
    ['too large', { file: { ...file, size: 10_000_001 } }, 'file.size: '],
    ['empty', { file: { ...file, size: 0 } }, 'file.size: '],
    ['of no media type', { file: { ...file, type: 'font' } }, 'file.type: '],
    ['with a path', { file: { ...file, name: '../a' } }, 'file.name: '],
    ['of another kind', { kind: 'organization_file' }, 'kind: '],
  ])('is refused where the file is %s', async (_, wrong, message) => {
    const body = { file, kind: 'customization_font', ...wrong };
    const answer = await admin.post(`/v1/orgs/${organization}/storage/upload`, body);
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('a font', () => {
  it('is made of uploads, listed, changed and deleted, and its files are counted as long as it has them', async () => {
    const [regular, woff, bold] = [
      await font(),
      await uploadedFont(admin, organization, webFont('woff')),
      await font('bold'),
    ];
    const before = (await admin.get(`/v1/orgs/${organization}/storage`)).body.used;
    const { status, body: made } = await admin.put(fonts(), {
      fontFamily: 'Acme Sans',
      fontFaces: [
        { weight: 700, storageKey: bold },
        { weight: 400, storageKey: woff },
        { weight: 400, storageKey: regular },
      ],
    });
    expect([status, made]).toMatchObject([
      201,
      {
        custom: true,
        fontFamily: 'Acme Sans',
        fontFaces: [
          { weight: 400, sources: [{ format: 'woff2' }, { format: 'woff' }] },
          { weight: 700, sources: [{ format: 'woff2' }] },
        ],
        permissions: { edit: true },
      },
    ]);
    expect(await used(made.id)).toBe(3);
    expect((await admin.get(`/v1/orgs/${organization}/storage`)).body.used).toBeGreaterThan(before);
    const [{ url }] = made.fontFaces[0].sources;
    const answer = await fetch(url, { headers: { origin: 'https://docs.acme.example' } });
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(webFont('woff2'));
    expect(answer.headers.get('content-type')).toBe('font/woff2');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('cache-control')).toContain('immutable');

    const reader = await newUser(admin, { organization, role: 'read' });
    expect((await reader.client.get(fonts())).body).toEqual({
      count: 1,
      items: [{ ...made, permissions: { edit: false } }],
    });
    const change = {
      fontFamily: 'Acme',
      fontFaces: [
        { weight: 700, storageKey: null },
        { weight: 400, storageKey: bold },
      ],
    };
    const changed = await admin.post(`${fonts()}/${made.id}`, change);
    expect([changed.status, changed.body]).toMatchObject([
      201,
      { fontFamily: 'Acme', fontFaces: [{ weight: 400, sources: [{ format: 'woff2' }] }] },
    ]);
    expect((await admin.get(`${fonts()}/${made.id}`)).body).toEqual(changed.body);
    expect(await used(made.id)).toBe(1);
    expect((await admin.post(`${fonts()}/${made.id}`, { fontFaces: [{ weight: 400, storageKey: null }] })).status).toBe(
      400,
    );

    expect((await admin.delete(`${fonts()}/${made.id}`)).status).toBe(205);
    expect([(await admin.get(`${fonts()}/${made.id}`)).status, await used(made.id)]).toEqual([404, 0]);
    expect((await admin.get(`/v1/orgs/${organization}/storage`)).body.used).toBe(before);
  });

  it('is made of nothing but fonts that the organization uploaded within a day', async () => {
    const elsewhere = await newOrganization(admin);
    const key = await font();
    const make = (of: string, storageKey: string, weight = 400) =>
      admin.put(fonts(of), { fontFamily: 'Acme', fontFaces: [{ weight, storageKey }] });
    for (const [of, given] of [
      [elsewhere, key],
      [organization, 'customization_font/01HZZZZZZZZZZZZZZZZZZZZZZZ'],
      [organization, '../../etc/passwd'],
    ] as const) {
      const { status, body } = await make(of, given);
      expect([status, body.error.reason]).toEqual([412, 'not_uploaded']);
    }
    expect((await make(organization, key, 700)).status).toBe(400);
    const dayAgo = timestamp(new Date(Date.now() - 25 * 3_600_000));
    const [, id = ''] = key.split('/');
    await withStore([uploads], (store) => store.update(uploads, { _id: id }, { $set: { createdAt: dayAgo } }));
    expect((await make(organization, key)).status).toBe(412);
    const made = (await make(organization, await font())).body;
    expect((await admin.get(`${fonts(elsewhere)}/${made.id}`)).status).toBe(404);
    expect((await admin.delete(`${fonts(elsewhere)}/${made.id}`)).status).toBe(404);
  });

  it('is the font of a site that names it, as it is now, and the default one once it is gone', async () => {
    const site = await shownSite(admin, { Home: 'Welcome.\n' });
    const { organization: of } = site;
    const key = await uploadedFont(admin, of, webFont('woff2'));
    const { body: made } = await admin.put(fonts(of), {
      fontFamily: 'Acme Sans',
      fontFaces: [{ weight: 400, storageKey: key }],
    });
    const path = site.site.at('/customization');
    const { body: look } = await admin.get(path);
    const withFont = { ...look, styling: { ...look.styling, font: made } };
    expect((await admin.put(path, withFont)).status).toBe(200);
    const themeOf = async () => {
      const { body, headers } = await visit(admin, site.start);
      const [, sheet = ''] = /href="([^"]*~theme[^"]*)"/.exec(body) ?? [];
      const css = (await visit(admin, new URL(sheet, site.start).href)).body;
      return { css, policy: headers['content-security-policy'] };
    };
    const [{ url }] = made.fontFaces[0].sources;
    const { css, policy } = await themeOf();
    expect(css).toContain(`@font-face{font-family:"Acme Sans";font-weight:400;font-display:swap;src:url("${url}")`);
    expect(policy).toContain(`font-src 'self' ${new URL(url).origin}`);
    await admin.post(`${fonts(of)}/${made.id}`, { fontFamily: 'Acme Serif' });
    await eventually('the new name', themeOf, ({ css }) => css.includes('"Acme Serif"'));
    expect((await admin.get(path)).body.styling.font.fontFamily).toBe('Acme Serif');

    const other = await newSite(organization);
    const refused = await other.send('PUT', '/customization', withFont);
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('styling.font.id: ')]);
    await admin.delete(`${fonts(of)}/${made.id}`);
    await eventually('the default font', themeOf, ({ css }) => !css.includes('Acme'));
    expect((await admin.get(path)).body.styling.font).toBe('Inter');
  });
});
