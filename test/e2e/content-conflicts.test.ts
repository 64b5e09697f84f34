import { eventually } from '../../shared/testing/eventually.js';
import { newId } from '../../shared/values/ids.js';
import {
  base64,
  ContentWriter,
  deleted,
  document,
  files,
  inserted,
  reverted,
  updated,
} from '../support/content-changes.js';
import { newOrganization, newSpace, newUsers, shared, walk } from '../support/fixtures.js';

const client = shared();
let organization: string;
let writer: ContentWriter;
beforeAll(async () => {
  organization = await newOrganization(client);
});
beforeEach(async () => {
  writer = await ContentWriter.onNew(client, organization);
});

describe('a batch', () => {
  it('with one bad change does nothing at all, whichever it is', async () => {
    const [page] = (await writer.insert(
      inserted('Page'),
      files({ name: 'a', base64: 'AAAA', contentType: 'a/b' }),
    )) as [string];
    const before = { state: await writer.state(), pages: await writer.tree(), files: await writer.files() };
    const good = [
      inserted('More', { ref: 'more' }),
      updated(page, { title: 'Other', ...document('Other.\n') }),
      files({ name: 'b', base64: base64('more'), contentType: 'a/b' }),
      deleted(page),
    ];
    for (let at = 0; at <= good.length; at++) {
      const changes = [...good.slice(0, at), deleted('nowhere'), ...good.slice(at)];
      expect(await writer.refused(...changes)).toEqual([400, `changes.${at}.page: there is no page nowhere`]);
    }
    expect({ state: await writer.state(), pages: await writer.tree(), files: await writer.files() }).toEqual(before);
    expect((await client.get(`${writer.path}/contributors`)).body.items).toMatchObject([{ count: 1 }]);
    await writer.apply(...good);
    expect(await writer.outline()).toEqual([['More', 'more']]);
  });

  it('has 1 to 50 changes', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => inserted(`${at}`));
    for (const count of [0, 51]) expect((await writer.refused(...many(count)))[0]).toBe(400);
    await writer.apply(...many(50));
    expect(await writer.pages()).toHaveLength(50);
  });
});

describe('a writer that names the revision it saw', () => {
  let a: string;
  let b: string;
  let below: string;
  let revision: string;
  beforeEach(async () => {
    [a, b] = (await writer.insert(inserted('A'), inserted('B'))) as [string, string];
    [below] = (await writer.insert(inserted('Below', { into: a }))) as [string];
    revision = await writer.revision();
  });
  const send = async (...changes: unknown[]) => {
    const { status, body } = await writer.send({ changes, revision });
    return [status, body.error?.message];
  };
  const changed = (title: string, id: string) => [
    409,
    `revision: the page "${title}" (${id}) has changed since; read it again`,
  ];

  it('is told of the page that changed since, and nothing is written', async () => {
    await writer.apply(updated(a, document('Newer.\n')));
    const before = await writer.state();
    expect(await send(updated(b, { title: 'X' }), updated(a, { title: 'Y' }))).toEqual(changed('A', a));
    expect(await send(deleted(a))).toEqual(changed('A', a));
    expect(await send(reverted(a))).toEqual(changed('A', a));
    expect(await writer.state()).toEqual(before);
    expect((await send(updated(b, { title: 'X' }), inserted('New', { into: a })))[0]).toBe(200);
    expect((await send(updated(b, { title: 'Y' })))[0]).toBe(409);
  });

  it.each<[string, () => unknown, () => unknown, () => [string, string]]>([
    ['was renamed', () => updated(a, { title: 'Z' }), () => updated(a, { icon: 'x' }), () => ['Z', a]],
    ['was moved', () => updated(a, { into: b }), () => updated(a, { icon: 'x' }), () => ['A', a]],
    ['was moved in its place', () => updated(a, { at: 1 }), () => updated(a, { at: 0 }), () => ['A', a]],
    ['was deleted', () => deleted(a), () => updated(a, { icon: 'x' }), () => ['A', a]],
    ['is to hold another, but was deleted', () => deleted(a), () => inserted('X', { into: a }), () => ['A', a]],
    ['is to be moved below a deleted one', () => deleted(a), () => updated(b, { into: a }), () => ['A', a]],
    [
      'got a page below',
      () => inserted('N', { into: a, ref: 'n' }),
      () => deleted(a),
      () => ['N', expect.any(String) as any],
    ],
    ['lies below a deleted one', () => updated(below, { icon: 'x' }), () => deleted(a), () => ['Below', below]],
  ])('and that %s', async (_, first, second, expected) => {
    await writer.apply(first());
    const [title, id] = expected();
    const [status, message] = await send(second());
    expect([status, message]).toEqual([409, expect.stringContaining(`revision: the page "${title}" (`)]);
    if (typeof id === 'string') expect([status, message]).toEqual(changed(title, id));
  });

  it('may write when only other pages changed, or when the page is as it was again', async () => {
    await writer.apply(updated(b, document('Newer.\n')), inserted('C'), updated(below, { title: 'Z' }));
    await writer.apply(updated(a, { title: 'Z' }));
    await writer.apply(updated(a, { title: 'A' }));
    await writer.apply(reverted(a, { revision }));
    expect((await send(updated(a, { icon: 'bolt', slug: 'x' }), inserted('D', { into: a })))[0]).toBe(200);
  });

  it('must name a revision of the space', async () => {
    const { revision: elsewhere } = (await client.get(`/v1/spaces/${await newSpace(client, organization)}`)).body;
    for (const unknown of ['nowhere', elsewhere])
      expect((await writer.send({ changes: [deleted(a)], revision: unknown })).body.error).toEqual({
        code: 400,
        message: 'revision: there is no such revision of this space',
        reason: 'invalid_request',
      });
    expect(await writer.pages()).toHaveLength(3);
    expect((await writer.send({ changes: [deleted(a)], revision: newId() })).body.error).toEqual({
      code: 409,
      message: 'revision: it is no longer kept; read the content again',
      reason: 'revision_outdated',
    });
  });
});

describe('writers at once', () => {
  it('of different pages all land, 32 of them, and each is counted', async () => {
    const users = await newUsers(client, 8, { organization, role: 'edit' });
    const pages = await writer.insert(...Array.from({ length: 32 }, (_, each) => inserted(`P${each}`)));
    const answers = await Promise.all(
      pages.map((page, each) => {
        const { client: own } = users[each % users.length] as (typeof users)[number];
        return writer.send({ changes: [updated(page, document(`Text ${each}.\n`)), inserted(`N${each}`)] }, own);
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(pages.map(() => 200));
    for (const [each, page] of pages.entries()) expect(await writer.source(page)).toBe(`Text ${each}.\n`);
    expect(await writer.pages()).toHaveLength(64);
    expect(new Set(answers.map(({ body }) => body.changeRequest.revision)).size).toBe(32);
    const contributors = await walk(client, `${writer.path}/contributors`, 3);
    const counts = new Map(contributors.map(({ user, count }) => [user.id, count]));
    const me = (await client.get('/v1/user')).body.id;
    expect(counts).toEqual(new Map([[me, 1], ...users.map(({ id }) => [id, 4] as const)]));
    const { items } = (
      await client.get(`/v1/spaces/${writer.space}/change-requests?status=draft&contributor=${users[0]?.id}`)
    ).body;
    expect(items).toHaveLength(1);
  });

  it('of the same page without a revision write one after the other; with one, the first of them wins', async () => {
    const [page] = (await writer.insert(inserted('Page'))) as [string];
    const texts = Array.from({ length: 8 }, (_, each) => `Text ${each}.\n`);
    const free = await Promise.all(texts.map((text) => writer.send({ changes: [updated(page, document(text))] })));
    expect(free.map(({ status }) => status)).toEqual(texts.map(() => 200));
    expect(texts).toContain(await writer.source(page));
    const revision = await writer.revision();
    const bound = await Promise.all(
      texts.map((text) => writer.send({ changes: [updated(page, document(`Bound ${text}`))], revision })),
    );
    expect(bound.map(({ status }) => status).sort()).toEqual([200, ...texts.slice(1).map(() => 409)]);
    const winner = bound.findIndex(({ status }) => status === 200);
    expect(await writer.source(page)).toBe(`Bound ${texts[winner]}`);
  });

  it('of equal pages and files in different change requests do not disturb each other', async () => {
    const writers = await Promise.all(Array.from({ length: 12 }, () => ContentWriter.on(client, writer.space)));
    const same = [inserted('Same'), files({ name: 'a', base64: base64('same'), contentType: 'a/b' })];
    const answers = await Promise.all(writers.map((each) => each.send({ changes: same })));
    expect(answers.map(({ status }) => status)).toEqual(writers.map(() => 200));
    for (const each of writers) expect(await each.pages()).toHaveLength(1);
  });
});

describe('a live space', () => {
  it('takes changes at once, finds the new text, and tells the new revision', async () => {
    const space = await newSpace(client, organization, { editMode: 'live' });
    const path = `/v1/spaces/${space}/content`;
    const before = (await client.get(`/v1/spaces/${space}`)).body.revision;
    const { status, body } = await client.post(path, {
      changes: [inserted('Live', { ...document('Quokkas [here](./live).\n'), ref: 'live' })],
    });
    expect([status, body]).toMatchObject([200, { object: 'revision', type: 'edits', parents: [before] }]);
    expect(body).toEqual((await client.get(path)).body);
    expect((await client.get(`/v1/spaces/${space}`)).body.revision).toBe(body.id);
    const [page] = body.pages;
    expect((await client.get(`${path}/page/${page.id}?format=source`)).body.source).toBe(
      `Quokkas [here](/pages/${page.id}).\n`,
    );
    const found = await eventually(
      'the new text in the search',
      async () => (await client.get(`/v1/spaces/${space}/search?query=quokkas`)).body.items,
      ({ length }) => length > 0,
    );
    expect(found).toMatchObject([{ id: page.id }]);
    expect((await client.post(path, { changes: [updated(page.id, {})] })).body.id).toBe(body.id);
    expect((await client.post(path, { changes: [updated(page.id, { title: 'L' })], revision: before })).status).toBe(
      409,
    );
    const listed = (await client.get(`/v1/spaces/${space}/revisions/${before}/pages`)).body.pages;
    expect(listed).toEqual([]);
  });

  it('takes 16 writers at once', async () => {
    const space = await newSpace(client, organization, { editMode: 'live' });
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, each) =>
        client.post(`/v1/spaces/${space}/content`, { changes: [inserted(`Page ${each}`)] }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await client.get(`/v1/spaces/${space}/content/pages`)).body.pages).toHaveLength(16);
  });

  it('is changed through change requests as well; a locked one is changed so only', async () => {
    const space = await newSpace(client, organization, { editMode: 'live' });
    const other = await ContentWriter.on(client, space);
    await other.apply(inserted('In a draft'));
    expect((await client.get(`/v1/spaces/${space}/content/pages`)).body.pages).toEqual([]);
    const locked = await client.post(`/v1/spaces/${writer.space}/content`, { changes: [inserted('X')] });
    expect([locked.status, locked.body.error.message]).toEqual([
      400,
      'This space is locked: change it through a change request',
    ]);
    expect((await client.get(`/v1/spaces/${writer.space}/content/pages`)).body.pages).toEqual([]);
  });
});
