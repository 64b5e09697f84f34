import { type NewUser, newUsers, unique } from './fixtures.js';
import { petstore, publish, textOf } from './openapi.js';
import { randomChange, randomNumbers } from './random-changes.js';
import { randomIntegrations } from './random-integrations.js';
import { randomSites } from './random-sites.js';
import { importInto, openRepositories, pagesOf, type Repositories } from './repository.js';
import { done } from './requests/setting.js';
import type { Client } from './server.js';

/** An organization, and the address of an admin of it. */
export interface RandomOrganization {
  organization: string;
  client: Client;
  email: string;
}

const roles = ['admin', 'create', 'review', 'edit', 'comment', 'read', null] as const;
const levels = [...roles.slice(1), 'inherit'] as const;

/** What changes through the API do not make: reusable content, links, groups, redirects of authors, settings, a computed page. */
const repository = {
  'docs/.gitbook.yaml':
    'structure:\n  readme: README.md\n  summary: toc.md\nredirects:\n  old/way: guide/install.md\n  home: README.md\n',
  'docs/toc.md': `# Table of contents

* [Home](README.md)
* [Guide](guide/README.md)
  * [Install](guide/install.md)
* [Out](https://example.com/)
* [Out](https://example.com/)
* [Out](https://example.com/)

## Reference

* [Install again](guide/install.md)
* \`\`\`yaml
  type: builtin:openapi
  props:
    models: true
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: petstore
  \`\`\`
`,
  'docs/README.md': '---\r\nicon: house\r\n---\r\n\r\n# Home\r\n\r\n[install](guide/install.md#first)\r\n',
  'docs/guide/README.md':
    '---\ndescription: |-\n  Two\n  lines\nvars:\n  a: 1\n---\n\n# Guide\n\n![a](../.gitbook/assets/a.png)\n\n{% include "../.gitbook/includes/shared.md" %}\n',
  'docs/guide/install.md': '# Install\n\n## First\n\n[home](../README.md#x), {{ space.vars.product }}',
  'docs/.gitbook/includes/shared.md': '---\ntitle: Shared by pages\n---\n\nText.\n',
  'docs/.gitbook/vars.yaml': 'product: Bindery\n',
  'docs/.gitbook/assets/a.png': 'a',
};

/** Makes an organization at random: people, teams, roles, collections in collections, spaces of pages of all kinds, specifications, terms and sites. */
export async function randomOrganization(client: Client, seed: number): Promise<RandomOrganization> {
  const next = randomNumbers(seed);
  const upTo = (count: number) => Math.floor(next() * (count + 1));
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const { id: organization } = await done(client.post('/v1/orgs', { title: unique('Random') }));
  const at = `/v1/orgs/${organization}`;
  const [admin] = await newUsers(client, 1, { organization, role: 'admin' });
  if (!admin) throw new Error('no admin');
  const own = admin.client;
  const people = await newUsers(client, 2 + upTo(3), { organization });
  const teams: string[] = [];
  for (let left = 1 + upTo(2); left > 0; left--)
    teams.push((await done(own.put(`${at}/teams`, { title: unique('Team'), members: [] }))).id);
  for (const { id } of people) {
    await done(own.put(`${at}/teams/${pick(teams)}/members/${id}`, { role: pick(['owner', 'member']) }));
    await done(own.patch(`${at}/members/${id}`, { role: pick(roles), disabled: next() < 0.2 }));
  }
  await done(own.post(`${at}/invites`, { emails: [{ email: 'nobody@elsewhere.example', role: 'edit' }] }));
  await publish(own, `${at}/openapi/petstore`, textOf(petstore(`Pets ${seed}`)));
  await done(own.post(`${at}/translations`, { title: 'Others', languages: ['de', 'fr'] }));
  await done(
    own.put(`${at}/translations-glossary`, {
      operations: [{ type: 'insert', translations: { en: 'space', de: 'Bereich' } }],
    }),
  );

  const collections: string[] = [];
  for (let left = 1 + upTo(3); left > 0; left--) {
    const parent = collections.length > 0 && next() < 0.7 ? { parent: pick(collections) } : {};
    const { id } = await done(own.post(`${at}/collections`, { title: unique('Collection'), ...parent }));
    await done(own.patch(`/v1/collections/${id}`, { defaultLevel: pick(levels), description: 'Of some' }));
    collections.push(id);
  }
  const spaces: string[] = [];
  const repositories = await openRepositories();
  try {
    for (let left = 2 + upTo(2); left > 0; left--) {
      const parent = next() < 0.6 ? { parent: pick(collections) } : {};
      const { id } = await done(
        own.post(`${at}/spaces`, { title: unique('Space'), editMode: 'live', emoji: '1f680', ...parent }),
      );
      spaces.push(id);
      await fill(own, { space: id, name: `random-${seed}-${left}`, repositories, next });
      await discuss({ client: own, people }, { space: id, next });
      await done(own.patch(`/v1/spaces/${id}`, { defaultLevel: pick(levels), language: pick(['en', 'de']) }));
      const grant = next() < 0.5 ? { users: [pick(people).id] } : { teams: [pick(teams)] };
      await done(own.post(`/v1/spaces/${id}/permissions`, { role: pick(roles), ...grant }));
    }
  } finally {
    await repositories.close();
  }
  await done(own.post(`/v1/spaces/${spaces.at(-1)}/move`, { parent: collections[0] }));
  await done(own.post(`/v1/collections/${collections.at(-1)}/move`, { parent: null }));
  await randomSites({ client: own, organization, people, teams, spaces, next });
  await randomIntegrations({ client: own, organization, spaces, next });
  return { organization, client: own, email: admin.email };
}

interface Filling {
  space: string;
  name: string;
  repositories: Repositories;
  next: () => number;
}

async function fill(client: Client, { space, name, repositories, next }: Filling): Promise<void> {
  if (next() < 0.6) {
    await repositories.commit(name, repository);
    const url = `${repositories.url}/${name}.git`;
    const { state } = await importInto(client, space, { url, repoProjectDirectory: 'docs' });
    if (state !== 'success') throw new Error(`the import ended with ${state}`);
  }
  for (let count = 1; count <= 12; count++) {
    const into = next() < 0.3 ? await newRequest(client, space, count) : undefined;
    const at = `/v1/spaces/${space}`;
    const changes = [randomChange(await pagesOf(client, space), next, count)];
    await tried(client.post(`${at}${into ? `/change-requests/${into}` : ''}/content`, { changes }));
    if (into) await tried(client.post(`${at}/change-requests/${into}/merge`, {}));
    if (next() < 0.1) await restoreAny(client, space, next);
  }
}

const newRequest = async (client: Client, space: string, count: number): Promise<string> =>
  (await done(client.post(`/v1/spaces/${space}/change-requests`, { subject: subjects[count % subjects.length] }))).id;

const subjects = ['A change', 'Say <more>: "all" of it', 'Änderung 🚀', 'Revision: none\tat all'];

async function restoreAny(client: Client, space: string, next: () => number): Promise<void> {
  const { items } = await done(client.get(`/v1/spaces/${space}/revisions`));
  const { revision } = items[Math.floor(next() * items.length)];
  await tried(client.post(`/v1/spaces/${space}/revisions/${revision}/restore`));
}

/** A random change may be refused. */
async function tried(answer: Promise<{ status: number; body: any }>): Promise<void> {
  const { status, body } = await answer;
  if (status >= 500) throw new Error(JSON.stringify(body));
}

const bodies = [
  'Plain',
  '**Bold** and <b>HTML</b>\n\n* a\n* b',
  'See [it](https://example.com) and ![x](javascript:alert)',
];

/** Comments on a space, its pages and a block, some with replies, reactions, edits and an end. */
async function discuss(
  { client, people }: { client: Client; people: NewUser[] },
  { space, next }: Pick<Filling, 'space' | 'next'>,
): Promise<void> {
  const at = `/v1/spaces/${space}/comments`;
  const [document] = (await pagesOf(client, space)).filter(({ type }) => type === 'document');
  for (const [index, markdown] of bodies.entries()) {
    const page = document && next() < 0.7 ? { page: document.id } : {};
    const mention = people[0] ? ` [Somebody](/users/${people[0].id})` : '';
    const { id } = await done(client.post(at, { body: { markdown: markdown + mention }, ...page }));
    await done(client.post(`${at}/${id}/replies`, { body: { markdown: `Reply ${index}` } }));
    await done(client.put(`${at}/${id}`, { addedReactions: ['1f44d', '2764-fe0f'] }));
    if (next() < 0.5) await done(client.put(`${at}/${id}`, { body: { markdown: 'Edited' } }));
    if (next() < 0.5) await done(client.put(`${at}/${id}`, { resolved: true }));
  }
}
