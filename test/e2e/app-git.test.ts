import { eventually } from '../../shared/testing/eventually.js';
import { signedIn } from '../support/app-browser.js';
import { exportSetting } from '../support/exports.js';
import { newUser } from '../support/fixtures.js';
import { spaceWithRepository } from '../support/git-sync.js';

const setting = exportSetting();
const { client } = setting;

it('a space is connected, shows how it is, is settled and disconnected on a screen', async () => {
  const made = await spaceWithRepository(setting, { 'README.md': '# Welcome\n\nHello.\n' });
  const browser = await signedIn(client, client.token);
  const path = `/app/s/${made.space}/~/git`;
  expect((await browser.open(`/app/s/${made.space}/~/settings`)).text).toContain('Connect with Git');
  const form = await browser.open(path);
  const fields = { provider: 'git', repositoryUrl: made.url, branch: 'main', accessToken: 'hush-hush' };
  const connected = await browser.act(form, 'connect', fields);
  expect(connected.text).toContain('It is shown only now.');
  const open = (text: string) =>
    eventually(
      `a screen with ${text}`,
      () => browser.open(path),
      (screen) => screen.text.includes(text),
    );
  const inSync = await open('In sync');
  expect([inSync.text.includes('shown only now'), inSync.html.includes('hush')]).toEqual([false, false]);
  await made.commit({ 'README.md': '# Welcome\n\nIn Git.\n' });
  await made.write(await made.edited('Welcome', '# Welcome\n\nIn Bindery.\n'));
  await browser.act(path, 'sync');
  const conflict = await open('In conflict');
  expect(conflict.text).toContain('Open the change request');
  await browser.act(conflict, 'takeGit');
  await open('In sync');
  expect(await made.source('Welcome')).toContain('In Git.');
  const modeAfter = async (editMode: string) => {
    const { status, body } = await client.patch(`/v1/spaces/${made.space}`, { editMode });
    return [status, body.editMode ?? body.error.message];
  };
  expect(await modeAfter('locked')).toEqual([200, 'locked']);
  expect(await modeAfter('live')).toEqual([400, expect.stringMatching(/^editMode: /)]);
  await browser.act(path, 'delete');
  expect((await client.get(`/v1/spaces/${made.space}`)).body.gitSync).toBeUndefined();
  expect(await modeAfter('live')).toEqual([200, 'live']);
  expect((await browser.open(path)).text).toContain('Address of the repository');
});

it('is for those who may sync the space, and says what was wrong with what was sent', async () => {
  const made = await spaceWithRepository(setting, { 'README.md': '# Welcome\n' });
  const path = `/app/s/${made.space}/~/git`;
  const editor = await newUser(client, { organization: setting.organization, role: 'edit' });
  expect((await (await signedIn(client, editor.token)).open(path)).status).toBe(403);
  const browser = await signedIn(client, client.token);
  const refused = await browser.act(path, 'connect', { repositoryUrl: 'ftp://x', branch: 'main' });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('repositoryUrl')]);
  expect(refused.html).toContain('ftp://x');
});
