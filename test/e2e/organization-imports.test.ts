import { readdir } from 'node:fs/promises';
import { spaces as spaceCollection } from '../../services/content/core/nodes/model.js';
import type { Collection } from '../../shared/store/port.js';
import { eventually } from '../../shared/testing/eventually.js';
import { download, expectEqual, exported, linesOf, unzip } from '../support/archive.js';
import { runCommand, startCommand } from '../support/backups/run.js';
import { elsewhere } from '../support/elsewhere.js';
import { filledOrganization } from '../support/filled.js';
import { openSharedStore, shared } from '../support/fixtures.js';
import { integrationSecret } from '../support/random-integrations.js';
import { randomOrganization } from '../support/random-organization.js';
import type { Client } from '../support/server.js';

const client = shared();
const runs = Number(process.env.ARCHIVE_RUNS ?? 3);
const firstSeed = Number(process.env.ARCHIVE_SEED ?? Date.now() % 1e6);

const { start, stop, newInstallation, archiveOf, clientOf } = elsewhere();

describe('an archive of an organization', () => {
  it('brings all of it into another installation, where its export is the same again', async () => {
    const { organization, admin, space } = await filledOrganization(client);
    const all = [{ organization, client: admin.client, email: admin.email }];
    for (let at = 0; at < runs; at++) all.push(await randomOrganization(client, firstSeed + at));
    const settings = newInstallation('equal');
    const archives = [];
    for (const each of all) {
      const archive = await archiveOf(each);
      archives.push({ ...each, ...archive });
      const { code, output } = await runCommand('import-archive', [archive.file], settings);
      expect([code, output]).toEqual([0, expect.stringContaining(`Imported organization ${each.organization}`)]);
    }
    const server = await start(settings.DATA_DIR);
    for (const [at, { organization: id, email, bytes }] of archives.entries()) {
      const again = await download(await exported(await clientOf(server, email), id));
      await expectEqual(bytes, again).catch((error) => {
        throw new Error(`seed ${firstSeed + at - 1}: ${error.message}`);
      });
    }
    const own = await clientOf(server, admin.email);
    expect((await own.get('/v1/orgs')).body.items).toMatchObject([{ id: organization }]);
    expect((await own.get(`/v1/spaces/${space}/content/path/guide/start`)).body).toMatchObject({ title: 'Start' });
    const found = () => own.get(`/v1/spaces/${space}/search?query=paragraph`);
    await eventually('the pages in the search', found, ({ body }) => body.count > 0);

    const first = archives[0] as (typeof archives)[number];
    await stop(server);
    const { code, output } = await runCommand('import-archive', [first.file], settings);
    expect([code, output]).toEqual([1, expect.stringContaining(`Organization ${organization} ("Filled`)]);
    expect(output).toContain('is here already');
  });

  it('is imported to its end by a second run where the first one was killed', async () => {
    const made = await randomOrganization(client, firstSeed);
    const { file, bytes } = await archiveOf(made);
    const settings = newInstallation('killed');
    const { process: child, ended } = startCommand('import-archive', [file], settings);
    const begun = async () => {
      const names = await readdir(settings.DATA_DIR).catch((): string[] => []);
      if (!names.includes('bindery.sqlite')) return 0;
      const store = await openSharedStore(settings);
      try {
        await store.prepare([spaceCollection as unknown as Collection<never>]);
        return await store.count(spaceCollection, { organization: made.organization });
      } finally {
        await store.close();
      }
    };
    await eventually('a space', begun, (count) => count > 0);
    child.kill('SIGKILL');
    expect((await ended).code).toBe(null);
    expect((await runCommand('import-archive', [file], settings)).code).toBe(0);
    const server = await start(settings.DATA_DIR);
    await expectEqual(bytes, await download(await exported(await clientOf(server, made.email), made.organization)));
  });

  it('brings sites without their secrets, which are new', async () => {
    const made = await randomOrganization(client, firstSeed);
    const sitesOf = async (own: Client) => (await own.get(`/v1/orgs/${made.organization}/sites`)).body.items;
    const secretsOf = async (own: Client) => {
      const [flat] = await sitesOf(own);
      const at = `/v1/orgs/${made.organization}/sites/${flat.id}`;
      const { items } = (await own.get(`${at}/share-links`)).body;
      const key = new URL(items[0].urls.published).pathname.split('/').at(-2);
      return [key, (await own.get(`${at}/publishing/auth`)).body.privateKey] as string[];
    };
    const secrets = await secretsOf(made.client);
    const { file, bytes } = await archiveOf(made);
    const files = [...(await unzip(bytes)).values()].map(String);
    for (const secret of [...secrets, 'secret-4f1c', integrationSecret])
      expect(files.filter((content) => content.includes(secret))).toEqual([]);

    const settings = newInstallation('sites');
    expect((await runCommand('import-archive', [file], settings)).code).toBe(0);
    const own = await clientOf(await start(settings.DATA_DIR), made.email);
    const [before, after] = [await sitesOf(made.client), await sitesOf(own)];
    expect(after.map(({ id, title, siteSpaces }: any) => [id, title, siteSpaces])).toEqual([
      [before[0].id, before[0].title, 2],
      [before[1].id, before[1].title, before[1].siteSpaces],
    ]);
    const at = `/v1/orgs/${made.organization}/sites/${before[1].id}`;
    const partsOf = (part: any): any => [
      part.id,
      part.path,
      part.title,
      (part.children ?? part.siteSpaces ?? []).map(partsOf),
    ];
    const structureOf = async (from: Client) => (await from.get(`${at}/structure`)).body.structure.map(partsOf);
    expect(await structureOf(own)).toEqual(await structureOf(made.client));
    const changed = await secretsOf(own);
    expect(changed.map((secret, index) => secret !== secrets[index] && secret.length > 10)).toEqual([true, true]);
    const [server] = (await own.get(`${at}/mcp-servers`)).body.items;
    const kept = await own.patch(`${at}/mcp-servers/${server.id}`, { headers: { Authorization: '********' } });
    expect([kept.status, kept.body.error.message]).toEqual([
      400,
      'headers.Authorization: required; there is no earlier value to keep',
    ]);
  });

  it('is refused where another organization has the host name of a site', async () => {
    const { file } = await archiveOf(await randomOrganization(client, firstSeed));
    const settings = newInstallation('taken');
    const server = await start(settings.DATA_DIR, { BOOTSTRAP_EMAIL: settings.BOOTSTRAP_EMAIL });
    const [{ id }] = (await server.get('/v1/orgs')).body.items;
    const at = `/v1/orgs/${id}/sites`;
    const site = await server.post(at, { title: 'Here already' });
    expect((await server.patch(`${at}/${site.body.id}`, { hostname: 'docs.acme.example' })).status).toBe(200);
    await stop(server);
    const { code, output } = await runCommand('import-archive', [file], settings);
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('sites/sites.ndjson: docs.acme.example belongs to another'),
    ]);
  });

  it('gives people the accounts that they have, and nobody a new one', async () => {
    const made = await randomOrganization(client, firstSeed);
    const { file, bytes } = await archiveOf(made);
    const settings = { ...newInstallation('known'), BOOTSTRAP_EMAIL: made.email.toUpperCase() };
    const server = await start(settings.DATA_DIR, { BOOTSTRAP_EMAIL: settings.BOOTSTRAP_EMAIL });
    const { id } = (await server.get('/v1/user')).body;
    await stop(server);
    const { code, output } = await runCommand('import-archive', [file], settings);
    expect([code, output]).toEqual([0, expect.stringContaining('of whom 1 have an account of another id here')]);
    const again = await start(settings.DATA_DIR);
    const files = await unzip(await download(await exported(again, made.organization)));
    const before = await unzip(bytes);
    const [{ user } = { user: '' }] = linesOf(before, 'members.ndjson').filter(({ email }) => email === made.email);
    expect(user).not.toBe(id);
    expect([...files.values()].filter((content) => content.includes(user))).toEqual([]);
    const creators = linesOf(files, 'collections.ndjson').map(({ createdBy }) => createdBy);
    expect(new Set(creators)).toEqual(new Set([id]));
  });
});
