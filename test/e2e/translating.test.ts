import { eventually } from '../../shared/testing/eventually.js';
import { askedSpace, promptsWith } from '../support/asking.js';
import { newOrganization, newUser, shared, walk } from '../support/fixtures.js';
import type { Client } from '../support/server.js';

const admin = shared();
let organization: string;
let translations: string;
let space: string;
beforeAll(async () => {
  organization = await newOrganization(admin);
  translations = `/v1/orgs/${organization}/translations`;
  space = await askedSpace(
    admin,
    { organization, word: 'echidna', title: 'Guide' },
    '# Animals\n\nSee [the other page](https://example.com/a) and `code`.\n\n## A part\n\nWell.\n',
    '---\ndescription: What it eats\n---\n\n# An echidna\n\nAn echidna eats ants.\n\n```\nas it is\n```\n',
  );
});

const done = async (answer: Promise<{ status: number; body: any }>) => {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
};

/** Translation settings when their run has ended. */
const completed = (id: string, holds: (settings: any) => boolean = () => true) =>
  eventually(
    'the end of a translation',
    async () => (await admin.get(`${translations}/${id}`)).body,
    (settings) => settings.status === 'completed' && holds(settings),
  );

const pagesOf = async (id: string) => {
  const { pages } = (await admin.get(`/v1/spaces/${id}/content/pages?format=markdown`)).body;
  return Promise.all(
    pages.map(async (page: any) => (await admin.get(`/v1/spaces/${id}/content/page/${page.id}?format=markdown`)).body),
  );
};

const translate = (body: Record<string, unknown>, client: Client = admin) =>
  client.post(translations, { source: { space, language: 'en' }, ...body });

describe('a translation of a space', () => {
  it('is a space beside it, with the same pages in another language', async () => {
    const made = await translate({ languages: ['de'], language: 'fr' });
    expect([made.status, made.body]).toMatchObject([
      201,
      { title: 'Guide', languages: ['de', 'fr'], status: 'pending' },
    ]);
    const { results } = await completed(made.body.id, ({ results }) => results.length === 2);
    expect(results.map(({ language, pages, kept }: any) => [language, pages, kept])).toEqual([
      ['de', 2, 0],
      ['fr', 2, 0],
    ]);
    const target = (await admin.get(`/v1/spaces/${results[1].space}`)).body;
    expect(target).toMatchObject({ title: 'Guide (français)', language: 'fr', revision: results[1].revision });
    expect((await admin.get(`/v1/spaces/${target.id}/content`)).body).toMatchObject({ type: 'computed' });
    const [from, to] = [await pagesOf(space), await pagesOf(target.id)];
    expect(to.map(({ id, path }: any) => [id, path])).toEqual(from.map(({ id, path }: any) => [id, path]));
    expect(to.map(({ title, description }: any) => [title, description])).toEqual([
      ['ANIMALS', undefined],
      ['AN ECHIDNA', 'WHAT IT EATS'],
    ]);
    expect(to[0].markdown).toMatch(
      /^# ANIMALS\n\nSEE \[THE OTHER PAGE\]\(https:\/\/example\.com\/a\) AND `code`\.\n\n## A PART <a href="#a-part" id="a-part"><\/a>\n\nWELL\./,
    );
    expect(to[1].markdown).toContain('AN ECHIDNA EATS ANTS.\n\n```\nas it is\n```');
  });

  it('follows the source, and asks for nothing twice', async () => {
    const mark = `kultarr ${Date.now()}`;
    const own = await askedSpace(
      admin,
      { organization, word: 'kultarr', title: 'Own' },
      `# One ${mark}\n\nFirst ${mark}.\n`,
      `# Two\n\nSecond ${mark}.\n`,
    );
    const { id } = await done(translate({ source: { space: own, language: 'en' }, languages: ['nl'] }));
    const { results } = await completed(id, (settings) => settings.results.length === 1);
    const [first] = (await admin.get(`/v1/spaces/${own}/content`)).body.pages;
    const changes = [
      {
        operation: 'update_page',
        page: first.id,
        document: { markdown: `# One ${mark}\n\nFirst ${mark}.\n\nThird ${mark}.\n` },
      },
    ];
    await done(admin.post(`/v1/spaces/${own}/content`, { changes }));
    const after = await completed(id, (settings) => settings.results[0].revision !== results[0].revision);
    expect((await pagesOf(after.results[0].space))[0].markdown).toContain(`THIRD ${mark.toUpperCase()}.`);
    const prompts = (await promptsWith(mark)).filter((prompt) => prompt.startsWith('You translate'));
    for (const text of [`"First ${mark}."`, `"Second ${mark}."`, `"Third ${mark}."`])
      expect(prompts.filter((prompt) => prompt.includes(text))).toHaveLength(1);
    expect((await admin.post(`${translations}/${id}/run`)).status).toBe(204);
    expect((await completed(id)).results).toEqual(after.results);
  });

  it('uses the glossary and instructions', async () => {
    const term = `bilby${Date.now()}`;
    const glossary = `/v1/orgs/${organization}/translations-glossary`;
    const operations = [{ type: 'insert', translations: { en: term, pl: 'wielkouch' } }];
    await done(admin.put(glossary, { operations }));
    const own = await askedSpace(admin, { organization, word: term }, `# Home\n\nA ${term} digs.\n`);
    const { id } = await done(
      translate({ source: { space: own, language: 'en' }, languages: ['pl'], instructions: 'Be polite.' }),
    );
    await completed(id, (settings) => settings.results.length === 1);
    const [prompt] = await promptsWith(`A ${term} digs`);
    expect(prompt).toContain(`"${term}": "wielkouch"`);
    expect(prompt).toContain('Besides: Be polite.');
  });

  it('keeps what the model does not translate, and says so', async () => {
    const own = await askedSpace(
      admin,
      { organization, word: 'wambenger' },
      '# Home\n\nA wambenger.\n\nBad ⟪say nothing⟫ and more.\n',
    );
    const { id } = await done(translate({ source: { space: own, language: 'en' }, languages: ['sv'] }));
    const { results } = await completed(id, (settings) => settings.results.length === 1);
    expect(results[0].kept).toBe(1);
    expect((await pagesOf(results[0].space))[0].markdown).toContain('A WAMBENGER.');
  });

  it('is read by those alone who may read the source', async () => {
    const own = await askedSpace(admin, { organization, word: 'mulgara' }, '# Home\n\nA mulgara.\n');
    const [granted, other] = [
      await newUser(admin, { organization, role: 'read' }),
      await newUser(admin, { organization, role: 'create' }),
    ];
    await done(admin.patch(`/v1/spaces/${own}`, { defaultLevel: null }));
    await done(admin.post(`/v1/spaces/${own}/permissions`, { users: [granted.id], role: 'read' }));
    const refused = await translate({ source: { space: own, language: 'en' }, languages: ['da'] }, other.client);
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('source.space')]);
    const { id } = await done(translate({ source: { space: own, language: 'en' }, languages: ['da'] }));
    const { results } = await completed(id, (settings) => settings.results.length === 1);
    const path = `/v1/spaces/${results[0].space}`;
    expect([(await granted.client.get(path)).status, (await other.client.get(path)).status]).toEqual([200, 404]);
    const itself = await translate({ source: { space: results[0].space, language: 'da' }, languages: ['en'] });
    expect([itself.status, itself.body.error.message]).toEqual([
      400,
      expect.stringContaining('is a translation itself'),
    ]);
  });

  it('is refused by name', async () => {
    for (const [body, field] of [
      [{ source: { space: 'none', language: 'en' } }, 'source.space'],
      [{ source: { space } }, 'source.language'],
      [{ languages: ['en'] }, 'languages'],
      [{ language: 'xx' }, 'language'],
      [{ instructions: 'x'.repeat(4001) }, 'instructions'],
    ] as const) {
      const { status, body: answer } = await translate(body);
      expect([status, answer.error.message]).toEqual([400, expect.stringContaining(field)]);
    }
    const { id } = await done(admin.post(translations, { title: 'No source' }));
    expect((await admin.post(`${translations}/${id}/run`)).status).toBe(409);
  });
});

describe('the glossary', () => {
  it('is changed whole or not at all', async () => {
    const own = await newOrganization(admin);
    const path = `/v1/orgs/${own}/translations-glossary`;
    const insert = (en: string) => ({ type: 'insert', translations: { en } });
    expect((await admin.put(path, { operations: [insert('a'), insert('b')] })).status).toBe(204);
    const { items } = (await admin.get(path)).body;
    expect(items.map(({ translations }: any) => translations)).toEqual([{ en: 'a' }, { en: 'b' }]);
    expect((await admin.get(`${path}/${items[0].id}`)).body).toEqual(items[0]);
    const [first, second] = items.map(({ id }: any) => id);
    const update = { type: 'update', id: first, translations: { en: 'c', fr: 'd' } };
    for (const [operations, message] of [
      [[update, { type: 'delete', id: 'none' }], 'operations.1.id: no such entry'],
      [[update, { type: 'delete', id: first }], 'operations.1.id: another operation is about this entry'],
      [[{ type: 'insert', translations: {} }], /^operations\.0\.translations: must be a text/],
      [[{ type: 'insert', translations: { en: 'a\nb' } }], /^operations\.0\.translations\.en: must be one line/],
      [[{ type: 'insert', translations: { xx: 'a' } }], /^operations\.0\.translations/],
      [[], /^operations/],
    ] as const) {
      const { status, body } = await admin.put(path, { operations });
      expect([status, body.error.message]).toEqual([400, expect.stringMatching(message)]);
    }
    expect((await admin.get(path)).body.items).toEqual(items);
    await admin.put(path, { operations: [update, { type: 'delete', id: second }] });
    expect((await admin.get(path)).body.items).toMatchObject([{ id: first, translations: { en: 'c', fr: 'd' } }]);
    await admin.put(path, { operations: [insert('b'), insert('Ä'), { type: 'insert', translations: { de: 'x' } }] });
    const terms = (await walk(admin, `${path}?orderBy=en`, 2)).map(({ translations }) => translations.en);
    expect(terms).toEqual(['Ä', 'b', 'c', undefined]);
    expect((await admin.get(`${path}?orderBy=xx`)).status).toBe(400);
    const { client } = await newUser(admin, { organization: own, role: 'edit' });
    expect((await client.put(path, { operations: [insert('e')] })).status).toBe(403);
    expect((await client.get(`${path}/${second}`)).status).toBe(404);
  });
});
