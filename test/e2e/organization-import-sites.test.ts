import { freePort } from '../../shared/process/free-port.js';
import { sha256 } from '../../shared/values/ids.js';
import { expectEqual, linesOf, unzip } from '../support/archive.js';
import { runCommand } from '../support/backups/run.js';
import { base64, files } from '../support/content-changes.js';
import { elsewhere } from '../support/elsewhere.js';
import { type NewUser, newOrganization, newSpace, newUsers, shared } from '../support/fixtures.js';
import { pixel } from '../support/integrations.js';
import { done } from '../support/requests/setting.js';
import { newSite } from '../support/site.js';
import { uploadedFont, webFont } from '../support/uploads.js';

const client = shared();
const installations = elsewhere();

it('an archive of an organization brings fonts, so that sites look the same', async () => {
  const organization = await newOrganization(client);
  const [{ client: own, email } = {} as NewUser] = await newUsers(client, 1, { organization, role: 'admin' });
  const space = await newSpace(own, organization);
  const { id } = await newSite(organization, { spaces: [space] }, own);
  const bytes = webFont('woff2', 'glyphs of Acme');
  const fontFaces = [{ weight: 400, storageKey: await uploadedFont(own, organization, bytes) }];
  const fonts = `/v1/orgs/${organization}/fonts`;
  const { permissions: _, ...font } = await done(own.put(fonts, { fontFamily: 'Acme Sans', fontFaces }));
  const customization = `/v1/orgs/${organization}/sites/${id}/customization`;
  const settings = await done(own.get(customization));
  await done(own.put(customization, { ...settings, styling: { ...settings.styling, font } }));
  const archive = await installations.archiveOf({ organization, client: own });

  const { DATA_DIR, ...env } = installations.newInstallation('fonts');
  expect((await runCommand('import-archive', [archive.file], { DATA_DIR, ...env })).code).toBe(0);
  const server = await installations.start(DATA_DIR);
  const there = await installations.clientOf(server, email);
  const { styling } = await done(there.get(customization));
  expect(styling.font).toMatchObject({ id: font.id, fontFamily: 'Acme Sans' });
  const [{ sources }] = styling.font.fontFaces;
  expect(new URL(sources[0].url).origin).toBe(new URL(server.url).origin);
  const answer = await fetch(sources[0].url);
  expect([answer.status, Buffer.from(await answer.arrayBuffer())]).toEqual([200, bytes]);
  await done(there.post(`${fonts}/${font.id}`, { fontFamily: 'Acme Serif' }));
  await done(there.post(`${fonts}/${font.id}`, { fontFamily: 'Acme Sans' }));
  await expectEqual(archive.bytes, (await installations.archiveOf({ organization, client: there })).bytes);
});

it('an archive of an organization brings images of sites, under names that hold in any installation', async () => {
  const organization = await newOrganization(client);
  const [{ client: own, email } = {} as NewUser] = await newUsers(client, 1, { organization, role: 'admin' });
  const space = await newSpace(own, organization, { editMode: 'live' });
  const site = await newSite(organization, { spaces: [space] }, own);
  const image = Buffer.from(pixel.png, 'base64');
  const change = files({ name: 'Das Logo ä.png', base64: base64(image), contentType: 'image/png' });
  await done(own.post(`/v1/spaces/${space}/content`, { changes: [change] }));
  const { downloadURL } = (await done(own.get(`/v1/spaces/${space}/content/files`))).items[0];
  const customization = `/v1/orgs/${organization}/sites/${site.id}/customization`;
  const settings = await done(own.get(customization));
  const external = 'https://www.example.com/logo.png';
  const forged = downloadURL.replace(/signature=./, 'signature=_');
  await done(
    own.put(customization, {
      ...settings,
      header: { ...settings.header, logo: { light: downloadURL, dark: external } },
      favicon: { icon: { light: forged, dark: downloadURL } },
    }),
  );
  const [siteSpace] = (await done(own.get(`/v1/orgs/${organization}/sites/${site.id}/site-spaces`))).items;
  const overrides = `/v1/orgs/${organization}/sites/${site.id}/site-spaces/${siteSpace.id}/customization`;
  await done(own.patch(overrides, { socialPreview: { url: downloadURL } }));
  const archive = await installations.archiveOf({ organization, client: own });
  const unpacked = await unzip(archive.bytes);
  const path = `sites/files/${sha256(image)}/Das Logo ä.png`;
  expect(unpacked.get(path)).toEqual(image);
  const [line] = linesOf(unpacked, 'sites/customizations.ndjson');
  expect(line.files).toEqual([path]);
  expect(line.settings.header.logo).toEqual({ light: path, dark: external });
  expect(line.settings.favicon.icon).toEqual({ light: forged, dark: path });

  const { DATA_DIR, ...env } = installations.newInstallation('images');
  const port = await freePort();
  const settingsThere = { DATA_DIR, ...env, BASE_URL: `http://127.0.0.1:${port}` };
  const { code, output } = await runCommand('import-archive', [archive.file], settingsThere);
  expect([code, output]).toEqual([0, expect.stringContaining('Imported organization')]);
  const server = await installations.start(DATA_DIR, {}, port);
  const there = await installations.clientOf(server, email);
  const shown = await done(there.get(customization));
  const overridden = await done(there.get(overrides));
  expect(shown.header.logo.dark).toBe(external);
  for (const address of [shown.header.logo.light, shown.favicon.icon.dark, overridden.socialPreview.url]) {
    expect(new URL(address).origin).toBe(new URL(server.url).origin);
    const answer = await fetch(address);
    expect([answer.status, Buffer.from(await answer.arrayBuffer())]).toEqual([200, image]);
  }
  await expectEqual(archive.bytes, (await installations.archiveOf({ organization, client: there })).bytes);
});
