import { expectEqual, linesOf, unzip } from '../support/archive.js';
import { runCommand } from '../support/backups/run.js';
import { inserted } from '../support/content-changes.js';
import { elsewhere } from '../support/elsewhere.js';
import { type NewUser, newOrganization, newSpace, newUsers, shared } from '../support/fixtures.js';
import { renderingScript } from '../support/integration-scripts.js';
import { at, freeName, fullManifest, install, pixel, published } from '../support/integrations.js';
import { done } from '../support/requests/setting.js';
import { newSite } from '../support/site.js';
import { eventsOf, installWebhook, isSigned, openReceiver, type WebhookReceiver } from '../support/webhooks.js';

const client = shared();
const installations = elsewhere();
const outbound = { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' };
const configurations = {
  account: { properties: { team: { type: 'string' }, api_token: { type: 'string' } }, required: ['api_token'] },
};

let organization: string;
let space: string;
let site: string;
let admin: NewUser;
let receiver: WebhookReceiver;
beforeEach(async () => {
  organization = await newOrganization(client);
  admin = (await newUsers(client, 1, { organization, role: 'admin' }))[0] as NewUser;
  space = await newSpace(admin.client, organization, { editMode: 'live' });
  site = (await newSite(organization, { spaces: [space] }, admin.client)).id;
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

/** Publishes an integration of all kinds of things, and installs it. Answers its name and the path of the installation. */
async function installed(name: string): Promise<string> {
  const { client: own } = admin;
  await published(own, organization, { ...fullManifest, name, target: 'all', script: renderingScript, configurations });
  const configuration = { team: 'docs', api_token: 'of-the-former-server' };
  const { id } = await install(own, name, organization, { configuration });
  return `${at(name)}/installations/${id}`;
}

const imported = async (name: string, file: string) => {
  const settings = { ...installations.newInstallation(name), ...outbound };
  const { code, output } = await runCommand('import-archive', [file], settings);
  expect([code, output]).toEqual([0, expect.stringContaining('Imported organization')]);
  return { settings, output };
};

describe('an archive of an organization brings its integrations, which', () => {
  it('render, hear of changes and send webhooks again once their secrets are entered', async () => {
    const name = freeName('Archived.one');
    const path = await installed(name);
    await done(admin.client.post(`${path}/spaces`, { space }));
    await done(admin.client.post(`${path}/sites`, { siteId: site }));
    const hook = await installWebhook(admin.client, { organization, url: receiver.url, spaces: [space] });
    const { file, bytes } = await installations.archiveOf({ organization, client: admin.client });
    for (const content of (await unzip(bytes)).values())
      for (const secret of ['of-the-former-server', 'a-secret-of-many-characters', 'nobody sees this'])
        expect(String(content)).not.toContain(secret);

    const { settings } = await imported('integrations', file);
    const server = await installations.start(settings.DATA_DIR, outbound);
    const own = await installations.clientOf(server, admin.email);
    await expectEqual(bytes, (await installations.archiveOf({ organization, client: own })).bytes);
    const { body: shown } = await own.get(at(name));
    expect(shown).toMatchObject({ name, version: 1, summary: fullManifest.summary, verified: false });
    expect((await (await fetch(shown.urls.icon)).bytes()).toString()).toBe(
      new Uint8Array(Buffer.from(pixel.png, 'base64')).toString(),
    );
    expect(shown.previewImages).toHaveLength(3);

    const before = await done(own.get(path));
    expect(before).toMatchObject({ status: 'pending', configuration: { team: 'docs' }, spaces: 1 });
    expect((await own.get(`${path}/sites`)).body.items).toMatchObject([{ site, status: 'active' }]);
    await done(own.patch(path, { configuration: { team: 'docs', api_token: 'entered anew' } }));
    const context = { type: 'document', spaceId: space, editable: false, theme: 'light' };
    const rendered = await own.post(`${at(name)}/render`, { componentId: 'shown', props: { a: 1 }, context });
    expect([rendered.status, rendered.body]).toEqual([
      200,
      expect.objectContaining({ type: 'element', props: { a: 1 } }),
    ]);

    const secret = 'another-secret-of-the-webhook';
    await done(own.patch(hook, { configuration: { url: receiver.url, secret } }));
    await done(own.post(`/v1/spaces/${space}/content`, { changes: [inserted('After the import')] }));
    const [delivery] = await receiver.until(({ length }) => length > 0);
    expect(delivery?.event).toMatchObject({ type: 'space_content_updated', spaceId: space });
    expect(isSigned(delivery as never, secret)).toBe(true);
    const heard = (events: any[]) => new Set(events.map(({ payload }) => payload.type));
    const all = ['installation_setup', 'space_installation_setup', 'site_installation_setup', 'space_content_updated'];
    await eventsOf(own, path, (events) => all.every((type) => heard(events).has(type)));
  });

  it('stay out where others are called so, or the integration is of another organization', async () => {
    const other = await newOrganization(client);
    const foreign = await published(client, other, { visibility: 'public', name: freeName('foreign') });
    await install(admin.client, foreign, organization);
    const name = freeName('taken');
    await installed(name);
    const kept = freeName('kept');
    const keptPath = await installed(kept);
    const { file, bytes } = await installations.archiveOf({ organization, client: admin.client });

    const settings = { ...installations.newInstallation('taken'), ...outbound };
    const server = await installations.start(settings.DATA_DIR, { BOOTSTRAP_EMAIL: settings.BOOTSTRAP_EMAIL });
    const [{ id: here }] = (await server.get('/v1/orgs')).body.items;
    await published(server, here, { name: name.toUpperCase() });
    await installations.stop(server);
    const { output } = await imported('taken', file);
    expect(output.split('\n').filter((line) => line.startsWith('warning: integrations'))).toEqual([
      `warning: integrations/integrations.ndjson: ${name} is left out: an integration has this name here`,
      `warning: integrations/installations.ndjson: the installation of ${foreign} is left out: this integration is not here`,
      `warning: integrations/installations.ndjson: the installation of ${name} is left out: this integration is not here`,
    ]);
    const again = await installations.start(settings.DATA_DIR, outbound);
    const own = await installations.clientOf(again, admin.email);
    const files = await unzip((await installations.archiveOf({ organization, client: own })).bytes);
    const named = (all: typeof files, list: string) => linesOf(all, `integrations/${list}.ndjson`);
    const isKept = (line: any) => [line.name, line.integration].includes(kept);
    const archived = await unzip(bytes);
    for (const list of ['integrations', 'installations'])
      expect(named(files, list)).toEqual(named(archived, list).filter(isKept));
    expect((await own.get(keptPath)).status).toBe(200);
  });
});
