import { newOrganization, newSpace, newUser, newUsers, shared, shownUser, walk } from '../support/fixtures.js';

const client = shared();
let organization: string;
let space: string;
beforeAll(async () => {
  organization = await newOrganization(client);
});
beforeEach(async () => {
  space = await newSpace(client, organization);
});

const at = (rest: string | number = '') => `/v1/spaces/${space}/change-requests${rest === '' ? '' : `/${rest}`}`;
const create = async (subject = 'A change') => (await client.post(at(), { subject })).body;
const counts = async () => {
  const { changeRequests, changeRequestsOpen, changeRequestsDraft } = (await client.get(`/v1/spaces/${space}`)).body;
  return [changeRequests, changeRequestsOpen, changeRequestsDraft];
};

describe('a change request', () => {
  it('starts as a draft at the current content, and is found by id and by number', async () => {
    const { status, body, headers } = await client.post(at(), { subject: 'Better words' });
    expect([status, headers.get('location')]).toEqual([201, body.urls.location]);
    const { revision } = (await client.get(`/v1/spaces/${space}`)).body;
    expect(body).toMatchObject({
      object: 'change-request',
      number: 1,
      status: 'draft',
      subject: 'Better words',
      space,
      revision,
      revisionInitial: revision,
      comments: 0,
      outdated: false,
    });
    const me = await shownUser(client);
    expect(body.createdBy).toEqual(me);
    for (const name of [body.id, 1]) expect((await client.get(at(name))).body).toEqual(body);
    for (const name of ['nowhere', 2, 0, '01']) expect((await client.get(at(name))).status).toBe(404);
    const other = await newSpace(client, organization);
    expect((await client.get(`/v1/spaces/${other}/change-requests/${body.id}`)).status).toBe(404);
    expect((await client.post(at())).body).toMatchObject({ number: 2, subject: '' });
  });

  it('gets the next number, also among 64 creators at once', async () => {
    const made = await Promise.all(Array.from({ length: 64 }, (_, each) => client.post(at(), { subject: `${each}` })));
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    const numbers = made.map(({ body }) => body.number).sort((a, b) => a - b);
    expect(numbers).toEqual(made.map((_, each) => each + 1));
    expect(await counts()).toEqual([64, 0, 64]);
  });

  it('is listed by status, page by page; drafts only on request', async () => {
    for (let each = 1; each <= 5; each++) await create(`${each}`);
    for (const number of [2, 3, 4]) await client.patch(at(number), { status: 'open' });
    await client.patch(at(4), { status: 'archived' });
    const numbers = async (query: string) => (await walk(client, `${at()}?${query}`, 1)).map(({ number }) => number);
    expect(await numbers('')).toEqual([3, 2]);
    expect(await numbers('status=draft')).toEqual([5, 1]);
    expect(await numbers('status=archived')).toEqual([4]);
    expect(await numbers('status=merged')).toEqual([]);
    expect(await numbers('status=draft&contributor=nobody')).toEqual([]);
    expect((await client.get(`${at()}?limit=0`)).body).toEqual({ count: 2, items: [] });
    expect((await client.get(`${at()}?status=closed`)).status).toBe(400);
    expect((await client.get(`${at()}?page=x`)).status).toBe(400);
    expect(await counts()).toEqual([5, 2, 2]);
  });

  it('changes subject and status until it is archived, and can be opened again', async () => {
    await create();
    const opened = (await client.patch(at(1), { subject: 'Other', status: 'open' })).body;
    expect(opened).toMatchObject({ subject: 'Other', status: 'open' });
    expect((await client.patch(at(1), {})).body).toEqual(opened);
    expect((await client.patch(at(1), { status: 'archived' })).body.status).toBe('archived');
    expect(await counts()).toEqual([1, 0, 0]);
    const refused = await client.patch(at(1), { subject: 'Late' });
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      'This change request is archived and cannot be changed; set its status to draft or open',
    ]);
    expect((await client.patch(at(1), { status: 'open', subject: 'Again' })).body).toMatchObject({
      status: 'open',
      subject: 'Again',
    });
    expect(await counts()).toEqual([1, 1, 0]);
    for (const body of [{ status: 'merged' }, { subject: 'x'.repeat(101) }, { subject: 1 }])
      expect((await client.patch(at(1), body)).status).toBe(400);
  });

  it('shows who made it also when they have left', async () => {
    const writer = await newUser(client, { organization, role: 'edit' });
    const made = await writer.client.post(at(), { subject: 'Mine' });
    expect(made.status).toBe(201);
    await client.delete(`/v1/orgs/${organization}/members/${writer.id}`);
    const { createdBy } = (await client.get(at(1))).body;
    expect(createdBy).toMatchObject({ object: 'user', id: writer.id, displayName: expect.any(String) });
    expect(createdBy).not.toHaveProperty('email');
  });
});

describe('reviewers', () => {
  it('are requested once each, open a draft, and can be withdrawn', async () => {
    await create();
    const [one, two] = await newUsers(client, 2, { organization, role: 'review' });
    const path = `${at(1)}/requested-reviewers`;
    const asked = await client.post(path, { users: [one?.id, two?.id, one?.id], subject: 'Please look' });
    expect([asked.status, asked.body.users.map(({ user }: any) => user.id)]).toEqual([200, [one?.id, two?.id]]);
    const me = await shownUser(client);
    const { revision } = (await client.get(at(1))).body;
    expect(asked.body.users[0]).toMatchObject({
      object: 'change-request-requested-reviewer',
      kind: 'user',
      requestedBy: me,
      revision,
    });
    expect((await client.get(at(1))).body).toMatchObject({ status: 'open', subject: 'Please look' });
    expect(await counts()).toEqual([1, 1, 0]);
    await client.post(path, { users: [one?.id] });
    const listed = await walk(client, path, 1);
    expect(listed.map(({ user }) => user.id)).toEqual([one?.id, two?.id]);
    expect((await client.delete(`${path}/${one?.id}`)).status).toBe(205);
    expect((await client.delete(`${path}/${one?.id}`)).status).toBe(404);
    expect((await client.get(path)).body.count).toBe(1);
  });

  it('may review the space: others are refused by name, and nothing changes', async () => {
    await create();
    const writer = await newUser(client, { organization, role: 'edit' });
    await writer.client.patch(`/v1/users/${writer.id}`, { displayName: 'Grace Hopper' });
    const stranger = await newUser(client);
    const path = `${at(1)}/requested-reviewers`;
    const refusal = async (users: unknown) => {
      const { status, body } = await client.post(path, { users });
      return [status, body.error?.message];
    };
    expect(await refusal([writer.id])).toEqual([400, 'users: Grace Hopper may not review this space']);
    expect(await refusal([stranger.id])).toEqual([400, `users: ${stranger.id} is not a member of this organization`]);
    expect((await refusal('me'))[0]).toBe(400);
    expect((await client.get(at(1))).body.status).toBe('draft');
    expect((await client.get(path)).body).toEqual({ count: 0, items: [] });
    expect(await refusal([])).toEqual([200, undefined]);
    expect((await client.get(at(1))).body.status).toBe('open');
  });
});

describe('reviews', () => {
  it('approve or ask for changes, with a comment, and know who asked for them', async () => {
    await create();
    const reviewer = await newUser(client, { organization, role: 'review' });
    await client.post(`${at(1)}/requested-reviewers`, { users: [reviewer.id] });
    const path = `${at(1)}/reviews`;
    const { status, body } = await reviewer.client.post(path, {
      status: 'changes-requested',
      comment: { markdown: 'A **word** is missing.' },
    });
    const me = await shownUser(client);
    expect([status, body]).toMatchObject([
      201,
      {
        object: 'change-request-review',
        status: 'changes-requested',
        reviewer: { id: reviewer.id },
        requestedBy: me,
        comment: { body: { markdown: 'A **word** is missing.' }, target: { review: body.id } },
      },
    ]);
    expect((await client.post(path, { status: 'approved' })).body).not.toHaveProperty('comment');
    const listed = await walk(client, path, 1);
    expect(listed.map((review) => review.status)).toEqual(['approved', 'changes-requested']);
    const [, written] = (await client.get(`${path}?format=document`)).body.items;
    expect(written.comment.body.document).toMatchObject({ object: 'document', nodes: [{ type: 'paragraph' }] });
  });

  it('are outdated when their reviewer reviews or is asked again, and not when the content changes', async () => {
    space = await newSpace(client, organization, { editMode: 'live' });
    await create();
    const reviewer = await newUser(client, { organization, role: 'review' });
    const path = `${at(1)}/reviews`;
    const review = async (as = reviewer.client) => (await as.post(path, { status: 'approved' })).body;
    const ask = () => client.post(`${at(1)}/requested-reviewers`, { users: [reviewer.id] });
    const outdated = async () => (await walk(client, path, 1)).map((each) => each.outdated);
    const insert = { operation: 'insert_page', title: 'More', document: { markdown: 'More.\n' } };

    await ask();
    const { revision, outdated: atFirst } = await review();
    expect([atFirst, await outdated()]).toEqual([false, [false]]);
    await client.post(`${at(1)}/content`, { changes: [insert] });
    await client.post(`/v1/spaces/${space}/content`, { changes: [{ ...insert, title: 'Theirs' }] });
    await client.post(`${at(1)}/update`);
    expect((await client.get(at(1))).body.revision).not.toBe(revision);
    expect(await outdated()).toEqual([false]);
    await review(client);
    expect(await outdated()).toEqual([false, false]);
    await review();
    expect(await outdated()).toEqual([false, false, true]);
    await ask();
    expect(await outdated()).toEqual([true, false, true]);
    for (const wanted of [true, false])
      expect((await walk(client, `${path}?outdated=${wanted}`, 1)).map((each) => each.outdated)).toEqual(
        wanted ? [true, true] : [false],
      );
    await review();
    expect(await outdated()).toEqual([false, true, false, true]);
  });

  it('refuse what is none', async () => {
    await create();
    const path = `${at(1)}/reviews`;
    for (const body of [{}, { status: 'fine' }, { status: 'approved', comment: 'good' }])
      expect((await client.post(path, body)).status).toBe(400);
    expect((await client.post(path, { status: 'approved', comment: { document: {} } })).status).toBe(400);
    await client.patch(at(1), { status: 'archived' });
    expect((await client.post(path, { status: 'approved' })).status).toBe(400);
    expect((await client.get(path)).body.count).toBe(0);
  });
});
