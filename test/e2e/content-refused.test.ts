import { ContentWriter, deleted, document, files, inserted, reverted, updated } from '../support/content-changes.js';
import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { RefusalClient } from '../support/refusals.js';

const client = shared();
const asking = new RefusalClient(client);
let organization: string;
let writer: ContentWriter;
let page: string;
let elsewhere: string;
let before: unknown;
const state = async () => [await writer.state(), await writer.tree(), await writer.files()];
beforeAll(async () => {
  organization = await newOrganization(client);
  writer = await ContentWriter.onNew(client, organization);
  [page] = (await writer.insert(inserted('Page'), inserted('Taken'))) as [string];
  const other = await ContentWriter.onNew(client, organization);
  [elsewhere] = (await other.insert(inserted('Elsewhere'))) as [string];
  before = await state();
});

const insertion = (more: object) => ({ changes: [inserted('X', more)] });
const update = (more: object) => ({ changes: [updated(page, more)] });
const text = (length: number) => 'x'.repeat(length);

describe('bad input names its field and changes nothing', () => {
  it.each<[string, () => unknown, number, string]>([
    ['no body', () => undefined, 400, 'body'],
    ['null', () => null, 400, 'body'],
    ['a list', () => [], 400, 'body'],
    ['a text', () => 'x', 400, 'body'],
    ['no changes', () => ({}), 400, 'changes'],
    ['changes that are none', () => ({ changes: {} }), 400, 'changes'],
    ['an empty list', () => ({ changes: [] }), 400, 'changes'],
    ['a change that is none', () => ({ changes: [null] }), 400, 'changes.0'],
    ['a change without operation', () => ({ changes: [{ page }] }), 400, 'changes.0.operation'],
    ['an unknown operation', () => ({ changes: [{ operation: 'drop' }] }), 400, 'changes.0.operation'],
    ['the operation __proto__', () => ({ changes: [{ operation: '__proto__' }] }), 400, 'changes.0.operation'],
    ['a second bad change', () => ({ changes: [inserted('X'), { operation: 1 }] }), 400, 'changes.1.operation'],
    ['a revision that is none', () => ({ ...insertion({}), revision: 1 }), 400, 'revision'],
    ['an empty revision', () => ({ ...insertion({}), revision: '' }), 400, 'revision'],
    ['an unknown revision', () => ({ ...insertion({}), revision: 'x' }), 400, 'revision'],
    ['no document', () => insertion({ document: undefined }), 400, 'changes.0.document'],
    ['a document of null', () => insertion({ document: null }), 400, 'changes.0.document'],
    ['a text for a document', () => insertion({ document: '# X' }), 400, 'changes.0.document'],
    ['an empty document', () => insertion({ document: {} }), 400, 'changes.0.document.markdown'],
    ['a markdown that is none', () => insertion({ document: { markdown: 1 } }), 400, 'changes.0.document.markdown'],
    ['an update without markdown', () => update({ document: {} }), 400, 'changes.0.document.markdown'],
    [
      'a JSON document',
      () => insertion({ document: { document: { object: 'document' } } }),
      422,
      'changes.0.document.document',
    ],
    ['a JSON document for an update', () => update({ document: { document: {} } }), 422, 'changes.0.document.document'],
    ['half a character', () => insertion(document('a \ud800 b')), 400, 'changes.0.document.markdown'],
    ['a long document', () => insertion(document(text(2_000_001))), 400, 'changes.0.document.markdown'],
    ['front matter that is no YAML', () => insertion(document('---\na: [\n---\n')), 400, 'changes.0.document'],
    ['front matter that is a list', () => update(document('---\n- a\n---\n')), 400, 'changes.0.document'],
    ['long front matter', () => insertion(document(`---\na: ${text(70_000)}\n---\n`)), 400, 'changes.0.document'],
    ['deep front matter', () => insertion(document(`---\na: ${'['.repeat(5000)}\n---\n`)), 400, 'changes.0.document'],
    ['no title', () => insertion({ title: '' }), 400, 'changes.0.title'],
    ['a title of spaces', () => update({ title: ' \n\t' }), 400, 'changes.0.title'],
    ['a long title', () => update({ title: text(256) }), 400, 'changes.0.title'],
    ['a title of null', () => update({ title: null }), 400, 'changes.0.title'],
    ['a title with a control character', () => update({ title: 'a\0b' }), 400, 'changes.0.title'],
    ['a title with half a character', () => insertion({ title: '\udc00' }), 400, 'changes.0.title'],
    ['a long slug', () => insertion({ slug: text(101) }), 400, 'changes.0.slug'],
    ['a taken slug', () => insertion({ slug: 'taken' }), 409, 'changes.0.slug'],
    ['a slug taken by an update', () => update({ slug: 'Taken' }), 409, 'changes.0.slug'],
    [
      'a slug taken in the batch',
      () => ({ changes: [inserted('X', { slug: 'a' }), inserted('Y', { slug: 'A' })] }),
      409,
      'changes.1.slug',
    ],
    ['a number for a slug', () => insertion({ slug: 1 }), 400, 'changes.0.slug'],
    ['a long emoji', () => insertion({ emoji: text(51) }), 400, 'changes.0.emoji'],
    ['a long icon', () => insertion({ icon: text(51) }), 400, 'changes.0.icon'],
    ['a long description', () => update({ description: text(2001) }), 400, 'changes.0.description'],
    ['a description with half a character', () => update({ description: '\ud83d' }), 400, 'changes.0.description'],
    ['hidden as a text', () => update({ hidden: 'true' }), 400, 'changes.0.hidden'],
    ['noIndex as a number', () => update({ noIndex: 1 }), 400, 'changes.0.noIndex'],
    ['noRobotsIndex as null', () => update({ noRobotsIndex: null }), 400, 'changes.0.noRobotsIndex'],
    ['a condition that is no expression', () => update({ condition: 'a ==' }), 400, 'changes.0.condition'],
    ['a condition that calls', () => insertion({ condition: 'process.exit()' }), 400, 'changes.0.condition'],
    [
      'a deep condition',
      () => insertion({ condition: `${'('.repeat(500)}1${')'.repeat(500)}` }),
      400,
      'changes.0.condition',
    ],
    ['a long condition', () => insertion({ condition: text(1025) }), 400, 'changes.0.condition'],
    ['a negative place', () => insertion({ at: -1 }), 400, 'changes.0.at'],
    ['a broken place', () => update({ at: 0.5 }), 400, 'changes.0.at'],
    ['an endless place', () => update({ at: 1e300 }), 400, 'changes.0.at'],
    ['a place as a text', () => update({ at: '0' }), 400, 'changes.0.at'],
    ['an unknown parent', () => insertion({ into: 'nowhere' }), 400, 'changes.0.into'],
    ['a parent of another space', () => insertion({ into: elsewhere }), 400, 'changes.0.into'],
    ['a parent of null', () => insertion({ into: null }), 400, 'changes.0.into'],
    ['an empty parent', () => update({ into: '' }), 400, 'changes.0.into'],
    ['itself as its parent', () => update({ into: page }), 400, 'changes.0.into'],
    ['the parent __proto__', () => update({ into: '__proto__' }), 400, 'changes.0.into'],
    ['an update without page', () => ({ changes: [{ operation: 'update_page', title: 'X' }] }), 400, 'changes.0.page'],
    ['a page of another space', () => ({ changes: [updated(elsewhere, { title: 'X' })] }), 400, 'changes.0.page'],
    ['deleting a page of another space', () => ({ changes: [deleted(elsewhere)] }), 400, 'changes.0.page'],
    ['deleting a page twice', () => ({ changes: [deleted(page), deleted(page)] }), 400, 'changes.1.page'],
    ['deleting nothing', () => ({ changes: [{ operation: 'delete_page' }] }), 400, 'changes.0.page'],
    ['a long id', () => ({ changes: [deleted(text(101))] }), 400, 'changes.0.page'],
    ['the page constructor', () => ({ changes: [deleted('constructor')] }), 400, 'changes.0.page'],
    ['reverting a page of another space', () => ({ changes: [reverted(elsewhere)] }), 400, 'changes.0.page'],
    [
      'reverting to an unknown revision',
      () => ({ changes: [reverted(page, { revision: 'x' })] }),
      400,
      'changes.0.revision',
    ],
    ['reverting no blocks', () => ({ changes: [reverted(page, { block: [] })] }), 400, 'changes.0.block'],
    ['reverting a block that is none', () => ({ changes: [reverted(page, { block: [1] })] }), 400, 'changes.0.block.0'],
    [
      'reverting a block of a new page',
      () => ({ changes: [reverted(page, { block: ['x'] })] }),
      400,
      'changes.0.block',
    ],
    ['an empty ref', () => insertion({ ref: '' }), 400, 'changes.0.ref'],
    ['a ref with a slash', () => insertion({ ref: 'a/b' }), 400, 'changes.0.ref'],
    ['a ref that is a folder', () => insertion({ ref: '..' }), 400, 'changes.0.ref'],
    ['a ref that ends links', () => insertion({ ref: 'a)b' }), 400, 'changes.0.ref'],
    ['a long ref', () => insertion({ ref: text(257) }), 400, 'changes.0.ref'],
    [
      'a ref twice',
      () => ({ changes: [inserted('A', { ref: 'a' }), inserted('B', { ref: 'a' })] }),
      400,
      'changes.1.ref',
    ],
    ['no files', () => ({ changes: [{ operation: 'insert_files' }] }), 400, 'changes.0.files'],
    ['files that are none', () => ({ changes: [files('a' as any)] }), 400, 'changes.0.files.0'],
    ['a file without content', () => ({ changes: [files({ name: 'a' })] }), 400, 'changes.0.files.0'],
  ])('%s', async (_, body, code, field) => {
    const { status, body: answer } = await writer.send(body(), asking);
    expect([status, answer]).toEqual([
      code,
      { error: { code, message: expect.stringContaining(field), reason: expect.any(String) } },
    ]);
    if (asking.hasSent()) expect(await state()).toEqual(before);
  });

  it.each([
    ['text that is no JSON', '{"changes": [', 400],
    ['text that is no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400],
    ['many values', `{"changes": [${'0,'.repeat(20_000)}0]}`, 400],
    ['deep values', `{"changes": ${'['.repeat(2000)}${']'.repeat(2000)}}`, 400],
  ])('%s', async (_, raw, code) => {
    const headers = { 'content-type': 'application/json' };
    const { status, body } = await client.post(`${writer.path}/content`, undefined, { raw: raw as any, headers });
    expect([status, body]).toEqual([
      code,
      { error: { code, message: expect.any(String), reason: expect.any(String) } },
    ]);
    expect(await state()).toEqual(before);
  });

  it('a query that is none', async () => {
    const { status } = await client.post(`${writer.path}/content?compat=maybe`, { changes: [inserted('X')] });
    expect([status, await state()]).toEqual([400, before]);
  });
});

describe('who may write', () => {
  it.each([
    ['admin', 200],
    ['create', 200],
    ['edit', 200],
    ['review', 200],
    ['comment', 403],
    ['read', 403],
  ])('%s: %i', async (role, expected) => {
    const own = await ContentWriter.onNew(client, organization);
    const live = await newSpace(client, organization, { editMode: 'live' });
    const user = await newUser(client, { organization, role });
    const changes = [inserted('X')];
    expect((await own.send({ changes }, user.client)).status).toBe(expected);
    expect((await user.client.post(`/v1/spaces/${live}/content`, { changes })).status).toBe(expected);
    expect(await own.pages()).toHaveLength(expected === 200 ? 1 : 0);
    expect((await client.get(`/v1/spaces/${live}/content/pages`)).body.pages).toHaveLength(expected === 200 ? 1 : 0);
  });

  it('nobody else, and nobody in a space or a change request that is not theirs to see', async () => {
    const stranger = await newUser(client);
    const changes = [inserted('X')];
    const statusOf = async (path: string, by = client) => (await by.post(path, { changes })).status;
    expect((await client.post(`${writer.path}/content`, { changes }, { token: null })).status).toBe(401);
    expect(await statusOf(`${writer.path}/content`, stranger.client)).toBe(404);
    expect(await statusOf(`/v1/spaces/${writer.space}/content`, stranger.client)).toBe(404);
    const other = await newSpace(client, organization);
    for (const path of [
      `/v1/spaces/${other}/change-requests/${writer.id}/content`,
      `/v1/spaces/${writer.space}/change-requests/nowhere/content`,
      `/v1/spaces/${writer.space}/change-requests/99/content`,
      '/v1/spaces/nowhere/content',
    ])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    expect(await state()).toEqual(before);
  });

  it('nobody in a change request that is archived or merged, nor in a space in the trash', async () => {
    const own = await ContentWriter.onNew(client, organization);
    await own.apply(inserted('A'));
    await client.patch(own.path, { status: 'archived' });
    expect(await own.refused(inserted('X'))).toEqual([400, expect.stringContaining('archived')]);
    await client.patch(own.path, { status: 'open' });
    expect(
      (await client.post(`/v1/spaces/${own.space}/change-requests/1/content`, { changes: [inserted('B')] })).status,
    ).toBe(200);
    expect((await client.post(`${own.path}/merge`)).body).toMatchObject({ result: 'merge' });
    expect(await own.refused(inserted('X'))).toEqual([400, expect.stringContaining('merged')]);
    expect(await own.pages()).toHaveLength(2);
    const next = await ContentWriter.on(client, own.space);
    await client.delete(`/v1/spaces/${own.space}`);
    expect((await next.refused(inserted('X')))[0]).toBe(404);
  });
});
