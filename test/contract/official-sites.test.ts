import { GitBookAPI } from '@gitbook/api-next';
import { newOrganization, newUser, shared, unique } from '../support/fixtures.js';
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
