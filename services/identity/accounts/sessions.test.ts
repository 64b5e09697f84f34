import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Store, write } from '../../../shared/store/port.js';
import { openSqliteStore } from '../../../shared/store/sqlite/store.js';
import { newId, timestamp } from '../../../shared/values/ids.js';
import { accountCollections, sessions } from './model.js';
import { newSession, sessionWrites } from './sessions.js';

let folder: string;
let store: Store;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-sessions-'));
  store = await openSqliteStore({ path: join(folder, 'sessions.sqlite') });
  await store.prepare(accountCollections);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** Stores sessions of a user, each used a second after the one before; returns their ids. */
async function signedIn(user: string, count: number, scope?: string): Promise<string[]> {
  const documents = Array.from({ length: count }, (_, at) => {
    const { document } = newSession({ user, agent: '', scope });
    return { ...document, lastUsedAt: timestamp(new Date(Date.parse('2026-01-01T00:00:00Z') + at * 1000)) };
  });
  await store.batch(documents.map((document) => write.insert(sessions, document)));
  return documents.map(({ _id }) => _id);
}

async function signIn(user: string, scope?: string): Promise<void> {
  await store.batch(await sessionWrites(store, newSession({ user, agent: '', scope }).document));
}

describe('the browsers in which a user is signed in', () => {
  it('are a hundred: the one used longest ago is signed out', async () => {
    const user = newId();
    const [first = '', second = ''] = await signedIn(user, 100);
    await signIn(user);
    expect(await store.count(sessions, { user })).toBe(100);
    expect([await store.get(sessions, first), (await store.get(sessions, second))?._id]).toEqual([null, second]);
  });

  it('are signed out by no single sign-on of an organization, and by none of another one', async () => {
    const user = newId();
    const [own, there] = [await signedIn(user, 1), await signedIn(user, 1, 'there')];
    await signedIn(user, 100, 'here');
    await signIn(user, 'here');
    expect(await store.count(sessions, { user, scope: 'here' })).toBe(100);
    for (const _id of [...own, ...there]) expect((await store.get(sessions, String(_id)))?._id).toBe(_id);
  });
});
