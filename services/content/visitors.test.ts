import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openFolderBlobs } from '../../shared/blobs/folder.js';
import { blobLinks } from '../../shared/blobs/links.js';
import type { Caller, ContentCaller } from '../../shared/contract/caller.js';
import type { Context } from '../../shared/contract/service.js';
import { newId } from '../../shared/ids.js';
import { createSecrets } from '../../shared/secrets/secrets.js';
import type { Store } from '../../shared/store/port.js';
import { openSqliteStore } from '../../shared/store/sqlite/store.js';
import { commitRevision } from './commit.js';
import { nodeOf } from './content-tree.js';
import { ContentTrees } from './content-trees.js';
import { importTree } from './import.js';
import { allCollections, pageSearch, spaces } from './model.js';
import type { PageWork } from './page-work.js';
import { document, markdown, readPages, searchEntries, sections } from './page-worker.js';
import { presentSpaces } from './presented-spaces.js';
import { findPageIn, readingHandlers } from './reading.js';
import type { Page } from './resources.js';
import { Revisions } from './revisions.js';
import { searchSpaces } from './search.js';
import { indexPrimary } from './search-index.js';
import { folderTree } from './source-tree.js';
import { newSpace } from './spaces.js';
import { VisitorViews } from './visitor-views.js';

const files = {
  'SUMMARY.md':
    '# Contents\n\n* [Home](README.md)\n* [Beta](beta/README.md)\n  * [Below](beta/below.md)\n* [Plan](plan.md)\n* [Broken](broken.md)\n\n## Group\n\n* [In it](in-it.md)\n',
  'README.md':
    '# Home\n\nSee [beta](beta/README.md).\n\n{% if visitor.claims.plan == "pro" %}\nThe zebra is out.\n{% endif %}\n\nHello <code class="expression">visitor.claims.name</code> of <code class="expression">space.vars.product</code> <code class="expression">page.vars.edition</code>.\n',
  'beta/README.md': '---\nif: visitor.claims.beta\n---\n\n# Beta\n\nA quokka.\n',
  'beta/below.md': '# Below\n\nAnother quokka.\n',
  'plan.md': '---\nif: visitor.claims.plan == "pro" && space.vars.product == "Bindery"\n---\n\n# Plan\n\nWombats.\n',
  'broken.md': '---\nif: visitor.claims.(\n---\n\n# Broken\n\nNobody sees it.\n',
  'in-it.md': '# In it\n\nPlain.\n',
  '.gitbook/vars.yaml': 'product: Bindery\n',
  '.gitbook/includes/note.md': '{% if visitor.claims.beta %}\nFor the curious.\n{% endif %}\n\nFor all.\n',
};
files['README.md'] = `---\nvars:\n  edition: second\n---\n\n${files['README.md']}`;

const work: PageWork = {
  read: async (sources) => readPages(sources),
  entries: async (pages) => searchEntries(pages),
  document: async (body) => document({ ...body, refs: body.refs as Map<string, never> }) as never,
  markdown: async (source, title, inputs) => markdown({ source, title, inputs }),
  sections: async (source, title, inputs) => sections({ source, title, inputs }),
  close: async () => {},
};

let folder: string;
let store: Store;
let space: string;
const organization = newId();
const revisionIds: string[] = [];

function opened() {
  const blobs = openFolderBlobs(join(folder, 'blobs'));
  const revisions = new Revisions(store);
  const trees = new ContentTrees(store, true);
  const baseUrl = 'http://localhost';
  const links = blobLinks(createSecrets([Buffer.alloc(32).toString('base64')]));
  const views = new VisitorViews(revisions);
  return { store, blobs, work, revisions, trees, views, baseUrl, presentation: { baseUrl, links } };
}
let rules: ReturnType<typeof opened>;
let read: ReturnType<typeof readingHandlers>;

async function importFiles(changes: Record<string, string> = {}): Promise<void> {
  const source = await mkdtemp(join(folder, 'source-'));
  for (const [path, content] of Object.entries({ ...files, ...changes })) {
    await mkdir(dirname(join(source, path)), { recursive: true });
    await writeFile(join(source, path), content);
  }
  const before = await rules.revisions.current(space);
  const tree = await importTree(rules, await folderTree(source), { space, before });
  const parent = before.revision._id;
  const git = { oid: 'c0ffee', message: 'A commit', createdByService: false };
  const { _id } = await commitRevision(store, { space, parent, tree, git, treeURL: 'https://git.example/tree' });
  revisionIds.push(_id);
  await indexPrimary(rules, space);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-visitors-'));
  store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
  await store.prepare(allCollections, [pageSearch]);
  rules = opened();
  read = readingHandlers(rules);
  const made = newSpace(organization, 'ada', { title: 'Docs' });
  space = made.space._id;
  await rules.trees.change(organization, space, async () => ({
    writes: made.writes,
    note: (tree) => tree.set(space, nodeOf('space', made.space)),
  }));
  await importFiles({ 'in-it.md': '# In it\n\nTaken down.\n' });
  await importFiles();
  await importFiles({ 'in-it.md': '# In it\n\nNewer.\n' });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const visitor = (claims: Record<string, unknown> = {}, named = [space]): ContentCaller => ({
  kind: 'content',
  organization,
  site: 'site_1',
  siteSpace: 'sitesp_1',
  space,
  spaces: named,
  claims,
});
const user: Caller = {
  kind: 'user',
  user: 'ada',
  token: 't',
  memberships: { [organization]: { role: 'admin', teams: [], owned: [] } },
};
const versions: string[] = [];
const as = (caller: Caller) => ({ caller, version: (id: string) => versions.push(id) }) as unknown as Context;
const query = { metadata: true, computed: true, evaluated: 'false' as const };
const at = (revisionId = revisionIds[2] as string) => ({ spaceId: space, revisionId });

const titlesOf = (pages: Page[]): string[] => pages.flatMap(({ title, pages = [] }) => [title, ...titlesOf(pages)]);
const seen = async (caller: Caller) =>
  titlesOf((await read.listPages({ path: at(), query, body: undefined }, as(caller))).pages);
const pageOf = async (title: string): Promise<Page> => {
  const { pages } = await read.listPages({ path: at(), query, body: undefined }, as(user));
  const find = (list: Page[]): Page | undefined => {
    for (const page of list) {
      const found = page.title === title ? page : find(page.pages ?? []);
      if (found) return found;
    }
    return undefined;
  };
  return find(pages) as Page;
};
const documentOf = async (title: string, caller: Caller, evaluated: 'true' | 'false' = 'false') => {
  const path = { ...at(), pageId: (await pageOf(title)).id };
  return JSON.stringify(
    await read.getPageDocumentInRevisionById({ path, query: { evaluated }, body: undefined }, as(caller)),
  );
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

  it('does not find the other pages by id or path, nor their documents; users do', async () => {
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

  it('reads documents with expressions and if blocks worked out, users as they are written', async () => {
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
      (await read.getPageById({ path, query: { ...query, format: 'markdown' }, body: undefined }, as(caller))).markdown;
    expect(await markdownOf(visitor({ name: 'Grace' }))).toBe(
      '# Home\n\nSee [beta].\n\n\n\nHello Grace of Bindery second.\n',
    );
    expect(await markdownOf(visitor({ beta: true }))).toContain('See [beta](beta).');
    await expect(
      read.getPageById({ path, query: { ...query, format: 'source' }, body: undefined }, as(visitor())),
    ).rejects.toMatchObject({ type: 'FORBIDDEN' });
    expect(await markdownOf(visitor({ plan: 'pro' }))).toContain('zebra');
    expect(await markdownOf(user)).toContain('{% if visitor.claims.plan == "pro" %}');
    const { reusableContents } = await read.getRevisionById({ path: at(), query, body: undefined }, as(user));
    const reusableContentId = reusableContents[0]?.id as string;
    const note = async (caller: Caller) =>
      JSON.stringify(
        await read.getReusableContentDocumentInRevisionById(
          { path: { ...at(), reusableContentId }, query: { evaluated: 'false' }, body: undefined },
          as(caller),
        ),
      );
    expect(await note(visitor())).not.toContain('curious');
    expect(await note(visitor({ beta: true }))).toContain('curious');
  });

  it('reads the current revision and the one before it, no older one', async () => {
    const text = async (revision: string, caller: Caller) => {
      const path = { ...at(revision), pageId: (await pageOf('In it')).id };
      return JSON.stringify(
        await read.getPageDocumentInRevisionById({ path, query: { evaluated: 'true' }, body: undefined }, as(caller)),
      );
    };
    const [oldest = '', before = '', current = ''] = revisionIds;
    expect(await text(current, visitor())).toContain('Newer');
    expect(await text(before, visitor())).toContain('Plain');
    await expect(text(oldest, visitor())).rejects.toMatchObject(notFound);
    expect(await text(oldest, user)).toContain('Taken down');
    const cursor = Buffer.from(JSON.stringify([oldest, 0])).toString('base64url');
    const list = read.listFiles(
      { path: at(), query: { ...query, page: cursor, limit: 5 }, body: undefined },
      as(visitor()),
    );
    await expect(list).rejects.toMatchObject(notFound);
  });

  it('never sees where content comes from', async () => {
    const shown = await read.getRevisionById({ path: at(), query, body: undefined }, as(visitor({ beta: true })));
    expect(JSON.stringify(shown)).not.toContain('"git"');
    expect(JSON.stringify(await read.getRevisionById({ path: at(), query, body: undefined }, as(user)))).toContain(
      '"git"',
    );
  });

  it('gets a version that holds its claims, and none of what is kept for good', async () => {
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
    const whole = await searchSpaces(rules, { spaces: [space, 'none'], query: words, limit: 5, offset: 0, claims });
    expect(whole.items.flatMap(({ pages }) => pages.map(({ title }) => title)).sort()).toEqual(expected);
    expect(whole.count).toBe(expected.length > 0 ? 1 : 0);
  });

  it('reads the spaces of its token that are there, and nothing else', async () => {
    const roles = async (caller: Caller, kind: 'space' | 'collection' = 'space') =>
      (await rules.trees.resolve({ caller, ids: [space] }, kind)).map((access) => access?.role ?? null);
    expect(await roles(visitor())).toEqual(['read']);
    expect(await roles(visitor({}, ['other']))).toEqual([null]);
    expect(await roles({ ...visitor(), organization: newId() })).toEqual([null]);
    expect(await roles(visitor(), 'collection')).toEqual([null]);
    const trees = new ContentTrees(store, true);
    await store.update(spaces, { _id: space }, { $set: { deletedAt: '2026-01-01T00:00:00.000Z' } });
    expect(await trees.resolve({ caller: visitor(), ids: [space] }, 'space')).toEqual([null]);
    expect(await findPageIn(rules, { space, path: '' })).toBeNull();
    expect((await searchSpaces(rules, { spaces: [space], query: 'home', limit: 5, offset: 0 })).count).toBe(0);
    await store.update(spaces, { _id: space }, { $set: { deletedAt: null } });
  });
});

describe('an address within a space', () => {
  it.each<[string, Record<string, unknown> | undefined, string | undefined]>([
    ['', {}, 'Home'],
    ['beta', {}, undefined],
    ['beta', { beta: true }, 'Beta'],
    ['/Beta//below/', { beta: true }, 'Below'],
    ['beta/below', undefined, 'Below'],
    ['group', {}, 'In it'],
    ['nowhere', {}, undefined],
  ])('%j leads with the claims %j to %s', async (path, claims, title) => {
    const found = await findPageIn(rules, { space, path, claims });
    const page = title && (await pageOf(title));
    expect(found?.page).toEqual(page ? { id: page.id, path: page.path } : undefined);
    expect(found?.revision).toBe(revisionIds[2]);
    expect(found?.first?.id).toBe((await pageOf('Home')).id);
  });

  it('is looked up in any revision of the space', async () => {
    expect(await findPageIn(rules, { space, revision: revisionIds[0], path: '' })).toMatchObject({
      revision: revisionIds[0],
    });
    expect(await findPageIn(rules, { space, revision: 'none', path: '' })).toBeNull();
    expect(await findPageIn(rules, { space: 'none', path: '' })).toBeNull();
  });
});

it('spaces are presented in order, with the permissions of the caller', async () => {
  const present = (caller: Caller, ids: string[], of = organization) =>
    presentSpaces(rules, { organization: of, ids }, caller);
  await store.update(spaces, { _id: space }, { $set: { git: { updatedAt: '2026-01-01T00:00:00.000Z', url: 'u' } } });
  const [missing, own] = await present(user, ['none', space]);
  expect(missing).toBeNull();
  expect(own).toMatchObject({ id: space, permissions: { view: true, admin: true }, gitSync: { url: 'u' } });
  const [open] = await present({ kind: 'anonymous' }, [space]);
  expect(Object.values(open?.permissions ?? {})).not.toContain(true);
  expect(open?.gitSync).toBeUndefined();
  expect((await present(visitor(), [space]))[0]).toMatchObject({ permissions: { view: true, edit: false } });
  expect(await present(user, [space], newId())).toEqual([null]);
});
