import { GitBookAPI } from '@gitbook/api-next';
import { newOrganization, newSpace, newUser, shared, unique } from '../support/fixtures.js';
import { newSite } from '../support/site.js';
import { putUpload, webFont } from '../support/uploads.js';

/** Programs written for the newest version of the public API call it so. */
const client = shared();
// Its types name their own files without extension, which NodeNext does not follow.
const api = new GitBookAPI({ endpoint: client.url, authToken: client.token }) as any;

describe('the newest official client', () => {
  it('calls the MCP servers, suggested conditions and host names of sites', async () => {
    const organization = await newOrganization(client);
    const { id: site } = await newSite(organization);
    const on = [organization, site] as const;
    const server = { name: 'Shop', url: 'https://mcp.example/', headers: { 'X-Key': 'secret' } };
    const { data: made } = await api.orgs.createSiteMcpServer(...on, server);
    const { data: changed } = await api.orgs.updateSiteMcpServerById(...on, made.id, { transport: 'http' });
    expect(changed).toEqual({ ...made, transport: 'http' });
    expect((await api.orgs.getSiteMcpServerById(...on, made.id)).data).toEqual(changed);
    expect((await api.orgs.listSiteMcpServers(...on)).data.items).toEqual([changed]);
    await api.orgs.deleteSiteMcpServerById(...on, made.id);

    const beta = { type: 'boolean', description: 'Tries what is new.' };
    const jsonSchema = { type: 'object', properties: { beta }, additionalProperties: false };
    await api.orgs.updateSiteAdaptiveSchema(...on, { jsonSchema });
    const { data: suggested } = await api.orgs.listSiteAdaptiveTemplateConditions(...on);
    expect(suggested.items[0]).toMatchObject({ condition: 'visitor.claims.beta === true' });

    const hostname = `${unique('h').replace(/\W/g, '-')}.docs.example`;
    await api.orgs.updateSiteById(...on, { hostname });
    await api.customHostnames.dnsRevalidateCustomHostname(hostname);
    expect((await api.customHostnames.getCustomHostname(hostname)).data).toMatchObject({ target: { site } });
    await api.customHostnames.removeCustomHostname(hostname);
    await expect(api.customHostnames.getCustomHostname(hostname)).rejects.toMatchObject({ code: 404 });
  });

  it('describes change requests', async () => {
    const space = await newSpace(client, await newOrganization(client));
    const { data: made } = await api.spaces.createChangeRequest(space, { subject: 'Installer' });
    const leaves = [{ object: 'leaf', text: 'Fewer questions.', marks: [] }];
    const paragraph = { object: 'block', type: 'paragraph', data: {}, nodes: [{ object: 'text', leaves }] };
    const description = { object: 'document', data: {}, nodes: [paragraph] };
    const link = { ref: { kind: 'url' as const, url: 'https://tickets.example.com/7' }, title: 'DOCS-7' };
    const { data } = await api.spaces.updateChangeRequestById(space, made.id, { description, links: [link] });
    expect(data.description).toMatchObject({ object: 'document', nodes: [paragraph] });
    expect(data.links).toEqual([{ id: expect.any(String), ...link }]);
  });

  it('fills a site from the template', async () => {
    const organization = await newOrganization(client);
    const site = await newSite(organization);
    expect((await api.orgs.applyTemplateToSite(organization, site.id)).status).toBe(200);
    expect((await api.orgs.getSiteStructure(organization, site.id)).data.structure).toHaveLength(4);
  });

  it('copies site spaces', async () => {
    const organization = await newOrganization(client);
    const space = await newSpace(client, organization);
    const site = await newSite(organization, { spaces: [space] });
    const [{ id }] = (await site.ok('GET', '/site-spaces')).items;
    const { data } = await api.orgs.duplicateSiteSpace(organization, site.id, id, { draft: false });
    expect(data).toMatchObject({ object: 'site-space', default: false });
  });

  it('calls external links', async () => {
    const organization = await newOrganization(client);
    const space = await newSpace(client, organization);
    const site = await newSite(organization);
    await site.section(space);
    const on = [organization, site.id] as const;
    const { data: made } = await api.orgs.addExternalLinkToSite(...on, {
      title: 'Status',
      url: 'https://example.com/',
    });
    const { data: changed } = await api.orgs.updateSiteExternalLinkById(...on, made.id, { draft: true });
    expect(changed).toEqual({ ...made, draft: true });
    const { data } = await api.orgs.getSiteStructure(...on);
    expect(data.structure).toMatchObject([{ object: 'site-section' }, changed]);
    const item = { type: 'site-external-link', id: made.id };
    const position = { before: { type: 'site-section', id: data.structure[0].id } };
    expect((await api.orgs.sortSiteStructure(...on, { item, position })).data).toEqual(changed);
    expect((await api.orgs.deleteSiteExternalLinkById(...on, made.id)).status).toBe(205);
  });

  it('calls redirects', async () => {
    const organization = await newOrganization(client);
    const space = await newSpace(client, organization);
    const site = await newSite(organization, { spaces: [space] });
    const [{ id: siteSpaceId }] = (await site.ok('GET', '/site-spaces')).items;
    const redirects = [{ source: '/old', destination: { kind: 'site-space', siteSpaceId } }];
    const { data } = await api.orgs.bulkUpsertSiteRedirects(organization, site.id, { redirects });
    expect(data.results).toMatchObject([{ status: 'created', source: '/old', draft: false }]);
  });

  it('calls uploads and fonts', async () => {
    const organization = await newOrganization(client);
    const bytes = webFont('woff2');
    const file = { name: 'Acme.woff2', type: 'font/woff2', size: bytes.length };
    const { data: upload } = await api.orgs.generateStorageUploadUrl(organization, {
      file,
      kind: 'customization_font',
    });
    expect((await putUpload(upload.url, bytes, file.type)).status).toBe(204);
    const fontFaces = [{ weight: 400, storageKey: upload.key }];
    const { data: made } = await api.orgs.createCustomFont(organization, { fontFamily: 'Acme', fontFaces });
    const { data: changed } = await api.orgs.updateCustomFont(organization, made.id, { fontFamily: 'Acme Sans' });
    expect((await api.orgs.getCustomFont(organization, made.id)).data).toEqual(changed);
    expect((await api.orgs.listCustomFonts(organization)).data.items).toEqual([changed]);
    await api.orgs.deleteCustomFont(organization, made.id);
    expect((await api.orgs.listCustomFonts(organization)).data.count).toBe(0);
  });

  it('calls the audit trail', async () => {
    const organization = await newOrganization(client);
    const { data: actions } = await api.orgs.listOrganizationAuditEventActions(organization);
    expect(actions.items.map(({ id }: { id: string }) => id)).toContain('createOrganization');
    const query = { action: 'createOrganization', target: organization, from: '2020-01-01T00:00:00.000Z' };
    const { data: events } = await api.orgs.listOrganizationAuditEvents(organization, query);
    const [event] = events.items;
    expect(event).toMatchObject({ action: query.action, target: { id: organization }, source: 'api' });
    const { data: details } = await api.orgs.getOrganizationAuditEvent(organization, event.id);
    expect(details).toMatchObject({ ...event, schemaVersion: 1, payload: expect.any(Object) });
  });

  it('calls import runs', async () => {
    const organization = await newOrganization(client);
    const target = { space: await newSpace(client, organization) };
    const source = { type: 'website', url: `${client.url}/handbook` };
    const { data: run } = await api.org.startImportRun(organization, { source, target });
    expect((await api.org.getImportRun(organization, run.id)).data).toMatchObject({ id: run.id, target });
    const { data: list } = await api.org.listImportRuns(organization, { space: target.space });
    expect(list.items).toMatchObject([{ id: run.id }]);
    const cancelled = await api.org.cancelImportRun(organization, run.id).catch((error: unknown) => error);
    // It may have ended meanwhile.
    expect(['cancelled', 409]).toContain(cancelled.data?.status ?? cancelled.code);
  });

  it('calls permissions on sites', async () => {
    const organization = await newOrganization(client);
    const on = [organization, (await newSite(organization)).id] as const;
    const user = await newUser(client, { organization, role: null });
    const { data: team } = await api.orgs.createOrganizationTeam(organization, { title: 'Writers' });
    await api.orgs.inviteToSite(...on, { role: 'comment', users: [user.id], teams: [team.id] });
    await api.orgs.updateUserPermissionInSite(...on, user.id, { role: 'edit' });
    await api.orgs.updateTeamPermissionInSite(...on, team.id, { role: 'review' });
    const first = async (list: Promise<any>) => (await list).data.items[0];
    expect(await first(api.orgs.listUserPermissionsInSite(...on))).toMatchObject({ permission: 'edit' });
    expect(await first(api.orgs.listTeamPermissionsInSite(...on))).toMatchObject({ permission: 'review' });
    const aggregate = api.orgs.listPermissionsAggregateInSite(...on, {
      role: 'edit',
      search: user.email,
      sort: 'name',
    });
    expect(await first(aggregate)).toMatchObject({ permission: 'edit', origin: { type: 'site', reason: 'member' } });
    await api.orgs.removeUserFromSite(...on, user.id);
    await api.orgs.removeTeamFromSite(...on, team.id);
    expect((await api.orgs.listTeamPermissionsInSite(...on)).data.items).toEqual([]);
  });
});
