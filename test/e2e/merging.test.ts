import { newOrganization, newSpace, newUser, shared, walk } from '../support/fixtures.js';
import { flatPages, importedSpace, importInto, openRepositories, type Repositories } from '../support/repository.js';

const client = shared();
let organization: string;
let repositories: Repositories;
let space: string;
beforeAll(async () => {
  organization = await newOrganization(client);
  repositories = await openRepositories();
});
afterAll(() => repositories.close());
beforeEach(async () => {
  space = await newSpace(client, organization, { editMode: 'live' });
});

const at = (number: number | string, rest = '') => `/v1/spaces/${space}/change-requests/${number}${rest}`;
const spaceNow = async () => (await client.get(`/v1/spaces/${space}`)).body;
const requestNow = async (number: number | string) => (await client.get(at(number))).body;
const newRequest = async (subject = 'A change'): Promise<number> =>
  (await client.post(`/v1/spaces/${space}/change-requests`, { subject })).body.number;
const counts = async () => {
  const { changeRequests, changeRequestsOpen, changeRequestsDraft } = await spaceNow();
  return [changeRequests, changeRequestsOpen, changeRequestsDraft];
};

const insert = (title: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown: `About ${title}.\n` },
  ...more,
});
const rewrite = (page: string, markdown: string, more: object = {}) => ({
  operation: 'update_page',
  page,
  document: { markdown },
  ...more,
});

async function post(path: string, body: unknown, expected = 200): Promise<any> {
  const answer = await client.post(path, body);
  expect([answer.status, answer.status === expected ? '' : answer.body]).toEqual([expected, '']);
  return answer.body;
}
const live = (...changes: unknown[]) => post(`/v1/spaces/${space}/content`, { changes });
const write = (number: number, ...changes: unknown[]) => post(at(number, '/content'), { changes });
const merge = (number: number) => post(at(number, '/merge'), {});
const update = (number: number, ...choices: unknown[]) => post(at(number, '/update'), { choices });
const conflicts = async (number: number) => walk(client, at(number, '/conflicts'), 50);

const pagesAt = async (path: string) => flatPages((await client.get(`${path}/pages`)).body.pages);
const primaryPages = () => pagesAt(`/v1/spaces/${space}/content`);
const requestPages = (number: number) => pagesAt(at(number, '/content'));
const titles = async (pages: ReturnType<typeof primaryPages>) => (await pages).map(({ title }) => title);
const idOf = async (title: string) => (await primaryPages()).find((page) => page.title === title)?.id as string;
const sourceAt = async (path: string, page: string): Promise<string> =>
  (await client.get(`${path}/page/${page}?format=source`)).body.source;
const primarySource = (page: string) => sourceAt(`/v1/spaces/${space}/content`, page);
const revision = async (id: string) => (await client.get(`/v1/spaces/${space}/revisions/${id}`)).body;

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
    const until = Date.now() + 1000;
    let found = 0;
    while (found === 0 && Date.now() < until)
      found = (await client.get(`/v1/spaces/${space}/search?query=marsupially`)).body.items.length;
    expect(found).toBe(1);
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
    expect(await revision(merged.revision)).toMatchObject({ type: 'merge', parents: [base, updated.revision] });
    expect(await primaryPages()).toEqual(await requestPages(number));
  });
});

describe('conflicts', () => {
  const lines = (second: string) => `First line.\n${second}\nThird line.\n`;
  let number: number;
  let page: string;
  let other: string;
  beforeEach(async () => {
    await live(insert('Page', { document: { markdown: lines('Second line.') } }), insert('Other'));
    [page, other] = [await idOf('Page'), await idOf('Other')];
    number = await newRequest();
    await write(
      number,
      rewrite(page, lines('Mine.'), { title: 'My title' }),
      { operation: 'delete_page', page: other },
      insert('New'),
    );
    await live(
      rewrite(page, lines('Theirs.'), { title: 'Their title', icon: 'bolt' }),
      rewrite(other, 'Something else.\n'),
    );
  });

  const expected = () => [
    {
      object: 'conflict',
      kind: 'page',
      id: page,
      title: 'Their title',
      path: 'page',
      attributes: [{ attribute: 'title', base: 'Page', primary: 'Their title', changeRequest: 'My title' }],
      hunks: [
        { line: expect.any(Number), base: ['Second line.\n'], primary: ['Theirs.\n'], changeRequest: ['Mine.\n'] },
      ],
    },
    {
      object: 'conflict',
      kind: 'page',
      id: other,
      title: 'Other',
      path: 'other',
      deletedIn: 'change-request',
      attributes: [],
      hunks: [],
    },
  ];

  it('are listed page by page, and nothing moves', async () => {
    const before = [await spaceNow(), await requestNow(number)];
    for (const path of ['/merge', '/update'])
      expect(await post(at(number, path), {})).toEqual({ revision: before[1].revision, result: 'conflicts' });
    expect([await spaceNow(), await requestNow(number)]).toEqual(before);
    expect(await conflicts(number)).toEqual(expected());
    expect(await walk(client, at(number, '/conflicts'), 1)).toEqual(expected());
    const { body } = await client.get(at(number, '/conflicts?limit=1'));
    expect(body).toMatchObject({ count: 2, next: { page: expect.any(String) } });
    await live(insert('Changed since'));
    expect((await client.get(at(number, `/conflicts?limit=1&page=${body.next.page}`))).status).toBe(400);
  });

  it('are settled by a choice for each', async () => {
    const choice = (id: string, side: string) => ({ kind: 'page', id, choice: side });
    expect((await update(number, choice(page, 'change-request'))).result).toBe('conflicts');
    const choices = [{ id: page, choice: 'change-request' }, choice(other, 'primary')];
    expect((await update(number, ...choices)).result).toBe('update');
    expect(await conflicts(number)).toEqual([]);
    expect((await merge(number)).result).toBe('merge');
    const now = (await primaryPages()).find(({ id }) => id === page);
    expect(now).toMatchObject({ title: 'My title', icon: 'bolt' });
    expect(await primarySource(page)).toContain(lines('Mine.'));
    expect(await primarySource(other)).toBe('Something else.\n');
    expect(await titles(primaryPages())).toContain('New');
  });

  it('are settled by writing the page again, with the choice for it', async () => {
    await write(number, rewrite(page, lines('Mine and theirs.'), { title: 'Both' }));
    expect(
      await update(number, { id: page, choice: 'change-request' }, { id: other, choice: 'change-request' }),
    ).toMatchObject({ result: 'update' });
    await merge(number);
    expect((await primaryPages()).find(({ id }) => id === page)).toMatchObject({ title: 'Both' });
    expect(await primarySource(page)).toContain(lines('Mine and theirs.'));
    expect(await titles(primaryPages())).not.toContain('Other');
  });

  it('go when the change request says the same', async () => {
    await write(number, rewrite(page, lines('Theirs.'), { title: 'Their title' }), {
      operation: 'revert_page',
      page: other,
    });
    expect(await conflicts(number)).toEqual([]);
    expect((await merge(number)).result).toBe('merge');
  });

  it('take no choice that says nothing', async () => {
    const refusals: [unknown, string][] = [
      [{ id: 'nowhere', choice: 'primary' }, 'choices.0: there is no page nowhere'],
      [{ kind: 'variable', id: 'x', choice: 'primary' }, 'choices.0: there is no variable x'],
      [{ id: page, choice: 'mine' }, 'choices.0.choice'],
      [{ kind: 'space', id: page, choice: 'primary' }, 'choices.0.kind'],
      [{ choice: 'primary' }, 'choices.0.id'],
    ];
    for (const [choice, message] of refusals)
      expect((await post(at(number, '/update'), { choices: [choice] }, 400)).error.message).toContain(message);
    const twice = ['primary', 'change-request'].map((choice) => ({ id: page, choice }));
    expect((await post(at(number, '/update'), { choices: twice }, 400)).error.message).toBe(
      `choices.1: there are two choices for the page ${page}`,
    );
    const many = Array.from({ length: 1001 }, (_, each) => ({ id: `${each}`, choice: 'primary' }));
    expect((await client.post(at(number, '/update'), { choices: many })).status).toBe(400);
    const quiet = await idOf('Their title');
    const settling = [page, other].map((id) => ({ id, choice: 'primary' }));
    expect(quiet).toBe(page);
    expect((await update(number, ...settling)).result).toBe('update');
    expect((await update(number, ...settling)).result).toBe('update');
  });
});

describe('at once', () => {
  it('change requests of different pages all become content', async () => {
    const numbers: number[] = [];
    for (let each = 0; each < 8; each++) numbers.push(await newRequest(`${each}`));
    await Promise.all(numbers.map((number) => write(number, insert(`Page ${number}`))));
    const merged = await Promise.all(numbers.map(merge));
    expect(merged.map(({ result }) => result)).toEqual(numbers.map(() => 'merge'));
    expect(new Set(merged.map(({ revision: id }) => id)).size).toBe(8);
    expect(await titles(primaryPages())).toEqual(expect.arrayContaining(numbers.map((number) => `Page ${number}`)));
    expect(await counts()).toEqual([8, 0, 0]);
  });

  it('the second of two that change one line sees the first', async () => {
    await live(insert('Page'));
    const page = await idOf('Page');
    const numbers = [await newRequest(), await newRequest()];
    await Promise.all(numbers.map((number) => write(number, rewrite(page, `Line of ${number}.\n`))));
    const results = (await Promise.all(numbers.map(merge))).map(({ result }) => result);
    expect([...results].sort()).toEqual(['conflicts', 'merge']);
    const [first, second] = results[0] === 'merge' ? numbers : [...numbers].reverse();
    expect(await primarySource(page)).toContain(`Line of ${first}.`);
    expect(await conflicts(second as number)).toMatchObject([
      { id: page, hunks: [{ primary: [`Line of ${first}.\n`], changeRequest: [`Line of ${second}.\n`] }] },
    ]);
  });

  it('one change request is merged once', async () => {
    const number = await newRequest();
    await write(number, insert('Once'));
    const answers = await Promise.all(Array.from({ length: 6 }, () => client.post(at(number, '/merge'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
    expect((await titles(primaryPages())).filter((title) => title === 'Once')).toHaveLength(1);
  });

  it('merges, updates, writing and live edits lose nothing', async () => {
    const numbers: number[] = [];
    for (let each = 0; each < 3; each++) numbers.push(await newRequest(`${each}`));
    const writing = async (number: number) => {
      for (let each = 0; each < 5; each++) {
        await write(number, insert(`Of ${number}, ${each}`));
        await update(number);
      }
      await merge(number);
    };
    const editing = async () => {
      for (let each = 0; each < 15; each++) await live(insert(`Live ${each}`));
    };
    await Promise.all([...numbers.map(writing), editing()]);
    const wanted = numbers.flatMap((number) => Array.from({ length: 5 }, (_, each) => `Of ${number}, ${each}`));
    const liveTitles = Array.from({ length: 15 }, (_, each) => `Live ${each}`);
    const shown = (await titles(primaryPages())).filter((title) => /^(Of|Live) /.test(title));
    expect(shown.sort()).toEqual([...wanted, ...liveTitles].sort());
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
    space = await newSpace(client, organization);
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
    space = imported.space;
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
    await importInto(client, space, { url: imported.url });
    const home = await idOf('Home');
    expect((await update(number)).result).toBe('update');
    expect((await merge(number)).result).toBe('merge');
    const { body } = await client.get(`/v1/spaces/${space}/content`);
    expect(body.variables).toEqual({ product: 'Books', edition: '2' });
    expect(body.files.map(({ name }: any) => name).sort()).toEqual(['a.png', 'b.txt', 'c.png']);
    const [note] = body.reusableContents;
    const path = `/v1/spaces/${space}/content/reusable-contents/${note.id}`;
    expect(JSON.stringify((await client.get(`${path}/document`)).body)).toContain('Keep that in mind.');
    expect(await titles(primaryPages())).toEqual(expect.arrayContaining(['Home', 'C', 'New']));
    expect(await titles(primaryPages())).not.toContain('Old');
    expect(await primarySource(home)).toContain('First.');
    expect(await primarySource(home)).toContain('The last.');
    expect(await primarySource(await idOf('New'))).toContain(`/files/${inserted.insertedFiles[0].id}`);
  });

  it('a page that the import deleted and a change request changed is in conflict', async () => {
    const imported = await importedSpace({ client, organization, repositories }, 'deleting', files);
    space = imported.space;
    const number = await newRequest();
    const old = await idOf('Old');
    await write(number, rewrite(old, '# Old\n\nText, but newer.\n'));
    await repositories.commit('deleting', { 'old.md': null });
    await importInto(client, space, { url: imported.url });
    expect(await merge(number)).toMatchObject({ result: 'conflicts' });
    expect(await conflicts(number)).toMatchObject([{ kind: 'page', id: old, title: 'Old', deletedIn: 'primary' }]);
    expect((await update(number, { id: old, choice: 'change-request' })).result).toBe('update');
    await merge(number);
    expect(await primarySource(old)).toContain('Text, but newer.');
  });
});
