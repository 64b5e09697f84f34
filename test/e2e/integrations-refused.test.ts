import { newOrganization, shared } from '../support/fixtures.js';
import { at, freeName, manifestOf, pixel, published } from '../support/integrations.js';
import { RefusalClient } from '../support/refusals.js';
import type { Answer } from '../support/server.js';

const admin = shared();
const asking = new RefusalClient(admin);
let organization: string;
let name: string;
let before: unknown;
const state = async () => [
  (await admin.get(at(name))).body,
  (await admin.get(`/v1/integrations?owner=${organization}`)).body,
  (await admin.get(`/v1/orgs/${organization}/audit-events?limit=0`)).body.count,
];
beforeAll(async () => {
  organization = await newOrganization(admin);
  name = await published(admin, organization);
  before = await state();
});
afterEach(async () => {
  if (asking.hasSent()) expect(await state()).toEqual(before);
});

/** A refusal in the one shape, that names the field. */
function expectRefused({ status, body }: Answer<any>, field: string, expected = 400): void {
  expect([status, body]).toEqual([
    expected,
    { error: { code: expected, message: expect.stringContaining(field), reason: expect.any(String) } },
  ]);
}

const block = { id: 'a', title: 'Block' };
const source = { id: 'a', title: 'Source', configuration: { componentId: 'pick' } };
const account = (schema: unknown) => ({ configurations: { account: schema } });
const properties = (property: unknown) => account({ properties: { key: property } });
const many = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]));
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
/** A PNG that says to be so wide. */
const wide = (pixels: number) => {
  const image = Buffer.from(pixel.png, 'base64');
  image.writeUInt32BE(pixels, 16);
  return base64(image);
};

const manifests: [field: string, changes: Record<string, unknown>][] = [
  ['title', { title: undefined }],
  ['title', { title: 'x' }],
  ['title', { title: 'x'.repeat(31) }],
  ['description', { description: undefined }],
  ['description', { description: 'x'.repeat(101) }],
  ['summary', { summary: 'x'.repeat(2049) }],
  ['script', { script: '' }],
  ['script', { script: { toString: 'x' } }],
  ['organization', { organization: '' }],
  ['runtime', { runtime: 'v3' }],
  ['visibility', { visibility: 'secret' }],
  ['target', { target: 'page' }],
  ['scopes.0', { scopes: ['space:everything'] }],
  ['scopes', { scopes: 'space:content:read' }],
  ['categories.1', { categories: ['other', 'none'] }],
  ['icon', { icon: '' }],
  ['icon', { icon: 'no base64' }],
  ['icon', { icon: `data:image/png;base64,${pixel.png}` }],
  ['icon', { icon: base64('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>') }],
  ['icon', { icon: base64('\x89PNG\r\n\x1a\n') }],
  ['icon', { icon: base64(Buffer.from('ffd8ff'.padEnd(2000, 'ff'), 'hex')) }],
  ['icon', { icon: wide(0) }],
  ['icon', { icon: wide(9000) }],
  ['icon', { icon: base64(Buffer.alloc(250_010, pixel.png, 'base64')) }],
  ['previewImages.1', { previewImages: [pixel.png, base64('GIF')] }],
  ['previewImages', { previewImages: [pixel.png, pixel.png, pixel.png, pixel.png] }],
  ['blocks.0.id', { blocks: [{ title: 'Block' }] }],
  ['blocks.0.title', { blocks: [{ id: 'a', title: 'B' }] }],
  ['blocks.2.id', { blocks: [block, { ...block, id: 'b' }, block] }],
  ['blocks.0.markdown.codeblock', { blocks: [{ ...block, markdown: { codeblock: '', body: 'b' } }] }],
  ['blocks.0.urlUnfurl.0', { blocks: [{ ...block, urlUnfurl: [7] }] }],
  ['blocks', { blocks: Array.from({ length: 101 }, (_, id) => ({ ...block, id: `${id}` })) }],
  [
    'blocks',
    {
      blocks: Array.from({ length: 11 }, (_, id) => ({
        ...block,
        id: `${id}`,
        urlUnfurl: Array(100).fill('https://a.b/'),
      })),
    },
  ],
  ['blocks', { blocks: ['a', 'b', 'c'].map((id) => ({ ...block, id, icon: 'x'.repeat(350_000) })) }],
  ['contentSources.1.id', { contentSources: [source, source] }],
  ['contentSources.0.configuration', { contentSources: [{ ...source, configuration: undefined }] }],
  ['externalLinks.0.url', { externalLinks: [{ url: 'javascript:alert(1)', label: 'Docs' }] }],
  ['externalLinks', { externalLinks: Array(6).fill({ url: 'https://example.com', label: 'Docs' }) }],
  ['configurations.account', account({})],
  ['configurations.account', account({ properties: many(101, { type: 'number' }) })],
  ['configurations.account.required.1', account({ properties: { a: { type: 'number' } }, required: ['a', 'b'] })],
  ['configurations.account.required.0', account({ properties: {}, required: ['constructor'] })],
  ['properties.key', properties({ type: 'object' })],
  ['properties.key', properties({ type: 'number', default: '7' })],
  ['properties.key', properties({ type: 'button', callback_url: '/oauth' })],
  ['properties.key', properties({ type: 'string', title: 'x'.repeat(31) })],
  ['configurations.account.properties.key.default', properties({ type: 'string', enum: ['a'], default: 'b' })],
  ['configurations.account.properties', account({ properties: { 'a.b': { type: 'number' } } })],
  ['configurations.account.properties', account({ properties: { $where: { type: 'number' } } })],
  ['configurations.account.properties', account({ properties: { 'a\0': { type: 'number' } } })],
  ['configurations.site', { configurations: { site: { componentId: '' } } }],
  ['secrets', { secrets: many(101, 'x') }],
  ['secrets.KEY', { secrets: { KEY: 7 } }],
  ['secrets.KEY', { secrets: { KEY: 'x'.repeat(20_001) } }],
  ['contentSecurityPolicy', { contentSecurityPolicy: 'default-src ä' }],
  ['contentSecurityPolicy.img-src', { contentSecurityPolicy: { 'img-src': "https:; script-src 'unsafe-inline'" } }],
  ['contentSecurityPolicy.img-src', { contentSecurityPolicy: { 'img-src': "https:, script-src 'unsafe-inline'" } }],
  ['contentSecurityPolicy', { contentSecurityPolicy: { 'img-src https:; script-src': "'self'" } }],
];

it.each(manifests)('a manifest is refused that names %s: %j', async (field, changes) => {
  const manifest = manifestOf(organization, { title: 'Changed', ...changes });
  for (const each of [name, freeName()]) expectRefused(await asking.post(at(each), manifest), field);
});

it.each(['a b', 'ä', '..', '.', 'a%2Fb', 'x'.repeat(101), 'a%00'])('the name %j is refused', async (wrong) => {
  const { status, body } = await asking.post(
    at(wrong.includes('%') ? wrong : encodeURIComponent(wrong).replace(/^\.+$/, (dots) => dots.replaceAll('.', '%2e'))),
    manifestOf(organization),
  );
  expect([status < 500 && status >= 400, body.error.code]).toEqual([true, status]);
});

// Needs the runtime.
it('a script that does not start is refused', async () => {
  const other = await newOrganization(admin);
  for (const script of ['export default {', 'throw new Error("no")']) {
    const unpublished = freeName();
    expectRefused(await asking.post(at(unpublished), manifestOf(other, { script })), 'script: does not start');
    expect((await admin.get(at(unpublished))).status).toBe(404);
  }
});

it('a body that is too large is refused', async () => {
  const manifest = manifestOf(organization, { script: `//${'x'.repeat(9_000_000)}` });
  expectRefused(await asking.post(at(name), manifest), '', 413);
  expectRefused(await asking.post(at(name), manifestOf(organization, { script: 'x'.repeat(6_000_001) })), 'script');
});

const queries: [field: string, query: string][] = [
  ['limit', 'limit=1001'],
  ['limit', 'limit=all'],
  ['page', 'page=nonsense'],
  ['page', `page=${Buffer.from('[7]').toString('base64url')}`],
  ['search', `search=${'x'.repeat(101)}`],
  ['category', 'category=none'],
  ['blockDomain', 'blockDomain=a/b'],
  ['blockDomain', 'blockDomain='],
  ['blocks', 'blocks=maybe'],
  ['contentSources', 'contentSources=some'],
  ['owner', `owner=${'x'.repeat(101)}`],
  ['scope', 'scope=all'],
  ['target', 'target=page'],
];

it.each(queries)('a list is refused that names %s: %s', async (field, query) => {
  expectRefused(await asking.get(`/v1/integrations?${query}`), field);
});

const tunnels: [field: string, body: Record<string, unknown>][] = [
  ['tunnelUrl', {}],
  ['tunnelUrl', { tunnelUrl: '' }],
  ['tunnelUrl', { tunnelUrl: 'tunnel' }],
  ['tunnelUrl', { tunnelUrl: 'ftp://example.com' }],
  ['tunnelUrl', { tunnelUrl: 'javascript:alert(1)' }],
  ['tunnelUrl', { tunnelUrl: 'http://10.0.0.1/' }],
  ['tunnelUrl', { tunnelUrl: 'http://169.254.169.254/latest' }],
  ['tunnelUrl', { tunnelUrl: 'http://[::ffff:10.0.0.1]/' }],
  ['tunnelUrl', { tunnelUrl: 'https://me:word@example.com/' }],
  ['tunnelUrl', { tunnelUrl: 'https://example.com/ a' }],
  ['tunnelUrl', { tunnelUrl: `https://example.com/${'x'.repeat(256)}` }],
  ['all', { tunnelUrl: 'https://example.com', all: 'yes' }],
];

it.each(tunnels)('a development mode is refused that names %s: %j', async (field, body) => {
  expectRefused(await asking.put(`${at(name)}/dev`, body), field);
});

it.each(['get', 'delete'] as const)('%s of an unknown integration is 404', async (method) => {
  for (const unknown of [freeName(), '__proto__', 'constructor', 'x'.repeat(500)])
    expectRefused(await asking[method](at(unknown)), 'Integration not found', 404);
  expectRefused(await asking.put(`${at(freeName())}/dev`, { tunnelUrl: 'https://example.com' }), 'Integration', 404);
});
