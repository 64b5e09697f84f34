import { GitBookAPI } from '@gitbook/api';
import { newOrganization, newSpace, newUser, newUsers, shared, unique } from '../support/fixtures.js';
import { IdentityProvider } from '../support/identity-provider.js';
import { ended } from '../support/imports/import-target.js';
import { freeName, manifestOf, pixel } from '../support/integrations.js';
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

  it('calls translations', async () => {
    const organization = await newOrganization(client);
    const { data: made } = await api.orgs.createTranslation(organization, { title: 'Manuals' });
    expect((await api.orgs.getTranslation(organization, made.id)).data).toEqual(made);
    const { data: changed } = await api.orgs.updateTranslation(organization, made.id, { title: 'Guides' });
    expect((await api.orgs.listTranslations(organization)).data.items).toEqual([changed]);
    await api.orgs.deleteTranslation(organization, made.id);
    await expect(api.orgs.getTranslation(organization, made.id)).rejects.toMatchObject({ code: 404 });
  });

  it('calls content, Git sync and search', async () => {
    const repositories = await openRepositories();
    try {
      await repositories.commit('docs', {
        'README.md': '# Hello\n\nWorld. [a](.gitbook/assets/a.txt)\n',
        '.gitbook/assets/a.txt': 'text',
      });
      const organization = await newOrganization(client);
      const space = await newSpace(client, organization);
      const url = `${repositories.url}/docs.git`;
      await api.spaces.importGitRepository(space, { url, ref: 'refs/heads/main' });
      await importInto(client, space, { url });
      const other = await newSpace(client, await newOrganization(client));
      const { data: made } = await api.spaces.importContent(other, { url: `${client.url}/`, source: 'html' });
      // A busy machine answers with the import that goes on.
      const result = 'object' in made ? await ended(client, made) : made;
      expect(result).toMatchObject({ revision: expect.any(String), importedResources: 1, totalResources: 1 });
      const { data: revision } = await api.spaces.getCurrentRevision(space);
      const { data: tree } = await api.spaces.listPages(space);
      expect(tree.pages).toEqual(revision.pages);
      const { data: page } = await api.spaces.getPageById(space, String(tree.pages[0]?.id), { format: 'markdown' });
      expect(page).toMatchObject({ title: 'Hello', markdown: expect.stringContaining('# Hello\n\nWorld. [a](') });
      const { data: files } = await api.spaces.listFiles(space);
      expect((await api.spaces.getFileById(space, String(files.items[0]?.id))).data.name).toBe('a.txt');
      const { data: links } = await api.spaces.listPageLinksInSpace(space, String(tree.pages[0]?.id), { status: 'ok' });
      expect(links.items).toMatchObject([{ status: 'ok', targetReference: { kind: 'file' } }]);
      expect((await api.spaces.listSpaceLinks(space)).data.stats.total).toBe(1);
      const { data: uses } = await api.spaces.listSpaceFileBacklinks(space, String(files.items[0]?.id));
      expect(uses.items).toMatchObject([{ kind: 'file', page: { title: 'Hello' } }]);
      expect((await api.spaces.listSpacePageBacklinks(space, String(tree.pages[0]?.id))).data.items).toEqual([]);
      expect((await api.spaces.searchSpaceContent(space, { query: 'world' })).data.items[0]?.title).toBe('Hello');
      const { data: everywhere } = await api.orgs.searchOrganizationContent(organization, { query: 'world' });
      expect(everywhere.items).toMatchObject([{ id: space, pages: [{ title: 'Hello' }] }]);
      expect((await api.spaces.getSpaceGitInfo(space)).data.updatedAt).toBeDefined();
    } finally {
      await repositories.close();
    }
  });

  it('calls change requests, their content, reviewers, reviews and merges', async () => {
    const organization = await newOrganization(client);
    const space = await newSpace(client, organization);
    const { spaces } = api;
    const { data: made } = await spaces.createChangeRequest(space, { subject: 'Words' });
    const changes = [{ operation: 'insert_page', document: { markdown: '# Hello\n\nWorld.\n' } }];
    await client.post(`/v1/spaces/${space}/change-requests/${made.id}/content`, { changes });
    const { data: tree } = await spaces.listPagesInChangeRequest(space, made.id);
    const { data: page } = await spaces.getPageInChangeRequestById(space, '1', tree.pages[0].id, {
      format: 'markdown',
    });
    expect(page.markdown).toBe('# Hello\n\nWorld.\n');
    expect((await spaces.getRevisionOfChangeRequestById(space, made.id)).data.pages).toEqual(tree.pages);
    const { data: told } = await spaces.getChangeRequestChanges(space, made.id, { limit: 5 });
    expect(told.changes).toMatchObject([{ type: 'page_created', page: { title: 'Hello' } }]);
    expect((await spaces.getContributorsByChangeRequestId(space, made.id)).data.items).toMatchObject([{ count: 1 }]);
    const reviewer = await newUser(client, { organization, role: 'review' });
    const { data: links } = await spaces.listPageLinksInChangeRequest(space, made.id, tree.pages[0].id);
    expect(links).toMatchObject({ count: 0, stats: { total: 0, broken: { total: 0, changeRequest: 0 } } });
    const { data: newlyBroken } = await spaces.listChangeRequestLinks(space, made.id, {
      brokenContext: 'change-request',
    });
    const { data: leading } = await spaces.listChangeRequestPageBacklinks(space, made.id, tree.pages[0].id, {
      limit: 1,
    });
    expect([newlyBroken.items, leading.items]).toEqual([[], []]);
    await spaces.requestReviewersForChangeRequest(space, made.id, { users: [reviewer.id] });
    expect((await spaces.getRequestedReviewersByChangeRequestId(space, made.id)).data.count).toBe(1);
    await spaces.removeRequestedReviewerFromChangeRequest(space, made.id, reviewer.id);
    await spaces.submitChangeRequestReview(space, made.id, { status: 'approved' });
    expect((await spaces.getReviewsByChangeRequestId(space, made.id)).data.items).toMatchObject([
      { status: 'approved' },
    ]);
    expect((await spaces.listChangeRequestsForSpace(space, { status: 'open' })).data.count).toBe(1);
    expect((await spaces.updateChangeRequestById(space, '1', { subject: 'More' })).data.subject).toBe('More');
    expect((await spaces.updateChangeRequest(space, made.id)).data.result).toBe('update');
    const { data: merged } = await spaces.mergeChangeRequest(space, made.id);
    expect((await spaces.getChangeRequestById(space, 1)).data).toMatchObject({ status: 'merged', number: 1 });
    const { data: revision } = await spaces.getRevisionSemanticChanges(space, merged.revision);
    expect(revision).toMatchObject({ mergedFrom: { id: made.id }, changes: [{ type: 'page_created' }] });
  });

  it('calls members', async () => {
    const organization = await newOrganization(client);
    const [ada] = await newUsers(client, 1, { organization, role: 'edit' });
    const id = String(ada?.id);
    const { data: list } = await api.orgs.listMembersInOrganizationById(organization, { role: 'edit', limit: 1 });
    expect(list).toMatchObject({ count: 1, items: [{ object: 'member', id, role: 'edit' }] });
    const { data: member } = await api.orgs.updateMemberInOrganizationById(organization, id, { role: 'review' });
    expect(member.role).toBe('review');
    expect((await api.orgs.setUserAsSsoMemberForOrganization(organization, id)).data.sso).toBe(true);
    expect((await api.orgs.listSpacesForOrganizationMember(organization, id)).data.items).toEqual([]);
    expect((await api.orgs.listTeamsForOrganizationMember(organization, id)).data.items).toEqual([]);
    // C3: the field that holds the claims has a name of its own here.
    const { data: seen } = await api.orgs.updateOrganizationMemberLastSeenAt(organization);
    expect(seen.serviceVisitorClaims).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    await api.orgs.removeMemberFromOrganizationById(organization, id);
    await expect(api.orgs.getMemberInOrganizationById(organization, id)).rejects.toMatchObject({ code: 404 });
  });

  it('calls organizations and their subdomains, and users', async () => {
    const organization = await newOrganization(client);
    const hostname = unique('c').replace(/\W/g, '-').slice(-30);
    const { data: updated } = await api.orgs.updateOrganizationById(organization, { title: 'Renamed', hostname });
    expect(updated).toMatchObject({ title: 'Renamed', hostname });
    const { data: subdomain } = await api.subdomains.getSubdomain(hostname);
    expect(subdomain).toMatchObject({ isActive: true, target: { type: 'organization', organization } });
    expect((await api.emailDomains.getOrganizationsForEmailDomain('nobody.example')).data.organizations).toEqual([]);
    const user = await newUser(client);
    const own = new GitBookAPI({ endpoint: client.url, authToken: user.token }) as any;
    expect((await own.users.updateUserById(user.id, { displayName: 'Ada' })).data.displayName).toBe('Ada');
  });

  it('calls teams', async () => {
    const organization = await newOrganization(client);
    const [ada, bob] = await newUsers(client, 2, { organization });
    const [first, second] = [String(ada?.id), String(bob?.id)];
    const { data: team } = await api.orgs.createOrganizationTeam(organization, { title: 'Writers', members: [first] });
    expect(team).toMatchObject({ title: 'Writers', members: 1 });
    await api.orgs.updateTeamInOrganizationById(organization, team.id, { title: 'Authors' });
    await api.orgs.updateMembersInOrganizationTeam(organization, team.id, {
      add: [String(bob?.email)],
      memberships: { [first]: { role: 'owner' } },
    });
    const { data: members } = await api.orgs.listTeamMembersInOrganizationById(organization, team.id);
    const roles = new Map(members.items.map((item: any) => [item.organization.id, item.team.role]));
    expect(roles).toEqual(
      new Map([
        [first, 'owner'],
        [second, 'member'],
      ]),
    );
    await api.orgs.deleteMemberFromOrganizationTeamById(organization, team.id, second);
    await api.orgs.addMemberToOrganizationTeamById(organization, team.id, second, { role: 'owner' });
    expect((await api.orgs.getTeamInOrganizationById(organization, team.id)).data.members).toBe(2);
    const { data: owned } = await api.orgs.listTeamsInOrganizationById(organization, { owner: second, title: 'auth' });
    expect(owned.items).toHaveLength(1);
    await api.orgs.removeTeamFromOrganizationById(organization, team.id);
    expect((await api.orgs.listTeamsInOrganizationById(organization)).data.count).toBe(0);
  });

  it('calls invites', async () => {
    const organization = await newOrganization(client);
    const user = await newUser(client);
    const { data: invited } = await api.orgs.inviteUsersToOrganization(organization, {
      emails: [unique('by-mail').replace(/ /g, '-').concat('@people.example')],
      role: 'read',
    });
    expect(invited).toMatchObject({ invited: 1, users: [expect.any(String)] });
    const { data: invite } = await api.orgs.createOrganizationInvite(organization, { role: 'comment' });
    await api.orgs.updateOrganizationInviteById(organization, invite.id, { role: 'edit' });
    expect((await api.orgs.getOrganizationInviteLink(organization, invite.id)).data.role).toBe('edit');
    const own = new GitBookAPI({ endpoint: client.url, authToken: user.token }) as any;
    await own.orgs.joinOrganizationWithInvite(organization, invite.id);
    expect((await api.orgs.getMemberInOrganizationById(organization, user.id)).data.role).toBe('edit');
    await api.orgs.deleteOrganizationInviteById(organization, invite.id);
    expect((await api.orgs.listOrganizationInviteLinks(organization)).data.items).toEqual([]);
  });

  it('calls single sign-on', async () => {
    const organization = await newOrganization(client);
    const { data: pending } = await api.orgs.createOrganizationSamlProvider(organization, { label: 'Okta' });
    expect(pending.status).toBe('pending');
    const { settings } = new IdentityProvider();
    const { data: active } = await api.orgs.updateOrganizationSamlProvider(organization, pending.id, settings);
    expect(active).toMatchObject({ status: 'active', entityID: settings.entityID });
    const { data: logins } = await api.orgs.listSsoProviderLoginsInOrganization(organization);
    expect(logins.items).toEqual([{ id: active.id, label: 'Okta', startURL: active.service.startURL }]);
    expect((await api.orgs.getOrganizationSamlProviderById(organization, active.id)).data).toEqual(active);
    await api.orgs.deleteOrganizationSamlProvider(organization, active.id);
    expect((await api.orgs.listSamlProvidersInOrganizationById(organization)).data.items).toEqual([]);
  });

  it('calls permissions', async () => {
    const organization = await newOrganization(client);
    const user = await newUser(client, { organization, role: null });
    const { data: team } = await api.orgs.createOrganizationTeam(organization, { title: 'Writers' });
    const { data: collection } = await api.orgs.createCollection(organization, { title: 'Docs' });
    const space = await newSpace(client, organization);
    const given = { role: 'comment', users: [user.id], teams: [team.id] };
    await api.spaces.inviteToSpace(space, given);
    await api.spaces.updateUserPermissionInSpace(space, user.id, { role: 'edit' });
    await api.spaces.updateTeamPermissionInSpace(space, team.id, { role: 'review' });
    const first = async (list: Promise<any>) => (await list).data.items[0];
    expect(await first(api.spaces.listUserPermissionsInSpace(space))).toMatchObject({ permission: 'edit' });
    expect(await first(api.spaces.listTeamPermissionsInSpace(space))).toMatchObject({ permission: 'review' });
    const aggregate = api.spaces.listPermissionsAggregateInSpace(space, { role: 'edit' });
    expect(await first(aggregate)).toMatchObject({ permission: 'edit', user: { id: user.id } });
    await api.spaces.removeUserFromSpace(space, user.id);
    await api.spaces.removeTeamFromSpace(space, team.id);
    expect((await api.spaces.listTeamPermissionsInSpace(space)).data.items).toEqual([]);
    const { id } = collection;
    await api.collections.inviteToCollection(id, given);
    await api.collections.updateUserPermissionInCollection(id, user.id, { role: 'edit' });
    await api.collections.updateTeamPermissionInCollection(id, team.id, { role: 'review' });
    expect(await first(api.collections.listUserPermissionsInCollection(id))).toMatchObject({ permission: 'edit' });
    expect(await first(api.collections.listTeamPermissionsInCollection(id))).toMatchObject({ permission: 'review' });
    expect((await api.collections.listPermissionsAggregateInCollection(id)).data.items).toHaveLength(2);
    await api.collections.removeUserFromCollection(id, user.id);
    await api.collections.removeTeamFromCollection(id, team.id);
    expect((await api.collections.listTeamPermissionsInCollection(id)).data.items).toEqual([]);
  });

  it('calls integrations', async () => {
    const organization = await newOrganization(client);
    const name = freeName();
    const { integrations } = api;
    const manifest = manifestOf(organization, { visibility: 'public', icon: pixel.png, secrets: { KEY: 'value' } });
    const { data: made } = await integrations.publishIntegration(name, manifest);
    expect(made).toMatchObject({ object: 'integration', name, version: 1, owner: { id: organization } });
    expect((await integrations.getIntegrationByName(name)).data).toEqual(made);
    expect((await integrations.listIntegrations({ owner: organization, blocks: false })).data.items).toEqual([made]);
    await integrations.setIntegrationDevelopmentMode(name, { tunnelUrl: 'https://tunnel.example.com', all: true });
    await integrations.disableIntegrationDevelopmentMode(name);
    await integrations.unpublishIntegration(name);
    await expect(integrations.getIntegrationByName(name)).rejects.toMatchObject({ code: 404 });
  });

  it('calls sites, their structure and how they look', async () => {
    const organization = await newOrganization(client);
    const [a, b] = [await newSpace(client, organization), await newSpace(client, organization)];
    const { data: made } = await api.orgs.createSite(organization, { title: 'Docs', spaces: [a] });
    const on = [organization, made.id] as const;
    expect((await api.orgs.listSites(organization, { space: a })).data.items).toMatchObject([{ id: made.id }]);
    expect((await api.orgs.updateSiteById(...on, { title: 'Guides' })).data.title).toBe('Guides');
    expect((await api.orgs.publishSite(...on)).data.published).toBe(true);
    const { data: section } = await api.orgs.addSectionToSite(...on, { spaceId: b, title: 'API' });
    await api.orgs.updateSiteSectionById(...on, section.id, {
      description: 'All calls',
      condition: 'visitor.claims.a',
    });
    const { data: sections } = await api.orgs.listSiteSections(...on, { limit: 10 });
    const [first] = sections.items;
    const before = { position: { before: { type: 'site-section', siteSection: first.id } } };
    expect((await api.orgs.moveSiteSection(...on, section.id, before)).data.id).toBe(section.id);
    const { data: group } = await api.orgs.addSectionGroupToSite(...on, { title: 'More', sections: [section.id] });
    await api.orgs.updateSiteSectionGroupById(...on, group.id, { icon: 'book' });
    await api.orgs.addSectionToGroup(...on, group.id, { sectionId: first.id });
    await api.orgs.removeSectionFromGroup(...on, group.id, first.id);
    const next = { position: { before: { type: 'site-section', id: first.id } } };
    expect((await api.orgs.moveSiteSectionGroup(...on, group.id, next)).data.sections).toHaveLength(1);
    expect((await api.orgs.listSiteSectionGroups(...on)).data.count).toBe(1);

    const { data: added } = await api.orgs.addSpaceToSite(...on, { spaceId: a, sectionId: section.id });
    await api.orgs.updateSiteSpaceById(...on, added.id, { path: 'other' });
    await api.orgs.moveSiteSpace(...on, added.id, {
      position: { before: { type: 'site-space', siteSpace: section.siteSpaces[0].id } },
    });
    await api.orgs.sortSiteStructure(...on, { item: { type: 'site-space', id: added.id } });
    expect((await api.orgs.listSiteSpaces(...on, { default: false })).data.count).toBe(2);
    expect((await api.orgs.getSiteStructure(...on)).data).toMatchObject({
      type: 'sections',
      structure: [{ object: 'site-section-group' }, { object: 'site-section' }],
    });

    const { data: look } = await api.orgs.getSiteCustomizationById(...on);
    const { data: titled } = await api.orgs.updateSiteCustomizationById(...on, { ...look, title: 'Acme' });
    expect(titled).toEqual({ ...look, title: 'Acme' });
    await api.orgs.overrideSiteSpaceCustomizationById(...on, added.id, { themes: { default: 'dark' } });
    const { data: own } = await api.orgs.getSiteSpaceCustomizationById(...on, added.id);
    expect([own.title, own.themes.default]).toEqual(['Acme', 'dark']);
    await api.orgs.deleteSiteSpaceCustomizationById(...on, added.id);

    await api.orgs.deleteSiteSpaceById(...on, added.id);
    await api.orgs.deleteSiteSectionGroupById(...on, group.id);
    await api.orgs.deleteSiteSectionById(...on, section.id);
    await api.orgs.unpublishSite(...on);
    expect((await api.orgs.getSiteById(...on)).data).toMatchObject({ siteSpaces: 1, published: false });
    await api.orgs.deleteSiteById(...on);
    await expect(api.orgs.getSiteById(...on)).rejects.toMatchObject({ code: 404 });
  });
});
