import { eventually } from '../../shared/testing/eventually.js';
import { computed, openapi, paths, publishSpec, specPath } from '../support/computed.js';
import { document, inserted } from '../support/content-changes.js';
import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { linksAt } from '../support/links.js';
import { importInto, openRepositories, operationEnd, pagesOf, type Repositories } from '../support/repository.js';

const client = shared();
let organization: string;
let repositories: Repositories;
beforeAll(async () => {
  organization = await newOrganization(client);
  repositories = await openRepositories({ allowPush: true });
});
afterAll(() => repositories.close());

const spec = (slug: string) => specPath(organization, slug);
const publish = (slug: string, content: object) => publishSpec(client, { organization, slug }, content);

const summary = (spec: string, models = true) =>
  [
    '* [Home](README.md)',
    '* [Reference](reference.md)',
    '  * ```yaml',
    '    type: builtin:openapi',
    '    props:',
    `      models: ${models}`,
    '    dependencies:',
    '      spec:',
    '        ref:',
    '          kind: openapi',
    `          spec: ${spec}`,
    '    ```',
    '  * [Last](last.md)',
    '',
  ].join('\n');

/** A space whose content from Git has the pages of a specification. */
async function spaceWith(spec: string): Promise<string> {
  const space = await newSpace(client, organization);
  await repositories.commit(spec, {
    'SUMMARY.md': summary(spec),
    'README.md': '# Home\n',
    'reference.md': '# Reference\n',
    'last.md': '# Last\n',
  });
  const operation = await importInto(client, space, { url: `${repositories.url}/${spec}.git` });
  expect(operation).toMatchObject({ state: 'success' });
  return space;
}

const content = async (space: string, query = '') => (await client.get(`/v1/spaces/${space}/content${query}`)).body;
const at = async (space: string, path: string, query = '') =>
  (await client.get(`/v1/spaces/${space}/content/path/${encodeURIComponent(path)}${query}`)).body;

/** Waits until the pages of a space are these. */
const becomes = (space: string, expected: string[]): Promise<any> =>
  eventually(
    `the pages ${expected}`,
    () => content(space),
    ({ pages }) => paths(pages).join('\n') === expected.join('\n'),
  );

const pets = openapi(
  {
    '/pets': { tag: 'Pets', summary: 'List every wombat' },
    '/pets/{id}': { tag: 'Pets', method: 'delete' },
    '/shop': { tag: 'Shop' },
  },
  {
    tags: [
      { name: 'Shop', description: 'What is for sale: ```' },
      { name: 'Pets', description: 'All of **them**.' },
    ],
  },
);
const first = ['readme', 'reference', 'reference/shop', 'reference/pets', 'reference/models', 'reference/last'];

describe('a computed page from Git', () => {
  let space: string;
  let home: string;
  beforeAll(async () => {
    await publish('pets', pets);
    space = await spaceWith('pets');
    home = (await pagesOf(client, space))[0]?.path as string;
  });
  const expected = (list: string[]) => list.map((path) => (path === 'readme' ? home : path));

  it('gives its place to the pages of its specification', async () => {
    const body = await content(space);
    expect(paths(body.pages)).toEqual(expected(first));
    const page = await at(space, 'reference/pets', '?format=markdown');
    const { id, lastVersion } = (await client.get(spec('pets'))).body;
    expect(page).toMatchObject({
      type: 'document',
      title: 'Pets',
      computed: {
        type: 'builtin:openapi',
        props: { doc: 'operations', page: 'pets' },
        dependencies: {
          spec: {
            ref: { kind: 'openapi', spec: 'pets' },
            value: { object: 'openapi-spec', id, slug: 'pets', lastVersion },
          },
        },
      },
      computedSeed: expect.any(String),
    });
    expect(page.markdown).toContain('All of **them**.');
    const { nodes } = (await client.get(`/v1/spaces/${space}/content/page/${page.id}/document`)).body;
    expect(nodes.slice(1)).toMatchObject([
      {
        type: 'openapi-operation',
        data: { ref: { kind: 'openapi', spec: 'pets' }, path: '/pets', method: 'get' },
        meta: { id: 'list-every-wombat' },
      },
      { type: 'openapi-operation', data: { path: '/pets/{id}', method: 'delete' }, meta: { id: 'delete-pets-id' } },
    ]);
  });

  it('keeps the operations of a tag whose description leaves a code block open', async () => {
    const { id } = await at(space, 'reference/shop');
    const { nodes } = (await client.get(`/v1/spaces/${space}/content/page/${id}/document`)).body;
    expect(nodes.at(-1)).toMatchObject({ type: 'openapi-operation', data: { path: '/shop' } });
  });

  it('is shown as its source with computed=false', async () => {
    const { pages } = await content(space, '?computed=false');
    expect(paths(pages)).toEqual(expected(['readme', 'reference', '(computed)', 'reference/last']));
    expect(pages[1].pages[0].computed).toEqual(computed('pets'));
    expect(paths((await client.get(`/v1/spaces/${space}/content/pages?computed=false`)).body.pages)).toHaveLength(4);
  });

  it('is found by the summary and the path of an operation', async () => {
    for (const query of ['wombat', 'delete pets id']) {
      const { items } = (await client.get(`/v1/spaces/${space}/search?query=${encodeURIComponent(query)}`)).body;
      expect(items.map(({ path }: any) => path)).toEqual(['reference/pets']);
    }
    const [{ sections }] = (await client.get(`/v1/spaces/${space}/search?query=wombat`)).body.items;
    expect(sections[0]).toMatchObject({ title: 'List every wombat', path: 'reference/pets#list-every-wombat' });
  });

  it('depends on its specification', async () => {
    const { id } = await at(space, 'reference/pets');
    const links = await linksAt(client, `/v1/spaces/${space}/content/page/${id}/links`);
    expect(links.pets).toMatchObject({ status: 'ok', relation: 'dependsOn' });
    const { items } = (await client.get(`/v1/spaces/${space}/links?status=ok`)).body;
    const target = items.find(({ url }: any) => url === 'pets').targetReference;
    expect(target).toMatchObject({ kind: 'openapi', openAPISpec: { slug: 'pets' } });
  });

  it('cannot be written through its pages', async () => {
    const { id } = await at(space, 'reference/pets');
    const made = (await client.post(`/v1/spaces/${space}/change-requests`, {})).body;
    const refused = [
      { operation: 'update_page', page: id, title: 'Mine' },
      { operation: 'delete_page', page: id },
      { operation: 'revert_page', page: id },
      inserted('Below', { into: id, ...document('x') }),
    ];
    for (const change of refused) {
      const { status, body } = await client.post(`/v1/spaces/${space}/change-requests/${made.id}/content`, {
        changes: [change],
      });
      expect([status, body.error.message]).toEqual([400, expect.stringContaining('OpenAPI specification')]);
    }
  });

  it('stays a block of YAML in what is exported', async () => {
    const url = `${repositories.url}/pets.git`;
    const exported = { url, ref: 'refs/heads/exported', commitMessage: 'Export' };
    expect((await client.post(`/v1/spaces/${space}/git/export`, exported)).status).toBe(204);
    expect(await operationEnd(client, space)).toMatchObject({ state: 'success' });
    const files = (await repositories.git('pets', 'ls-tree', '-r', '--name-only', 'exported')).split('\n').sort();
    expect(files).toEqual(['README.md', 'SUMMARY.md', 'last.md', 'reference.md']);
    const written = await repositories.git('pets', 'show', 'exported:SUMMARY.md');
    expect(written).toContain('spec: pets');
    expect(written).not.toContain('lastVersion');
  });

  it('follows the versions of its specification, as revisions of the type computed', async () => {
    const before = await at(space, 'reference/pets');
    await publish('pets', openapi({ '/pets': { tag: 'Pets' }, '/toys': { tag: 'Toys' } }));
    const after = await becomes(
      space,
      expected(['readme', 'reference', 'reference/pets', 'reference/toys', 'reference/models', 'reference/last']),
    );
    expect(after.type).toBe('computed');
    expect((await at(space, 'reference/pets')).id).toBe(before.id);
    const same = after.id;
    await publish('pets', openapi({ '/pets': { tag: 'Pets' }, '/toys': { tag: 'Toys' } }));
    expect((await content(space)).id).toBe(same);
  });

  it('stays without pages, and with value null, when its specification is deleted', async () => {
    expect((await client.delete(spec('pets'))).status).toBe(205);
    const after = await becomes(space, expected(['readme', 'reference', '(computed)', 'reference/last']));
    expect(after.pages[1].pages[0].computed.dependencies.spec).toEqual({
      ref: { kind: 'openapi', spec: 'pets' },
      value: null,
    });
    expect((await content(space, '?computed=false')).pages[1].pages[0].computed).toEqual(computed('pets'));
    await publish('pets', openapi({ '/new': { tag: 'New' } }));
    await becomes(space, expected(['readme', 'reference', 'reference/new', 'reference/models', 'reference/last']));
  });
});

describe('a computed page that is inserted', () => {
  it('has the pages of its specification in the change request, and in the space once it is merged', async () => {
    await publish('written', openapi({ '/a': { tag: 'A' }, '/b': { tag: 'A', summary: 'Be' } }));
    const space = await newSpace(client, organization);
    const made = (await client.post(`/v1/spaces/${space}/change-requests`, {})).body;
    const write = (changes: object[]) =>
      client.post(`/v1/spaces/${space}/change-requests/${made.id}/content`, { changes });
    const page = { operation: 'insert_page', computed: computed('written', { grouping: 'by-operation' }) };
    const bad: [object, string][] = [
      [{ ...page, document: { markdown: 'x' } }, 'changes.0.document'],
      [{ ...page, description: 'x' }, 'changes.0.description'],
      [{ ...page, condition: 'true' }, 'changes.0.condition'],
      [{ operation: 'insert_page' }, 'changes.0.document'],
      [{ operation: 'insert_page', computed: { ...page.computed, type: 'builtin:other' } }, 'changes.0.computed.type'],
      [{ operation: 'insert_page', computed: { type: 'builtin:openapi' } }, 'changes.0.computed'],
      [{ ...page, computed: computed('written', { models: 1 }) }, 'changes.0.computed.props.models'],
      [{ ...page, computed: computed('') }, 'changes.0.computed.dependencies.spec.ref.spec'],
    ];
    for (const [change, field] of bad) {
      const { status, body } = await write([change]);
      expect([status, body.error.message]).toEqual([400, expect.stringContaining(field)]);
    }
    expect((await write([page, inserted('A', document('Own'))])).status).toBe(200);
    const inRequest = (await client.get(`/v1/spaces/${space}/change-requests/${made.id}/content`)).body;
    const shown = ['a-1', 'a-1/get-a', 'a-1/be', 'a'];
    expect(paths(inRequest.pages)).toEqual(shown);
    expect((await client.post(`/v1/spaces/${space}/change-requests/${made.id}/merge`, {})).body.result).toBe('merge');
    expect(paths((await content(space)).pages)).toEqual(shown);
    await publish('written', openapi({ '/c': { tag: 'C' } }));
    const after = await becomes(space, ['c', 'c/get-c', 'a']);
    expect(after.type).toBe('computed');
  });

  it('goes with its pages when a change request deletes it, whatever its specification became meanwhile', async () => {
    await publish('leaving', openapi({ '/a': { tag: 'A' }, '/b': { tag: 'B' } }));
    const space = await newSpace(client, organization, { editMode: 'live' });
    const insertion = { operation: 'insert_page', computed: computed('leaving', {}) };
    const changes = [inserted('Home', document('x')), insertion];
    expect((await client.post(`/v1/spaces/${space}/content`, { changes })).status).toBe(200);
    const made = (await client.post(`/v1/spaces/${space}/change-requests`, {})).body;
    const page = (await content(space, '?computed=false')).pages[1].id;
    const request = `/v1/spaces/${space}/change-requests/${made.id}`;
    expect((await client.post(`${request}/content`, { changes: [{ operation: 'delete_page', page }] })).status).toBe(
      200,
    );
    await publish('leaving', openapi({ '/a': { tag: 'A', summary: 'Other' }, '/c': { tag: 'C' } }));
    await becomes(space, ['home', 'a', 'c']);
    expect((await client.post(`${request}/merge`, {})).body).toMatchObject({ result: 'merge' });
    expect(paths((await content(space)).pages)).toEqual(['home']);
    expect((await content(space, '?computed=false')).pages).toHaveLength(1);
  });

  it('may name a specification that comes later, and moves with its pages', async () => {
    const space = await newSpace(client, organization, { editMode: 'live' });
    const write = (changes: object[]) => client.post(`/v1/spaces/${space}/content`, { changes });
    const changes = [
      inserted('Guide', { ref: 'guide', ...document('x') }),
      { operation: 'insert_page', title: 'API', computed: computed('later', {}) },
    ];
    expect((await write(changes)).status).toBe(200);
    expect(paths((await content(space)).pages)).toEqual(['guide', '(computed)']);
    await publish('later', openapi({ '/a': {}, '/b': {} }));
    const { pages } = await becomes(space, ['guide', 'a', 'b']);
    const source = (await content(space, '?computed=false')).pages[1].id;
    expect((await write([{ operation: 'update_page', page: source, into: pages[0].id }])).status).toBe(200);
    expect(paths((await content(space)).pages)).toEqual(['guide', 'guide/a', 'guide/b']);
    expect((await client.get(`/v1/spaces/${space}/content/path/a`)).body.path).toBe('guide/a');
    expect((await write([{ operation: 'delete_page', page: source }])).status).toBe(200);
    expect(paths((await content(space)).pages)).toEqual(['guide']);
  });

  it('gives way to a page that comes from Git later, and keeps the path that it gets', async () => {
    const name = 'way';
    await publish(name, openapi({ '/a': { tag: 'Last' }, '/b': { tag: 'Users' } }));
    const space = await spaceWith(name);
    const shown = async () => paths((await content(space)).pages).slice(2);
    expect(await shown()).toEqual(['reference/last-1', 'reference/users', 'reference/models', 'reference/last']);
    const pushed = async (listed: string) => {
      await repositories.commit(name, {
        'SUMMARY.md': summary(name).replace('[Last](last.md)', listed),
        'users.md': '# U\n',
      });
      await importInto(client, space, { url: `${repositories.url}/${name}.git` });
      return shown();
    };
    const now = ['reference/last-1', 'reference/users-1', 'reference/models', 'reference/users'];
    expect(await pushed('[Users](users.md)')).toEqual(now);
    expect(await pushed('[Last](last.md)')).toEqual([...now.slice(0, 3), 'reference/last']);
  });

  it('shares a place with others and with pages of authors: no two have a path, and each keeps its own', async () => {
    await publish('first', openapi({ '/a': { tag: 'Users' } }));
    await publish('second', openapi({ '/b': { tag: 'Users' }, '/c': { tag: 'Teams' } }));
    const space = await newSpace(client, organization, { editMode: 'live' });
    const write = async (...changes: object[]) => {
      const { status, body } = await client.post(`/v1/spaces/${space}/content`, { changes });
      expect([status, body.error]).toEqual([200, undefined]);
      return paths((await content(space)).pages);
    };
    const insertion = (spec: string) => ({ operation: 'insert_page', computed: computed(spec, {}) });
    expect(await write(insertion('first'))).toEqual(['users']);
    const { id: earlier } = await content(space);
    expect(await write({ ...insertion('second'), at: 0 })).toEqual(['users-1', 'teams', 'users']);
    expect(await write(inserted('Teams', document('x')))).toEqual(['users-1', 'teams', 'users', 'teams-1']);
    const { id } = await at(space, 'teams-1');
    expect(await write({ operation: 'delete_page', page: id })).toEqual(['users-1', 'teams', 'users']);
    await publish('second', openapi({ '/b': { tag: 'Users' }, '/d': { tag: 'Other' } }));
    await becomes(space, ['users-1', 'other', 'users']);
    for (const path of ['users', 'users-1'])
      expect((await at(space, path, '?format=markdown')).markdown).toContain(
        `spec="${path === 'users' ? 'first' : 'second'}"`,
      );
    await publish('first', openapi({ '/a': { tag: 'People' } }));
    await becomes(space, ['users-1', 'other', 'people']);
    expect((await client.post(`/v1/spaces/${space}/revisions/${earlier}/restore`, {})).status).toBe(200);
    expect(paths((await content(space)).pages)).toEqual(['people']);
  });

  it('has paths of its own also where change requests of several writers are merged', async () => {
    await publish('merged-a', openapi({ '/a': { tag: 'Users' } }));
    await publish('merged-b', openapi({ '/b': { tag: 'Users' }, '/c': { tag: 'Teams' } }));
    const space = await newSpace(client, organization);
    const requests = await Promise.all(
      ['merged-a', 'merged-b'].map(async (spec) => {
        const { id } = (await client.post(`/v1/spaces/${space}/change-requests`, {})).body;
        const at = `/v1/spaces/${space}/change-requests/${id}`;
        const changes = [{ operation: 'insert_page', computed: computed(spec, {}) }];
        expect((await client.post(`${at}/content`, { changes })).status).toBe(200);
        return at;
      }),
    );
    for (const at of requests) expect((await client.post(`${at}/merge`, {})).body.result).toBe('merge');
    expect(paths((await content(space)).pages)).toEqual(['users', 'users-1', 'teams']);
  });
});
