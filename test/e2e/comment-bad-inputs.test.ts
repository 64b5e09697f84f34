import { badBodies } from '../support/bad-comment-bodies.js';
import { type CommentPlace, commentPlaces, commentSetting, newPlace, posted } from '../support/comments.js';
import { newOrganization, newSpace, newUser } from '../support/fixtures.js';
import { RefusalClient } from '../support/refusals.js';
import type { Answer } from '../support/server.js';
import { wholeTables } from '../support/whole-tables.js';

const setting = commentSetting();
const { client } = setting;
const asking = new RefusalClient(client);
const hello = { markdown: 'Hello' };
const long = 'x'.repeat(101);

/** A refusal in the one shape, that names the field. */
function expectRefused({ status, body }: Answer<any>, field: string, expected = 400): void {
  expect([status, body]).toEqual([
    expected,
    { error: { code: expected, message: expect.stringContaining(field), reason: expect.any(String) } },
  ]);
}

describe.each(commentPlaces)('on %s', (kind) => {
  /** Both places share their schemas and handlers, so each has every second row. */
  const shared = <T>(rows: T[]): T[] =>
    rows.filter((_, at) => wholeTables || at % commentPlaces.length === commentPlaces.indexOf(kind));
  let place: CommentPlace;
  let comment: string;
  let reply: string;
  let page: string;
  let foreignPage: string;
  let before: unknown;
  const at = (rest = '') => `${place.at}/comments${rest}`;

  const newPage = async (space: string): Promise<string> => {
    const changes = [{ operation: 'insert_page', document: { markdown: '# A page\n\nA text.\n' } }];
    return (await client.post(`/v1/spaces/${space}/content`, { changes })).body.pages[0].id;
  };
  const state = async () => [
    (await client.get(at())).body,
    (await client.get(at(`/${comment}/replies`))).body,
    (await client.get(`${place.at}/commenters`)).body.count,
    (await client.get(place.at)).body.comments,
  ];

  beforeAll(async () => {
    place = await newPlace(client, setting.organization, kind);
    page = await newPage(place.space);
    foreignPage = await newPage(await newSpace(client, setting.organization, { editMode: 'live' }));
    if (place.changeRequest) await client.post(`${place.at}/update`);
    comment = (await posted(client, place, 'A question', { page })).id;
    reply = (await client.post(at(`/${comment}/replies`), { body: { markdown: 'An answer' } })).body.id;
    before = await state();
  });
  afterEach(async () => {
    if (asking.hasSent()) expect(await state()).toEqual(before);
  });

  /** Everything that takes a body. */
  const writers: [method: string, path: () => string][] = [
    ['POST', () => at()],
    ['PUT', () => at(`/${comment}`)],
    ['POST', () => at(`/${comment}/replies`)],
    ['PUT', () => at(`/${comment}/replies/${reply}`)],
  ];

  /** All of them read a body by the same function, so that they take turns. */
  const writersOf = (at: number) => (wholeTables ? writers : writers.slice(at % writers.length).slice(0, 1));

  // All of them are tried without a server by the test of the bodies of comments.
  const someBodies = badBodies.filter((_, at) => wholeTables || at % 7 === 0);
  it.each(shared(someBodies).map(([name, body], at) => [name, body, at] as const))(
    'a body is refused: %s',
    async (_, body, at) => {
      for (const [method, path] of writersOf(at)) expectRefused(await asking.request(method, path(), { body }), 'body');
    },
  );

  const raws: [name: string, raw: string][] = [
    ['none at all', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"Hello"'],
    ['half of it', '{"body":{"markdown":"Hello'],
    ['a body of 1,500 brackets', `{"body":${'['.repeat(1500)}${']'.repeat(1500)}}`],
  ];
  it.each(shared(raws).map(([name, raw], at) => [name, raw, at] as const))(
    'a request is refused that is %s',
    async (_, raw, at) => {
      for (const [method, path] of writersOf(at)) {
        const { status, body } = await asking.request(method, path(), {}, { raw });
        expect([status, body]).toEqual([
          400,
          { error: { code: 400, message: expect.stringMatching(/body/i), reason: 'invalid_request' } },
        ]);
      }
    },
  );

  it('a new text needs its body', async () => {
    for (const path of [at(), at(`/${comment}/replies`)]) expectRefused(await asking.post(path, {}), 'body: required');
  });

  it('a body of 1 MB is refused', async () => {
    for (const character of ['x', '<', '[', '\u200b'])
      for (const [method, path] of writers) {
        const answer = await asking.request(method, path(), { body: { markdown: character.repeat(1_000_001) } });
        expect([400, 413]).toContain(answer.status);
        expect(answer.body).toEqual({
          error: { code: answer.status, message: expect.any(String), reason: expect.any(String) },
        });
      }
  });

  const abouts: [field: string, about: () => object][] = [
    ['page', () => ({ page: '' })],
    ['page', () => ({ page: null })],
    ['page', () => ({ page: 1 })],
    ['page', () => ({ page: [page] })],
    ['page', () => ({ page: long })],
    ['page', () => ({ page: 'unknown' })],
    ['page', () => ({ page: '__proto__' })],
    ['page', () => ({ page: 'a\0b' })],
    ['page', () => ({ page: foreignPage })],
    ['page', () => ({ page: place.space })],
    ['page', () => ({ node: 'a' })],
    ['node', () => ({ page, node: '' })],
    ['node', () => ({ page, node: null })],
    ['node', () => ({ page, node: 1 })],
    ['node', () => ({ page, node: long })],
    ['node', () => ({ page, node: 'unknown' })],
    ['node', () => ({ page, node: 'constructor' })],
    ['node', () => ({ page, node: '\u202e' })],
  ];
  it.each(shared(abouts))('%s of a new comment is refused', async (field, about) => {
    expectRefused(await asking.post(at(), { body: hello, ...about() }), field);
  });

  it.each(shared(['yes', 'true', 1, 0, null, [], {}]))('resolved is refused: %j', async (resolved) => {
    expectRefused(await asking.put(at(`/${comment}`), { resolved, body: hello }), 'resolved');
  });

  const queries: [field: string, query: string][] = [
    ['order', 'order=up'],
    ['order', 'order='],
    ['order', 'order=asc&order=desc'],
    ['status', 'status=closed'],
    ['status', 'status=OPEN'],
    ['status', 'status=open&status=resolved'],
    ['format', 'format=html'],
    ['targetPage', 'targetPage='],
    ['targetPage', `targetPage=${long}`],
    ['targetPage', 'targetNode=x'],
    ['targetNode', 'targetPage=x&targetNode='],
    ['targetNode', `targetPage=x&targetNode=${long}`],
    ['authors', `authors=${long}`],
    ['authors', Array.from({ length: 51 }, (_, each) => `authors=${each}`).join('&')],
    ['limit', 'limit=1001'],
    ['limit', 'limit=-1'],
    ['limit', 'limit=1.5'],
    ['limit', 'limit=all'],
    ['page', 'page=x'],
    ['page', 'page='],
    ['page', `page=${'x'.repeat(2049)}`],
    ['page', `page=${Buffer.from('["2026-01-01"]').toString('base64url')}`],
    ['page', `page=${Buffer.from('["a","b","c"]').toString('base64url')}`],
    ['page', `page=${Buffer.from('["a",{"$gt":""}]').toString('base64url')}`],
    ['page', `page=${Buffer.from('["01J",50]').toString('base64url')}`],
  ];
  it.each(shared(queries))('%s of a list is refused: %s', async (field, query) => {
    expectRefused(await asking.get(at(`?${query}`)), field);
    const ofEach = ['limit', 'page', 'format'];
    if (ofEach.includes(field)) expectRefused(await asking.get(at(`/${comment}/replies?${query}`)), field);
    if (field === 'limit' || field === 'page')
      expectRefused(await asking.get(`${place.at}/commenters?${query}`), field);
  });

  it('a page of another list is refused, or only a position in this one', async () => {
    await newUser(client, { organization: setting.organization });
    const { next } = (await client.get(`/v1/orgs/${setting.organization}/members?limit=1`)).body;
    const { status, body } = await client.get(at(`?page=${encodeURIComponent(next.page)}`));
    if (status === 200) expect(body.items.map(({ id }: any) => id).filter((id: string) => id !== comment)).toEqual([]);
    else expectRefused({ status, body } as Answer, 'page');
  });

  it('a format of one text is refused', async () => {
    for (const path of [at(`/${comment}`), at(`/${comment}/replies/${reply}`)])
      expectRefused(await asking.get(`${path}?format=html`), 'format');
    expectRefused(await asking.post(at(`/${comment}/replies?format=html`), { body: hello }), 'format');
  });

  it.each(shared(['unknown', '__proto__', 'constructor', 'toString', '%00', '%E2%80%AE', '..%2F..', long]))(
    'no comment, reply or place has the id %s',
    async (id) => {
      const texts = [at(`/${id}`), at(`/${comment}/replies/${id}`), at(`/${id}/replies/${reply}`)];
      for (const path of texts) {
        expectRefused(await asking.get(path), '', 404);
        expectRefused(await asking.put(path, { addedReactions: ['👍'] }), '', 404);
        expectRefused(await asking.delete(path), '', 404);
      }
      expectRefused(await asking.get(at(`/${id}/replies`)), 'Comment', 404);
      expectRefused(await asking.post(at(`/${id}/replies`), { body: hello }), 'Comment', 404);
      const places = [`/v1/spaces/${id}`, `/v1/spaces/${place.space}/change-requests/${id}`];
      for (const path of places)
        for (const list of ['comments', `comments/${comment}`, 'commenters'])
          expectRefused(await asking.get(`${path}/${list}`), '', 404);
    },
  );

  it('an id that is too long is refused', async () => {
    expectRefused(await asking.get(at(`/${'x'.repeat(513)}`)), 'commentId');
    expectRefused(await asking.get(at(`/${comment}/replies/${'x'.repeat(513)}`)), 'commentReplyId');
  });

  it('another organization has neither the comment nor its place', async () => {
    const other = await newUser(client);
    const own = await newPlace(other.client, await newOrganization(other.client), kind);
    const paths = [at(`/${comment}`), `${own.at}/comments/${comment}`].flatMap((path) => [
      path,
      `${path}/replies/${reply}`,
    ]);
    for (const path of paths) {
      expectRefused(await other.client.get(path), '', 404);
      expectRefused(await other.client.put(path, { addedReactions: ['👍'], body: hello }), '', 404);
      expectRefused(await other.client.delete(path), '', 404);
    }
    for (const path of [at(), `${place.at}/commenters`]) expectRefused(await other.client.get(path), '', 404);
    expectRefused(await other.client.post(at(), { body: hello }), '', 404);
    expectRefused(await other.client.post(at(`/${comment}/replies`), { body: hello }), '', 404);
    expectRefused(await other.client.post(`${own.at}/comments`, { body: hello, page }), 'page');
  });
});

it('20,000 characters are taken', async () => {
  const place = await newPlace(client, setting.organization, 'a space');
  for (const markdown of ['x'.repeat(20_000), '😀'.repeat(20_000)])
    expect((await posted(client, place, markdown)).body).toEqual({ markdown });
});
