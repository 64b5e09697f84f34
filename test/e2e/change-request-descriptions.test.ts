import { signedIn } from '../support/app-browser.js';
import { auditEvents } from '../support/audit.js';
import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { done } from '../support/requests/setting.js';

const admin = shared();
let organization: string;
let space: string;
let at: string;
beforeAll(async () => {
  organization = await newOrganization(admin);
  space = await newSpace(admin, organization);
  const { id } = await done(admin.post(`/v1/spaces/${space}/change-requests`, { subject: 'Installer' }));
  at = `/v1/spaces/${space}/change-requests/${id}`;
});

const saying = (text: string) => ({
  object: 'document',
  data: {},
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      data: {},
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
    },
  ],
});

it('a description is given, changed with a request for reviews, listed and removed', async () => {
  expect(await done(admin.get(at))).not.toHaveProperty('description');
  const { description } = await done(admin.patch(at, { description: saying('Fewer questions.') }));
  expect(description).toMatchObject({ object: 'document', nodes: saying('Fewer questions.').nodes });
  expect((await done(admin.patch(at, { subject: 'The installer' }))).description).toEqual(description);
  await done(admin.patch(at, { status: 'open' }));
  const reviewer = await newUser(admin, { organization, role: 'review' });
  const asked = { users: [reviewer.id], description: saying('No questions.') };
  await done(admin.post(`${at}/requested-reviewers`, asked));
  const [listed] = (await done(admin.get(`/v1/spaces/${space}/change-requests`))).items;
  expect([listed.subject, JSON.stringify(listed.description)]).toEqual([
    'The installer',
    expect.stringContaining('No questions.'),
  ]);
  expect(await done(admin.patch(at, { description: null }))).not.toHaveProperty('description');
  const events = await auditEvents(admin, organization, 'operation=updateChangeRequestById', 4);
  expect(JSON.stringify(events)).not.toContain('questions');
  expect(events.map(({ details }) => details.described)).toEqual(expect.arrayContaining([true, false]));
});

it.each<[string, unknown]>([
  ['description', 'words'],
  ['description', { object: 'document' }],
  ['description', { markdown: 'words' }],
  ['description: document.nodes.0', { object: 'document', data: {}, nodes: [{ object: 'block', type: 'nothing' }] }],
  ['description: document: shows nothing', saying(' ')],
  ['description', saying('x'.repeat(60_000))],
])('%s is refused and changes nothing', async (message, description) => {
  const before = await done(admin.get(at));
  const reviewers = { users: [], description };
  for (const answer of [
    await admin.patch(at, { subject: 'Other', description }),
    await admin.post(`${at}/requested-reviewers`, reviewers),
  ])
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(message)]);
  expect(await done(admin.get(at))).toEqual(before);
});

describe('links', () => {
  const ticket = { ref: { kind: 'url', url: 'https://tickets.example.com/7' }, title: 'DOCS-7' };
  const forum = { ref: { kind: 'url', url: 'https://forum.example.com/?q=installer' } };

  it('are set, stay the same by their id, are listed, shown in the app and removed', async () => {
    const [first, second] = (await done(admin.patch(at, { links: [ticket, forum] }))).links;
    expect([first, second]).toEqual([
      { id: expect.any(String), ...ticket },
      { id: expect.any(String), ...forum },
    ]);
    const { links, status } = await done(admin.patch(at, { links: [{ ...second, title: 'Forum' }, ticket] }));
    expect(links).toEqual([
      { ...second, title: 'Forum' },
      { id: expect.not.stringContaining(first.id), ...ticket },
    ]);
    expect((await done(admin.patch(at, { subject: 'Links' }))).links).toEqual(links);
    const [listed] = (await done(admin.get(`/v1/spaces/${space}/change-requests?status=${status}`))).items;
    expect(listed.links).toEqual(links);
    const { html } = await (await signedIn(admin, admin.token)).open(`/app/s/${space}/~/changes/${listed.number}`);
    expect(html).toContain('<a href="https://forum.example.com/?q=installer" rel="noopener noreferrer">Forum</a>');
    expect(await done(admin.patch(at, { links: [] }))).not.toHaveProperty('links');
  });

  it.each<[string, unknown]>([
    ['links', 'https://tickets.example.com/7'],
    ['links.0.ref.url', [{ ref: { kind: 'url', url: 'javascript:alert(1)' } }]],
    ['links.0.ref.kind', [{ ref: { kind: 'page', page: 'x' } }]],
    ['links.0.title', [{ ...ticket, title: 'x'.repeat(129) }]],
    ['links.1.id', [ticket, { ...ticket, id: 'none' }]],
    ['links', Array.from({ length: 11 }, () => ticket)],
  ])('%s is refused and changes nothing', async (message, links) => {
    const before = await done(admin.get(at));
    const { status, body } = await admin.patch(at, { subject: 'Other', links });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
    expect(await done(admin.get(at))).toEqual(before);
  });
});
