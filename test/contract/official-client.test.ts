import { GitBookAPI } from '@gitbook/api';
import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { importInto, openRepositories } from '../support/repository.js';

/** Programs written for the public API call it so. */
const client = shared();
// Its types name their own files without extension, which NodeNext does not follow.
const api = new GitBookAPI({ endpoint: client.url, authToken: client.token }) as any;

describe('the official client', () => {
  it('calls identity', async () => {
    const { data: user } = await api.user.getAuthenticatedUser();
    expect(user.object).toBe('user');
    expect((await api.users.getUserById(user.id)).data).toEqual(user);
    const organization = await newOrganization(client);
    expect((await api.orgs.getOrganizationById(organization)).data.id).toBe(organization);
    expect((await api.orgs.listOrganizationsForAuthenticatedUser({ limit: 1 })).data.items).toHaveLength(1);
  });

  it('calls spaces and collections', async () => {
    const organization = await newOrganization(client);
    const { data: collection } = await api.orgs.createCollection(organization, { title: 'Docs' });
    const { data: space } = await api.orgs.createSpace(organization, { title: 'API', parent: collection.id } as never);
    expect((await api.spaces.getSpaceById(space.id)).data.parent).toBe(collection.id);
    expect((await api.spaces.updateSpaceById(space.id, { title: 'Guide' } as never)).data.title).toBe('Guide');
    expect((await api.orgs.listSpacesInOrganizationById(organization)).data.items).toHaveLength(1);
    expect((await api.collections.listSpacesInCollectionById(collection.id)).data.count).toBe(1);
    await api.spaces.deleteSpaceById(space.id);
    expect((await api.spaces.restoreSpace(space.id)).data.id).toBe(space.id);
    await api.collections.deleteCollectionById(collection.id);
    await expect(api.collections.getCollectionById(collection.id)).rejects.toMatchObject({ code: 404 });
  });

  it('calls content, Git sync and search', async () => {
    const repositories = await openRepositories();
    try {
      await repositories.commit('docs', { 'README.md': '# Hello\n\nWorld.\n', '.gitbook/assets/a.txt': 'text' });
      const space = await newSpace(client, await newOrganization(client));
      const url = `${repositories.url}/docs.git`;
      await api.spaces.importGitRepository(space, { url, ref: 'refs/heads/main' });
      await importInto(client, space, { url });
      const { data: revision } = await api.spaces.getCurrentRevision(space);
      const { data: tree } = await api.spaces.listPages(space);
      expect(tree.pages).toEqual(revision.pages);
      const { data: page } = await api.spaces.getPageById(space, String(tree.pages[0]?.id), { format: 'markdown' });
      expect(page).toMatchObject({ title: 'Hello', markdown: '# Hello\n\nWorld.\n' });
      const { data: files } = await api.spaces.listFiles(space);
      expect((await api.spaces.getFileById(space, String(files.items[0]?.id))).data.name).toBe('a.txt');
      expect((await api.spaces.searchSpaceContent(space, { query: 'world' })).data.items[0]?.title).toBe('Hello');
      expect((await api.spaces.getSpaceGitInfo(space)).data.updatedAt).toBeDefined();
    } finally {
      await repositories.close();
    }
  });
});
