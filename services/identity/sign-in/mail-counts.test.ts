import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mail } from '../../../shared/outbound/mail.js';
import type { Store } from '../../../shared/store/port.js';
import { openSqliteStore } from '../../../shared/store/sqlite/store.js';
import { newUser } from '../users/users.js';
import { countInvites, takeMailable } from './mail-counts.js';
import { signInCollections } from './model.js';

let folder: string;
let store: Store;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-mail-counts-'));
  store = await openSqliteStore({ path: join(folder, 'counts.sqlite') });
  await store.prepare(signInCollections);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const mail: Mail = { configured: true, send: async () => {}, close: async () => {} };
const limited = { type: 'RATE_LIMITED' };

describe('mails of invites', () => {
  it('are 1,000 an hour for an inviter, of whichever organization; what is refused does not count', async () => {
    const invite = (organization: string, mails: number) =>
      countInvites({ store, mail }, { inviter: 'ada', organization, mails });
    await invite('a', 500);
    await invite('b', 400);
    await expect(invite('b', 101)).rejects.toMatchObject(limited);
    await invite('b', 100);
    await expect(invite('c', 1)).rejects.toMatchObject(limited);
  });

  it('are 5,000 a day for an organization, however many invite at once', async () => {
    const invites = Array.from({ length: 12 }, (_, at) =>
      countInvites({ store, mail }, { inviter: `admin ${at}`, organization: 'large', mails: 500 }),
    );
    const results = await Promise.allSettled(invites);
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(10);
    expect(results.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(2);
  });

  it('are ten a day for an address, which others do not use up', async () => {
    const [ada, bob] = [newUser('Ada@example.com'), newUser('bob@example.com')];
    const sent = await Promise.all(Array.from({ length: 15 }, () => takeMailable({ store, mail }, [ada])));
    expect(sent.flat().length).toBeLessThanOrEqual(10);
    expect(await takeMailable({ store, mail }, [newUser('ada@EXAMPLE.com'), bob])).toEqual([bob]);
    const tagged = Array.from({ length: 20 }, (_, at) => newUser(`eve+${at}@example.com`));
    expect(await takeMailable({ store, mail }, tagged)).toHaveLength(10);
  });

  it('are not counted where none is sent', async () => {
    const without = { store, mail: { ...mail, configured: false } };
    for (let times = 0; times < 3; times++)
      await countInvites(without, { inviter: 'eve', organization: 'd', mails: 500 });
    expect(await takeMailable(without, [newUser('eve@example.com')])).toEqual([]);
  });
});
