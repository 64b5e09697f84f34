import type { Caller } from '../../../../../shared/contract/caller.js';
import type { Context } from '../../../../../shared/contract/service.js';
import { newId } from '../../../../../shared/values/ids.js';
import { ContentTreeCache } from '../../../core/access/tree/content-tree-cache.js';
import { spaces } from '../../../core/nodes/model.js';
import { chunks } from '../../../core/revisions/model.js';
import type { Page } from '../../../core/revisions/resources.js';
import { RevisionCache } from '../../../core/revisions/revision-cache.js';
import { importedSpace, query } from '../../../exchange/imports/testing/imported-space.js';
import { searchHandlers } from '../../search/search-handlers.js';
import { prewarmSearch, searchSpaces } from '../../search/search-spaces.js';
import { findPage } from '../find-page.js';
import { readingHandlers } from '../reading-handlers.js';
import { VisitorViewCache } from './visitor-view-cache.js';

const { organization, space, revisionIds, opened, visitor, user, at, pageOf } = importedSpace();
let read: ReturnType<typeof readingHandlers> & ReturnType<typeof searchHandlers>;
beforeAll(() => {
  read = { ...readingHandlers(opened.deps), ...searchHandlers(opened.deps) };
});

const versions: string[] = [];
const as = (caller: Caller) =>
  ({
    caller,
    access: { organization },
    declareVersion: (id: string) => versions.push(id),
    hasVersion: (id: string) => versions.push(id) === 0,
  }) as unknown as Context;

const titlesOf = (pages: Page[]): string[] => pages.flatMap(({ title, pages = [] }) => [title, ...titlesOf(pages)]);
const seen = async (caller: Caller) =>
  titlesOf((await read.listPages({ path: at(), query, body: undefined }, as(caller))).decode().pages);
const documentOf = async (title: string, caller: Caller, evaluated: 'true' | 'false' = 'false') => {
  const path = { ...at(), pageId: (await pageOf(title)).id };
  return (
    await read.getPageDocumentInRevisionById({ path, query: { evaluated }, body: undefined }, as(caller))
  ).bytes.toString();
};
const notFound = { type: 'NOT_FOUND' };

describe('a visitor', () => {
  it.each<[Record<string, unknown>, string[]]>([
    [{}, ['Home', 'Group', 'In it']],
    [{ beta: true }, ['Home', 'Beta', 'Below', 'Group', 'In it']],
    [{ plan: 'pro' }, ['Home', 'Plan', 'Group', 'In it']],
    [{ beta: 1, plan: 'pro', other: 'x' }, ['Home', 'Beta', 'Below', 'Plan', 'Group', 'In it']],
  ])('with the claims %j sees the pages whose conditions, and those above, hold', async (claims, expected) => {
    expect(await seen(visitor(claims))).toEqual(expected);
  });

  it('does not find the other pages or their documents by id or path; users do', async () => {
    const below = await pageOf('Below');
    const { id: pageId, path: pagePath = '', documentId = '' } = below;
    for (const [caller, found] of [
      [visitor(), false],
      [visitor({ beta: true }), true],
      [user, true],
    ] as const) {
      const answers = [
        read.getPageById({ path: { spaceId: space, pageId }, query, body: undefined }, as(caller)),
        read.getPageInRevisionById({ path: { ...at(), pageId }, query, body: undefined }, as(caller)),
        read.getPageByPath({ path: { spaceId: space, pagePath }, query, body: undefined }, as(caller)),
        read.getPageInRevisionByPath({ path: { ...at(), pagePath }, query, body: undefined }, as(caller)),
        read.getPageDocumentInRevisionById(
          { path: { ...at(), pageId }, query: { evaluated: 'true' }, body: undefined },
          as(caller),
        ),
        read.getDocumentById(
          { path: { spaceId: space, documentId }, query: { schema: 'current' }, body: undefined },
          as(caller),
        ),
      ];
      for (const answer of answers)
        if (found) await expect(answer).resolves.toBeDefined();
        else await expect(answer).rejects.toMatchObject(notFound);
    }
  });

  it('reads documents with expressions and if blocks evaluated; users read them as written', async () => {
    const pro = await documentOf('Home', visitor({ plan: 'pro', name: 'Grace' }));
    expect(pro).toContain('zebra');
    expect(pro).toContain('Grace');
    expect(pro).toContain('Bindery');
    expect(pro).toContain('second');
    const plain = await documentOf('Home', visitor({ name: { toString: 'x' } }));
    for (const hidden of ['zebra', '"if"', '"expression"']) expect(plain).not.toContain(hidden);
    expect(plain).toContain(`"page":"${(await pageOf('Beta')).id}"`);
    const written = await documentOf('Home', user);
    for (const shown of ['zebra', '"if"', '"expression"']) expect(written).toContain(shown);
    expect(await documentOf('Home', user, 'true')).not.toContain('zebra');
  });

  it('reads markdown and reusable content the same way', async () => {
    const path = { spaceId: space, pageId: (await pageOf('Home')).id };
    const markdownOf = async (caller: Caller) =>
      (await read.getPageById({ path, query: { ...query, format: 'markdown' }, body: undefined }, as(caller))).decode()
        .markdown;
    expect(await markdownOf(visitor({ name: 'Grace' }))).toBe(
      '# Home\n\nSee beta.\n\n\n\nHello Grace of Bindery second.\n',
    );
    expect(await markdownOf(visitor({ beta: true }))).toContain('See [beta](beta).');
    await expect(
      read.getPageById({ path, query: { ...query, format: 'source' }, body: undefined }, as(visitor())),
    ).rejects.toMatchObject({ type: 'FORBIDDEN' });
    expect(await markdownOf(visitor({ plan: 'pro' }))).toContain('zebra');
    expect(await markdownOf(user)).toContain('{% if visitor.claims.plan == "pro" %}');
    const { reusableContents } = (
      await read.getRevisionById({ path: at(), query, body: undefined }, as(user))
    ).decode();
    const reusableContentId = reusableContents[0]?.id as string;
    const note = async (caller: Caller) =>
      (
        await read.getReusableContentDocumentInRevisionById(
          { path: { ...at(), reusableContentId }, query: { evaluated: 'false' }, body: undefined },
          as(caller),
        )
      ).bytes.toString();
    expect(await note(visitor())).not.toContain('curious');
    expect(await note(visitor({ beta: true }))).toContain('curious');
  });

  it('reads the current revision, by the id of the one before it too, but no older one', async () => {
    const text = async (revision: string, caller: Caller) => {
      const path = { ...at(revision), pageId: (await pageOf('In it')).id };
      return (
        await read.getPageDocumentInRevisionById({ path, query: { evaluated: 'true' }, body: undefined }, as(caller))
      ).bytes.toString();
    };
    const [oldest = '', before = '', current = ''] = revisionIds;
    expect(await text(current, visitor())).toContain('Newer');
    expect(await text(before, visitor())).toContain('Newer');
    expect(await text(before, user)).toContain('Plain');
    await expect(text(oldest, visitor())).rejects.toMatchObject(notFound);
    expect(await text(oldest, user)).toContain('Taken down');
    const cursor = Buffer.from(JSON.stringify([oldest, 0])).toString('base64url');
    const list = read.listFiles(
      { path: { spaceId: space }, query: { ...query, page: cursor, limit: 5 }, body: undefined },
      as(visitor()),
    );
    await expect(list).rejects.toMatchObject(notFound);
  });

  it('never sees the Git source of content', async () => {
    const shown = await read.getRevisionById({ path: at(), query, body: undefined }, as(visitor({ beta: true })));
    expect(shown.bytes.toString()).not.toContain('"git"');
    const written = await read.getRevisionById({ path: at(), query, body: undefined }, as(user));
    expect(written.bytes.toString()).toContain('"git"');
  });

  it('gets a version that depends on its claims, and no immutable version', async () => {
    const noted = async (caller: Caller) => {
      versions.length = 0;
      await read.getRevisionById({ path: at(), query, body: undefined }, as(caller));
      return versions[0];
    };
    expect(await noted(user)).toBe(revisionIds[2]);
    const versionsSeen = [await noted(visitor()), await noted(visitor({ beta: true }))];
    expect(new Set([...versionsSeen, revisionIds[2]]).size).toBe(3);
    expect(await noted(visitor())).toBe(versionsSeen[0]);
    const path = { ...at(), pageId: (await pageOf('Home')).id };
    const document = async (caller: Caller) => {
      versions.length = 0;
      await read.getPageDocumentInRevisionById({ path, query: { evaluated: 'true' }, body: undefined }, as(caller));
      return versions[0];
    };
    expect([await document(visitor()), await document(user)]).toEqual([undefined, revisionIds[2]]);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['quokka', {}, []],
    ['quokka', { beta: true }, ['Below', 'Beta']],
    ['zebra', {}, []],
    ['zebra', { plan: 'pro' }, ['Home']],
    ['wombats', { plan: 'free' }, []],
    ['nobody', { plan: 'pro', beta: true }, []],
    ['plan', {}, []],
  ])('finds by "%s" with the claims %j only what it sees', async (words, claims, expected) => {
    const { items, count } = await read.searchSpaceContent(
      { path: { spaceId: space }, query: { query: words, limit: 10 }, body: undefined },
      as(visitor(claims)),
    );
    expect(items.map(({ title }) => title).sort()).toEqual(expected);
    expect(count).toBe(expected.length);
    const whole = await searchSpaces(opened.deps, {
      spaces: [space, 'none'],
      query: words,
      limit: 5,
      offset: 0,
      claims,
    });
    expect(whole.items.flatMap(({ pages }) => pages.map(({ title }) => title)).sort()).toEqual(expected);
    expect(whole.count).toBe(expected.length > 0 ? 1 : 0);
  });

  it('that announces a search has its content ready: the search reads no revision', async () => {
    let reads = 0;
    const store = new Proxy(opened.store, {
      get(target, name) {
        const own = target[name as 'getMany'];
        if (typeof own !== 'function') return own;
        return (...asked: Parameters<typeof own>) => {
          if (asked[0] === (chunks as unknown)) reads++;
          return own.apply(target, asked);
        };
      },
    });
    const views = new VisitorViewCache(new RevisionCache(store));
    const asked = { spaces: [space, 'none'], claims: { beta: true } };
    await prewarmSearch({ ...opened.deps, views }, asked);
    const before = reads;
    const found = await searchSpaces({ ...opened.deps, views }, { ...asked, query: 'quokka', limit: 5, offset: 0 });
    expect([found.count, before > 0, reads]).toEqual([1, true, before]);
  });

  it('reads the existing spaces that its token names, and nothing else', async () => {
    const roles = async (caller: Caller, kind: 'space' | 'collection' = 'space') =>
      (await opened.deps.trees.resolve({ caller, ids: [space] }, kind)).map((access) => access?.role ?? null);
    expect(await roles(visitor())).toEqual(['read']);
    expect(await roles(visitor({}, ['other']))).toEqual([null]);
    expect(await roles({ ...visitor(), organization: newId() })).toEqual([null]);
    expect(await roles(visitor(), 'collection')).toEqual([null]);
    const trees = new ContentTreeCache(opened.store, true);
    await opened.store.update(spaces, { _id: space }, { $set: { deletedAt: '2026-01-01T00:00:00.000Z' } });
    expect(await trees.resolve({ caller: visitor(), ids: [space] }, 'space')).toEqual([null]);
    expect(await findPage(opened.deps, { space, path: '' })).toBeNull();
    expect((await searchSpaces(opened.deps, { spaces: [space], query: 'home', limit: 5, offset: 0 })).count).toBe(0);
    await opened.store.update(spaces, { _id: space }, { $set: { deletedAt: null } });
  });
});
