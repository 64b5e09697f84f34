import { eventually } from '../../shared/testing/eventually.js';
import { changeRequestsOf, insert, rewrite } from '../support/change-requests.js';
import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { importedSpace, importInto, openRepositories, type Repositories } from '../support/repository.js';

const client = shared();
const of = { space: '' };
let organization: string;
let repositories: Repositories;
beforeAll(async () => {
  organization = await newOrganization(client);
  repositories = await openRepositories();
});
afterAll(() => repositories.close());
beforeEach(async () => {
  of.space = await newSpace(client, organization, { editMode: 'live' });
});

const {
  at,
  spaceNow,
  requestNow,
  newRequest,
  counts,
  post,
  live,
  write,
  merge,
  update,
  conflicts,
  primaryPages,
  requestPages,
  titles,
  idOf,
  primarySource,
  revision,
} = changeRequestsOf(client, of);

describe('a change request', () => {
  it('becomes content of the space, with its history', async () => {
    const number = await newRequest('Describe the quokka');
    const reviewer = await newUser(client, { organization, role: 'review' });
    await write(number, insert('Quokka', { document: { markdown: 'It smiles marsupially.\n' } }));
    await client.post(at(number, '/requested-reviewers'), { users: [reviewer.id] });
    await reviewer.client.post(at(number, '/reviews'), { status: 'approved' });
    expect(await counts()).toEqual([1, 1, 0]);
    const [before, request] = [(await spaceNow()).revision, await requestNow(number)];
    const { status, body } = await reviewer.client.post(at(number, '/merge'));
    expect([status, body]).toEqual([200, { revision: expect.any(String), result: 'merge' }]);
    expect(await counts()).toEqual([1, 0, 0]);
    expect((await spaceNow()).revision).toBe(body.revision);
    const head = request.revision;
    expect(await requestNow(number)).toMatchObject({
      status: 'merged',
      revision: head,
      revisionMerged: body.revision,
      outdated: false,
    });
    expect(await revision(body.revision)).toMatchObject({ type: 'merge', parents: [before, head] });
    expect(await titles(primaryPages())).toContain('Quokka');
    const found = await eventually(
      'the merged text in the search',
      async () => (await client.get(`/v1/spaces/${of.space}/search?query=marsupially`)).body.items,
      ({ length }) => length > 0,
    );
    expect(found).toHaveLength(1);
  });

  it('cannot be changed any more once it is merged', async () => {
    const number = await newRequest();
    await write(number, insert('One'));
    await merge(number);
    const merged = { revision: (await spaceNow()).revision, request: await requestNow(number) };
    const refusal = 'This change request is merged and cannot be changed';
    for (const [path, body] of [
      ['/merge', {}],
      ['/update', {}],
      ['/content', { changes: [insert('Two')] }],
      ['/reviews', { status: 'approved' }],
    ] as const)
      expect((await post(at(number, path), body, 400)).error.message).toBe(refusal);
    expect((await client.patch(at(number), { status: 'open' })).status).toBe(400);
    expect(await conflicts(number)).toEqual([]);
    expect({ revision: (await spaceNow()).revision, request: await requestNow(number) }).toEqual(merged);
  });

  it('cannot be merged or updated while it is archived', async () => {
    const number = await newRequest();
    await write(number, insert('One'));
    await live(insert('Two'));
    await client.patch(at(number), { status: 'archived' });
    const refusal = 'This change request is archived and cannot be changed; set its status to draft or open first';
    for (const path of ['/merge', '/update'])
      expect((await post(at(number, path), {}, 400)).error.message).toBe(refusal);
    expect(await titles(primaryPages())).not.toContain('One');
    await client.patch(at(number), { status: 'draft' });
    expect((await merge(number)).result).toBe('merge');
    expect(await counts()).toEqual([1, 0, 0]);
  });

  it('is outdated until it is updated', async () => {
    const number = await newRequest();
    const initial = await requestNow(number);
    expect(await update(number)).toEqual({ revision: initial.revision, result: 'update' });
    await write(number, insert('Mine'));
    await live(insert('Theirs'));
    const [head, base] = [(await requestNow(number)).revision, (await spaceNow()).revision];
    expect(await requestNow(number)).toMatchObject({ outdated: true });
    const updated = await update(number);
    expect(updated).toEqual({ revision: expect.any(String), result: 'update' });
    expect(await revision(updated.revision)).toMatchObject({ type: 'update', parents: [head, base] });
    expect(await requestNow(number)).toMatchObject({
      revision: updated.revision,
      revisionInitial: initial.revision,
      revisionMergedAncestor: base,
      outdated: false,
      status: 'draft',
    });
    expect(await titles(requestPages(number))).toEqual(expect.arrayContaining(['Mine', 'Theirs']));
    expect(await update(number)).toEqual(updated);
    const merged = await merge(number);
    const mergedFrom = await requestNow(number);
    expect(await revision(merged.revision)).toMatchObject({
      type: 'merge',
      mergedFrom,
      parents: [base, updated.revision],
    });
    expect((await client.get(`/v1/spaces/${of.space}/content`)).body.mergedFrom).toEqual(mergedFrom);
    expect(await primaryPages()).toEqual(await requestPages(number));
  });
});

describe('who may', () => {
  it('merge are reviewers; writers may update, readers see the conflicts, strangers find nothing', async () => {
    const number = await newRequest();
    await write(number, insert('One'));
    await live(insert('Two'));
    const role = async (name: string) => (await newUser(client, { organization, role: name })).client;
    const [reader, writer, reviewer, stranger] = [
      await role('read'),
      await role('edit'),
      await role('review'),
      (await newUser(client)).client,
    ];
    const ask = async (who: typeof client) => [
      (await who.get(at(number, '/conflicts'))).status,
      (await who.post(at(number, '/update'), {})).status,
      (await who.post(at(number, '/merge'), {})).status,
    ];
    expect(await ask(stranger)).toEqual([404, 404, 404]);
    expect(await ask(reader)).toEqual([200, 403, 403]);
    expect(await ask(writer)).toEqual([200, 200, 403]);
    expect((await reviewer.post(at(number, '/merge'), {})).body.result).toBe('merge');
  });

  it('name a change request of another space finds nothing', async () => {
    const number = await newRequest();
    const { id } = await requestNow(number);
    of.space = await newSpace(client, organization);
    for (const name of [id, number, 'none'])
      for (const path of ['/merge', '/update']) expect((await client.post(at(name, path), {})).status).toBe(404);
    expect((await client.get(at(id, '/conflicts'))).status).toBe(404);
  });
});

describe('with an import meanwhile', () => {
  const files = {
    'README.md': '# Home\n\n![a](a.png)\n\nLast.\n',
    'old.md': '# Old\n\nText.\n',
    'a.png': 'none',
    '.gitbook/vars.yaml': 'product: Bindery\n',
    '.gitbook/includes/note.md': 'Keep this in mind.\n',
  };

  it('files, variables and reusable content of the import come with what was written', async () => {
    const imported = await importedSpace({ client, organization, repositories }, 'merging', files);
    of.space = imported.space;
    const number = await newRequest();
    const inserted = await post(at(number, '/content?compat=false'), {
      changes: [
        {
          operation: 'insert_files',
          files: [{ name: 'b.txt', contentType: 'text/plain', base64: 'Yg==', ref: 'b' }],
        },
        insert('New', { document: { markdown: 'See [b](./b).\n' } }),
        rewrite(await idOf('Home'), '# Home\n\n![a](a.png)\n\nThe last.\n'),
      ],
    });
    await repositories.commit('merging', {
      'README.md': '# Home\n\nFirst.\n\n![a](a.png)\n\nLast.\n',
      'old.md': null,
      'c.md': '# C\n\n![c](c.png)\n',
      'c.png': 'another',
      '.gitbook/vars.yaml': 'product: Books\nedition: "2"\n',
      '.gitbook/includes/note.md': 'Keep that in mind.\n',
    });
    await importInto(client, of.space, { url: imported.url });
    const home = await idOf('Home');
    expect((await update(number)).result).toBe('update');
    expect((await merge(number)).result).toBe('merge');
    const { body } = await client.get(`/v1/spaces/${of.space}/content`);
    expect(body.variables).toEqual({ product: 'Books', edition: '2' });
    expect(body.files.map(({ name }: any) => name).sort()).toEqual(['a.png', 'b.txt', 'c.png']);
    const [note] = body.reusableContents;
    const path = `/v1/spaces/${of.space}/content/reusable-contents/${note.id}`;
    expect(JSON.stringify((await client.get(`${path}/document`)).body)).toContain('Keep that in mind.');
    expect(await titles(primaryPages())).toEqual(expect.arrayContaining(['Home', 'C', 'New']));
    expect(await titles(primaryPages())).not.toContain('Old');
    expect(await primarySource(home)).toContain('First.');
    expect(await primarySource(home)).toContain('The last.');
    expect(await primarySource(await idOf('New'))).toContain(`/files/${inserted.insertedFiles[0].id}`);
  });

  it('a page that the import deleted and a change request changed is in conflict', async () => {
    const imported = await importedSpace({ client, organization, repositories }, 'deleting', files);
    of.space = imported.space;
    const number = await newRequest();
    const old = await idOf('Old');
    await write(number, rewrite(old, '# Old\n\nText, but newer.\n'));
    await repositories.commit('deleting', { 'old.md': null });
    await importInto(client, of.space, { url: imported.url });
    expect(await merge(number)).toMatchObject({ result: 'conflicts' });
    expect(await conflicts(number)).toMatchObject([{ kind: 'page', id: old, title: 'Old', deletedIn: 'primary' }]);
    expect((await update(number, { id: old, choice: 'change-request' })).result).toBe('update');
    await merge(number);
    expect(await primarySource(old)).toContain('Text, but newer.');
  });
});
