import { proveDomain } from './domains.js';
import { type NewUser, newUsers, unique } from './fixtures.js';
import { IdentityProvider } from './identity-provider.js';
import { importInto, openRepositories } from './repository.js';
import type { Client } from './server.js';

/** An organization with something in every field of every resource. */
export interface Filled {
  organization: string;
  /** An admin. */
  admin: NewUser;
  /** Seen, let in by single sign-on, and the owner of a team. */
  member: NewUser;
  team: string;
  provider: string;
  /** One to the organization, to a space and to a collection. */
  invites: string[];
  collection: string;
  /** With pages of all kinds, imported. */
  space: string;
  deletedSpace: string;
  hostname: string;
  emailDomain: string;
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const pages = {
  'README.md': `---
description: What this is
icon: book-open
cover: .gitbook/assets/cover.png
coverY: -12.5
hidden: true
noIndex: true
vars:
  version: 2
layout:
  width: wide
  cover:
    visible: true
    size: full
---

# Welcome

See [the guide](guide/start.md#first), ![a picture](.gitbook/assets/cover.png) and [a file](.gitbook/assets/a.txt).

{% include ".gitbook/includes/shared.md" %}
`,
  'guide/start.md': '# Start\n\n## First\n\nA paragraph with `code`, **bold** and a [link](https://example.com).\n',
  'guide/deep.md':
    '# Deep\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n[gone](gone.md), ![gone](gone.png)\n\n![](gone.png)\n\n{% include "gone.md" %}\n\n{% content-ref url="gone.md" %}\n{% endcontent-ref %}\n',
  'empty.md': '',
  '.gitbook/includes/shared.md': '---\ntitle: Shared\n---\n\nShared text.\n',
  '.gitbook/assets/cover.png': png,
  '.gitbook/assets/a.txt': 'text',
  '.gitbook/vars.yaml': 'product: Bindery\nmajor: 2\n',
  'SUMMARY.md': `# Table of contents

* [Welcome](README.md)
* [Empty](empty.md)
* [Missing](missing.md)
* [Elsewhere](https://example.com/docs)
* [Gone](/broken/pages/x)

## Guide

* [Start](guide/start.md)
  * [Deep](guide/deep.md)
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
};

async function importPages(client: Client, space: string): Promise<void> {
  const repositories = await openRepositories();
  try {
    await repositories.commit('filled', pages);
    const operation = await importInto(client, space, {
      url: `${repositories.url}/filled.git`,
      repoTreeURL: 'https://github.com/acme/docs/tree/main',
      repoCommitURL: 'https://github.com/acme/docs/commit',
      gitInfo: { provider: 'github', url: 'https://github.com/acme/docs' },
    });
    if (operation.state !== 'success') throw new Error(JSON.stringify(operation));
  } finally {
    await repositories.close();
  }
}

const tag = () => unique('').trim().replace(/\W/g, '-').slice(-24);

/** `client` is of a user that becomes nothing of it. Without an OpenID provider for a release that has none. */
export async function filledOrganization(client: Client, { hasOidc = true } = {}): Promise<Filled> {
  const ok = async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await client.request(method, `/v1${path}`, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const [hostname, emailDomain] = [`f${tag()}`, `f${tag()}.example`];
  const { id: organization } = await ok('POST', '/orgs', {
    title: unique('Filled'),
    emailDomains: [emailDomain],
    type: 'community',
    useCase: 'openSourceDocs',
    communityType: 'openSource',
  });
  await proveDomain(client, organization, emailDomain);
  const at = `/orgs/${organization}`;
  await ok('PATCH', at, { hostname, defaultRole: null, logo: 'https://example.com/logo.png', ai: false });
  const [admin] = (await newUsers(client, 1, { organization, role: 'admin' })) as [NewUser];
  const [member, guest] = (await newUsers(client, 2, { organization, role: null })) as [NewUser, NewUser];
  await member.client.patch(`/v1/users/${member.id}`, {
    displayName: 'Ada Lovelace',
    photoURL: 'https://example.com/ada.png',
  });
  await ok('PATCH', `${at}/members/${member.id}`, { role: 'edit' });
  await member.client.post(`/v1${at}/ping`);
  await ok('POST', `${at}/members/${member.id}/sso`);
  await ok('PATCH', `${at}/members/${guest.id}`, { disabled: true });

  const { id: team } = await ok('PUT', `${at}/teams`, { title: unique('Team'), members: [guest.id] });
  await ok('PUT', `${at}/teams/${team}/members/${member.id}`, { role: 'owner' });
  const { id: provider } = await ok('POST', `${at}/saml`, {
    label: 'Okta',
    ...new IdentityProvider().settings,
    defaultTeam: team,
    defaultRole: 'read',
  });
  await ok('POST', `${at}/saml`, { label: 'Pending' });
  const openId = { label: 'Keycloak', issuer: 'https://op.example', clientId: 'bindery', active: false };
  if (hasOidc) await ok('POST', `${at}/oidc`, openId);

  const { id: outer } = await ok('POST', `${at}/collections`, { title: 'Outer' });
  const { id: collection } = await ok('POST', `${at}/collections`, { title: unique('Inner'), parent: outer });
  await ok('PATCH', `/collections/${collection}`, { description: 'With a description', defaultLevel: null });
  const { id: space } = await ok('POST', `${at}/spaces`, {
    title: unique('Space'),
    emoji: '🎉',
    parent: collection,
    language: 'en',
    editMode: 'live',
  });
  await ok('PATCH', `/spaces/${space}`, { icon: 'https://example.com/icon.png', defaultLevel: 'comment' });
  for (const place of [`/spaces/${space}`, `/collections/${collection}`]) {
    await ok('POST', `${place}/permissions`, { role: 'review', users: [member.id], teams: [team] });
    await ok('POST', `${place}/permissions`, { role: null, users: [guest.id] });
  }
  await importPages(client, space);
  const { id: deletedSpace } = await ok('POST', `${at}/spaces`, { title: 'Deleted', emoji: '1f4a5' });
  await ok('DELETE', `/spaces/${deletedSpace}`);

  const expiresAt = new Date(Date.now() + 3600_000).toISOString();
  const invites: string[] = [];
  for (const body of [{ role: null }, { level: 'read', space }, { level: null, collection }])
    invites.push((await ok('POST', `${at}/link-invites`, { ...body, expiresAt })).id);
  await ok('PATCH', at, { sso: true });
  return {
    organization,
    admin,
    member,
    team,
    provider,
    invites,
    collection,
    space,
    deletedSpace,
    hostname,
    emailDomain,
  };
}
