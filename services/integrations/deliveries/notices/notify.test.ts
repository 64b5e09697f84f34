import { newIntegration, openInstallations, stored } from '../../installations/testing/installations-store.js';
import { gitNotices } from './notices.js';
import { Audience, makeEvents } from './notify.js';

let opened: Awaited<ReturnType<typeof openInstallations>>;
beforeEach(async () => {
  opened = await openInstallations();
});
afterEach(() => opened.close());

it('says which installation caused the event itself', async () => {
  const { deps } = opened;
  const scopes = ['space:git:sync'] as const;
  for (const name of ['one', 'other'])
    await stored(deps, newIntegration(deps, { _id: name, scopes: [...scopes] }), { _id: name, spaceSelection: 'all' });
  const sync = { organization: 'acme', space: 's', operation: 'o', revision: 'r', commit: 'c' };
  const echoes = async (installation?: string) => {
    const told = gitNotices('space_gitsync_started', [{ ...sync, installation }]);
    const events = await makeEvents(new Audience(deps), told);
    return events.filter(({ isEcho }) => isEcho).map((event) => event.installation);
  };
  expect(await echoes()).toEqual([]);
  expect(await echoes('one')).toEqual(['one']);
  expect(await echoes('elsewhere')).toEqual([]);
});
