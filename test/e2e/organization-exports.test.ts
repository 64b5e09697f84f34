import { organizationExports } from '../../services/content/exchange/archive/model.js';
import type { Collection } from '../../shared/store/port.js';
import { sha256 } from '../../shared/values/ids.js';
import { download, exported, linesOf, unzip } from '../support/archive.js';
import { inserted } from '../support/content-changes.js';
import { filledOrganization } from '../support/filled.js';
import { newOrganization, newSpace, newUser, openSharedStore, shared } from '../support/fixtures.js';
import { openFiles, petstore, publish, textOf } from '../support/openapi.js';
import { importInto, openRepositories } from '../support/repository.js';

const client = shared();

describe('an export of an organization', () => {
  it('holds people, collections, grants and the content of spaces, with the ids of all of it', async () => {
    const { organization, admin, member, team, provider, space, collection, deletedSpace } =
      await filledOrganization(client);
    const item = await exported(admin.client, organization);
    expect(item).toMatchObject({ state: 'completed', exportedSpaces: 1, totalSpaces: 1, createdBy: admin.id });
    const bytes = await download(item);
    expect(item.size).toBe(bytes.length);
    const files = await unzip(bytes);

    expect(JSON.parse(String(files.get('bindery.json')))).toEqual({
      format: 'bindery-archive',
      version: 1,
      organization,
    });
    expect(linesOf(files, 'organization.ndjson')).toMatchObject([{ id: organization, type: 'community', sso: true }]);
    expect(linesOf(files, 'members.ndjson')).toContainEqual(
      expect.objectContaining({
        user: member.id,
        displayName: 'Ada Lovelace',
        role: 'edit',
        teams: [team],
        owned: [team],
      }),
    );
    expect(linesOf(files, 'teams.ndjson')).toMatchObject([{ id: team }]);
    expect(linesOf(files, 'saml-providers.ndjson')).toMatchObject([
      { id: provider, label: 'Okta' },
      { label: 'Pending' },
    ]);
    expect(linesOf(files, 'oidc-providers.ndjson')).toMatchObject([{ label: 'Keycloak', clientId: 'bindery' }]);
    expect([...files.keys()].slice(0, 6)).toEqual([
      'bindery.json',
      'organization.ndjson',
      'members.ndjson',
      'teams.ndjson',
      'saml-providers.ndjson',
      'oidc-providers.ndjson',
    ]);
    const [outer, inner] = linesOf(files, 'collections.ndjson');
    expect(outer).toMatchObject({ title: 'Outer', defaultLevel: 'inherit' });
    expect(inner).toMatchObject({
      id: collection,
      parent: outer.id,
      description: 'With a description',
      defaultLevel: null,
    });
    const grants = linesOf(files, 'grants.ndjson');
    expect(grants).toContainEqual({ space, user: member.id, role: 'review', createdAt: expect.any(String) });
    expect(grants).toContainEqual({ collection, team, role: 'review', createdAt: expect.any(String) });

    const at = `spaces/${space}`;
    expect(JSON.parse(String(files.get(`${at}/space.json`)))).toMatchObject({
      id: space,
      emoji: '🎉',
      parent: collection,
    });
    const shown = (await admin.client.get(`/v1/spaces/${space}/content`)).body;
    const pages = linesOf(files, `${at}/pages.ndjson`);
    expect(pages.map(({ id }) => id)).toEqual(expect.arrayContaining(shown.pages.map(({ id }: any) => id)));
    expect(pages.find(({ file }) => file === 'guide/deep.md')).toMatchObject({ title: 'Deep', type: 'document' });
    expect(linesOf(files, `${at}/files.ndjson`)).toContainEqual(
      expect.objectContaining({ name: 'a.txt', file: '.gitbook/assets/a.txt', size: 4 }),
    );
    expect(linesOf(files, `${at}/reusable-contents.ndjson`)).toMatchObject([{ title: 'Shared' }]);
    expect([...files.keys()].filter((path) => path.includes(deletedSpace))).toEqual([]);

    const sums = [...files]
      .filter(([path]) => path !== 'SHA256SUMS')
      .map(([path, file]) => `${sha256(file)}  ${path}\n`);
    expect(String(files.get('SHA256SUMS'))).toBe(sums.join(''));
    expect((await download(await exported(admin.client, organization))).equals(bytes)).toBe(true);
  });

  it('has the content of a space as a repository that Git sync reads', async () => {
    const organization = await newOrganization(client);
    const [from, to] = [
      await newSpace(client, organization, { editMode: 'live' }),
      await newSpace(client, organization),
    ];
    const pages = ['Über uns', 'Guide', 'x / y'].map((title) =>
      inserted(title, { document: { markdown: `About ${title}.\n` } }),
    );
    expect((await client.post(`/v1/spaces/${from}/content`, { changes: pages })).status).toBeLessThan(300);
    const files = await unzip(await download(await exported(client, organization)));
    const at = `spaces/${from}/content/`;
    const content = [...files]
      .filter(([path]) => path.startsWith(at))
      .map(([path, file]) => [path.slice(at.length), file]);

    const repositories = await openRepositories();
    await repositories.commit('exported', Object.fromEntries(content));
    expect(await importInto(client, to, { url: `${repositories.url}/exported.git` })).toMatchObject({
      state: 'success',
    });
    await repositories.close();
    const outline = async (space: string) =>
      (await client.get(`/v1/spaces/${space}/content/pages`)).body.pages.map(({ title, path }: any) => ({
        title,
        path,
      }));
    expect(await outline(to)).toEqual(await outline(from));
    const again = await unzip(await download(await exported(client, organization)));
    for (const [path, file] of content) expect(again.get(`spaces/${to}/content/${path}`)).toEqual(file);
  });

  it('holds settings of translations, and OpenAPI specifications without credentials of their addresses', async () => {
    const organization = await newOrganization(client);
    const at = `/v1/orgs/${organization}`;
    const { id } = (await client.post(`${at}/translations`, { title: 'Other languages', languages: ['de', 'fr'] }))
      .body;
    await publish(client, `${at}/openapi/petstore`, textOf(petstore()));
    const sent = await openFiles({ '/spec.json': JSON.stringify(petstore('Fetched')) });
    await publish(client, `${at}/openapi/fetched`, {
      source: { url: `${sent.url.replace('//', '//ada:secret@')}/spec.json` },
    });
    await sent.close();
    const bytes = await download(await exported(client, organization));
    const files = await unzip(bytes);
    expect(linesOf(files, 'translations.ndjson')).toMatchObject([{ id, languages: ['de', 'fr'] }]);
    expect(linesOf(files, 'openapi.ndjson')).toMatchObject([
      { slug: 'petstore' },
      { slug: 'fetched', sourceURL: `${sent.url}/spec.json` },
    ]);
    expect(JSON.parse(String(files.get('openapi/fetched.json')))).toMatchObject({ info: { title: 'Fetched' } });
    expect([...files.values()].filter((file) => file.includes('secret'))).toEqual([]);
  });

  it('is one at a time, and ends when it is deleted', async () => {
    const organization = await newOrganization(client);
    const store = await openSharedStore();
    await store.prepare([organizationExports as unknown as Collection<never>]);
    const now = new Date().toISOString();
    const waiting = {
      _id: `waiting-${organization}`,
      organization,
      unended: organization,
      state: 'pending' as const,
      exportedSpaces: 0,
      totalSpaces: 0,
      createdBy: 'ada',
      createdAt: now,
      updatedAt: now,
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    };
    await store.insert(organizationExports, waiting);
    const path = `/v1/orgs/${organization}/export`;
    expect(await client.post(path)).toMatchObject({ status: 409, body: { error: { reason: 'wrong_state' } } });
    expect((await client.delete(`${path}s/${waiting._id}`)).status).toBe(204);
    expect((await client.get(`${path}s/${waiting._id}`)).status).toBe(404);
    await store.insert(organizationExports, { ...waiting, expiresAt: now });
    await store.close();
    expect((await client.get(`${path}s/${waiting._id}`)).status).toBe(404);
    expect((await client.get(`${path}s`)).body).toMatchObject({ count: 0, items: [] });
  });

  it('is listed, the latest first, and its archive is gone with it', async () => {
    const organization = await newOrganization(client);
    const first = await exported(client, organization);
    await newSpace(client, organization);
    const second = await exported(client, organization);
    const path = `/v1/orgs/${organization}/exports`;
    const { items, next } = (await client.get(`${path}?limit=1`)).body;
    expect(items).toMatchObject([{ id: second.id }]);
    expect((await client.get(`${path}?limit=1&page=${next.page}`)).body.items).toMatchObject([{ id: first.id }]);
    expect((await client.delete(`${path}/${second.id}`)).status).toBe(204);
    await expect(download(second)).rejects.toThrow('404');
    expect((await download(first)).length).toBe(first.size);
  });

  it('is for admins: its address ends, and is of no other archive', async () => {
    const organization = await newOrganization(client);
    const { id, urls } = await exported(client, organization);
    const { client: creator } = await newUser(client, { organization, role: 'create' });
    for (const path of [`/v1/orgs/${organization}/exports`, `/v1/orgs/${organization}/exports/${id}`])
      expect((await creator.get(path)).status).toBe(403);
    expect((await creator.post(`/v1/orgs/${organization}/export`)).status).toBe(403);
    const later = new URL(urls.download);
    later.searchParams.set('until', String(Number(later.searchParams.get('until')) + 1));
    expect((await fetch(later)).status).toBe(404);
    const answer = await fetch(urls.download);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    await answer.arrayBuffer();
  });
});
