import { changeRequestsOf, insert, rewrite } from '../support/change-requests.js';
import { newOrganization, newSpace, shared, walk } from '../support/fixtures.js';

const client = shared();
const of = { space: '' };
let organization: string;
beforeAll(async () => {
  organization = await newOrganization(client);
});
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
  titles,
  idOf,
  primarySource,
} = changeRequestsOf(client, of);

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

  it('are not settled by choices for other content of the space, if that is named', async () => {
    const { revision } = await spaceNow();
    await live(insert('Changed since'));
    const choices = [page, other].map((id) => ({ id, choice: 'change-request' }));
    const { error } = await post(at(number, '/update'), { choices, revision }, 409);
    expect(error.message).toBe('revision: the content of the space has changed since; list the conflicts again');
    expect(await conflicts(number)).toHaveLength(2);
    const now = (await spaceNow()).revision;
    expect((await post(at(number, '/update'), { choices, revision: now })).result).toBe('update');
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
