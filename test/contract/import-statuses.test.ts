import { importSources } from '../../services/content/resources.js';
import { operations } from '../../services/gateway/contracts.js';
import { newOrganization, newSpace, shared, unique } from '../support/fixtures.js';
import { sources } from '../support/imports/sources.js';
import { officialWithout } from '../support/official.js';
import { openRepositories, type Repositories } from '../support/repository.js';
import { done } from '../support/requests/setting.js';

const client = shared();
const web = sources();
const official = officialWithout([]);
let repositories: Repositories;
let space: string;
/** Where each operation imports to, by its operationId. */
let targets: Record<string, string>;

beforeAll(async () => {
  repositories = await openRepositories();
  await repositories.commit('docs', { 'README.md': '# Hello\n' });
  await repositories.commit('project.wiki', { 'Home.md': '# Home\n' });
  await web.start();
  space = `/v1/spaces/${await newSpace(client, await newOrganization(client))}`;
  const { id } = await done(client.post(`${space}/change-requests`, {}));
  const request = `${space}/change-requests/${id}`;
  const insert = { operation: 'insert_page', title: 'Parent', document: { markdown: 'Above.' } };
  await done(client.post(`${request}/content`, { changes: [insert] }));
  await done(client.post(`${request}/merge`));
  const { id: open } = await done(client.post(`${space}/change-requests`, {}));
  const [page] = (await done(client.get(`${space}/content/pages`))).pages;
  targets = {
    importContent: `${space}/content/import`,
    importContentInPageById: `${space}/content/page/${page.id}/import`,
    importContentInChangeRequest: `${space}/change-requests/${open}/content/import`,
    importContentInChangeRequestPageById: `${space}/change-requests/${open}/content/page/${page.id}/import`,
  };
});
afterAll(async () => {
  web.stop();
  await repositories.close();
});

const urls: Record<(typeof importSources)[number], () => string> = {
  website: () => `${web.url}/blog/`,
  docx: () => `${web.url}/pandoc.docx`,
  markdown: () => `${web.url}/guide.md`,
  html: () => `${web.url}/page.html`,
  zip: () => `${web.url}/summary.zip`,
  confluence: () => `${web.url}/confluence.zip`,
  'github-wiki': () => `${repositories.url}/project.wiki.git`,
  notion: () => `${web.url}/notion.zip`,
  'google-docs': () => `${web.url}/pandoc.docx`,
};

/** Sends a request and repeats it with its key: both answers are the same. */
async function keyed(id: string, body: unknown) {
  const options = { headers: { 'idempotency-key': unique(id).replaceAll(' ', '-') } };
  const path = id === 'importGitRepository' ? `${space}/git/import` : (targets[id] as string);
  const answer = await client.post(path, body, options);
  const repeated = await client.post(path, body, options);
  expect([repeated.status, repeated.body, repeated.headers.get('location')]).toEqual([
    answer.status,
    answer.body,
    answer.headers.get('location'),
  ]);
  expect(repeated.headers.get('idempotent-replayed')).toBe('true');
  return answer;
}

/** Holds an answer to what the contract declares: 201 as both files do, or 202 where it takes longer than a request. */
function expectDeclared(id: string, answer: Awaited<ReturnType<typeof keyed>>): void {
  const { status, accepted } = operations.find((operation) => operation.id === id) ?? {};
  const goesOn = answer.status === 202 && accepted?.safeParse(answer.body).success;
  if (!goesOn) expect([answer.status, official.mismatches(id, answer)]).toEqual([status, []]);
  expect(answer.headers.get('location')).toBe(answer.body.urls.location);
}

const ids = [
  'importContent',
  'importContentInPageById',
  'importContentInChangeRequest',
  'importContentInChangeRequestPageById',
];

it.each(importSources)('an import of %s is answered as declared, also with a key', async (source) => {
  const body = { source, url: urls[source]() };
  expectDeclared('importContent', await client.post(targets.importContent as string, body));
  expectDeclared('importContent', await keyed('importContent', body));
});

it.each(ids)('%s is answered as declared', async (id) => {
  expectDeclared(id, await keyed(id, { source: 'markdown', url: urls.markdown() }));
});

it('imports that take longer than a request are answered 202, each time', async () => {
  const answers = await Promise.all(ids.map((id) => keyed(id, { source: 'website', url: `${web.url}/slow/` })));
  for (const [at, id] of ids.entries()) expectDeclared(id, answers[at] as (typeof answers)[number]);
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 202));
  for (const { body } of answers) await done(client.delete(new URL(body.urls.location).pathname));
});

it('an import of a repository is answered 204, also repeated with its key', async () => {
  const answer = await keyed('importGitRepository', {
    url: `${repositories.url}/docs.git`,
    ref: 'refs/heads/main',
  });
  expect([answer.status, official.mismatches('importGitRepository', answer)]).toEqual([204, []]);
});
