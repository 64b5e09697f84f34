import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { system } from '../../../shared/contract/caller.js';
import type { Call, Context } from '../../../shared/contract/service.js';
import { apiError } from '../../../shared/errors/errors.js';
import { type Store, write } from '../../../shared/store/port.js';
import { openSqliteStore } from '../../../shared/store/sqlite/store.js';
import { countSites } from '../contract.js';
import { userCollections, users } from '../users/model.js';
import { newUser } from '../users/users.js';
import { memberHandlers } from './member-handlers.js';
import { findMembers } from './members.js';
import { zeroRoleCounts } from './memberships.js';
import { type MemberDocument, memberId, members, organizationCollections, organizations } from './model.js';

const organization = 'org';

let folder: string;
let store: Store;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-members-'));
  store = await openSqliteStore({ path: join(folder, 'members.sqlite') });
  await store.prepare([...userCollections, ...organizationCollections]);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

let made = 0;
async function newMember(fields: Partial<MemberDocument> = {}): Promise<string> {
  const user = newUser(`ada-${made++}@example.com`);
  const _id = memberId(fields.organization ?? organization, user._id);
  const member = { _id, organization, user: user._id, role: 'read', disabled: false, sso: false, teams: [], ...fields };
  await store.batch([write.insert(users, user), write.insert(members, member as MemberDocument)]);
  return user._id;
}

/** Answers as content and sites do, and counts. */
function countingCall() {
  const asked: string[] = [];
  const call = (async ({ action }: { action: string }, { members: of }: { members: unknown[] }) => {
    asked.push(action);
    if (action === countSites.action) return of.map((_, at) => 2 * at);
    return { members: of.map((_, at) => at), teams: [] };
  }) as unknown as Call;
  return { asked, call };
}

describe('members that others name', () => {
  it('are found in the order of their ids, by a question to each service, however many they are', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 100; count++) ids.unshift(await newMember());
    const { asked, call } = countingCall();
    const found = await findMembers({ store, baseUrl: '' }, { organization, ids }, { call, caller: system });
    expect(found.map(({ id, spaces, sites }) => [id, spaces, sites])).toEqual(ids.map((id, at) => [id, at, 2 * at]));
    expect(asked).toEqual(['content.countSpaces', 'sites.countSites']);
  });

  it('are only those who are members: switched off, but neither elsewhere nor invited', async () => {
    const disabled = await newMember({ disabled: true });
    const invited = await newMember({ disabled: true, pending: { by: 'admin', disabled: false } });
    const elsewhere = await newMember({ organization: 'other' });
    const guest = await newMember({ role: null });
    const { call } = countingCall();
    const ids = [invited, 'nobody', guest, elsewhere, disabled];
    const found = await findMembers({ store, baseUrl: '' }, { organization, ids }, { call, caller: system });
    expect(found.map(({ id, disabled }) => [id, disabled])).toEqual([
      [guest, false],
      [disabled, true],
    ]);
  });

  it('are shown without their sites while those cannot be asked', async () => {
    const { call } = countingCall();
    const withoutSites = (async (asked: { action: string }, parameters: never) => {
      if (asked.action === countSites.action) throw apiError('UNAVAILABLE', 'The service sites is not available');
      return call(asked as never, parameters);
    }) as unknown as Call;
    const wanted = { organization, ids: [await newMember()] };
    const found = await findMembers({ store, baseUrl: '' }, wanted, { call: withoutSites, caller: system });
    expect(found).toMatchObject([{ spaces: 0 }]);
    expect(found[0]).not.toHaveProperty('sites');
  });

  it('are nobody, without a question, where none is named', async () => {
    const { asked, call } = countingCall();
    expect(await findMembers({ store, baseUrl: '' }, { organization, ids: [] }, { call, caller: system })).toEqual([]);
    expect(asked).toEqual([]);
  });
});

describe('an admin whose role is taken away', () => {
  const deps = () => ({ store, outbox: { add: () => nothing }, callersChanged: () => nothing, baseUrl: '' }) as never;
  const nothing = write.check(members, { _id: 'nowhere' }, 0);
  const { call } = countingCall();
  /** What an admin asks for, authorized while it was one. */
  const contextOf = (user: string) => {
    const memberships = { [home]: { role: 'admin', teams: [], owned: [] } };
    return {
      caller: { kind: 'user', user, token: 't', memberships },
      call,
      audit: () => nothing,
    } as unknown as Context;
  };
  const home = 'contested';
  const roleOf = async (user: string) => (await store.get(members, memberId(home, user)))?.role;
  const newHome = async () => {
    const counts = { ...zeroRoleCounts(), admin: 3, read: 1 };
    await store.upsert(organizations, { _id: home }, { $set: { members: counts, admins: 3 } } as never);
    const of = { organization: home, version: 0, owned: [] };
    const [first, second, reader] = await Promise.all([
      newMember({ ...of, role: 'admin' }),
      newMember({ ...of, role: 'admin' }),
      newMember(of),
    ]);
    return { first, second, reader } as Record<'first' | 'second' | 'reader', string>;
  };
  const at = (userId: string) => ({ path: { organizationId: home, userId }, query: {} });

  it('neither gives it back nor to others by requests that were under way', async () => {
    const { first, second, reader } = await newHome();
    const { updateMemberInOrganizationById: update, removeMemberFromOrganizationById: remove } = memberHandlers(deps());
    await update({ ...at(second), body: { role: 'read' } }, contextOf(first));
    const under = contextOf(second);
    for (const late of [
      update({ ...at(second), body: { role: 'admin' } }, under),
      update({ ...at(reader), body: { role: 'admin' } }, under),
      remove({ ...at(first), body: undefined }, under),
    ])
      await expect(late).rejects.toMatchObject({ type: 'FORBIDDEN' });
    expect(await Promise.all([first, second, reader].map(roleOf))).toEqual(['admin', 'read', 'read']);
  });

  it('loses it or takes it, when two take it from each other at the same time', async () => {
    const { first, second } = await newHome();
    const { updateMemberInOrganizationById: update } = memberHandlers(deps());
    const taken = await Promise.allSettled([
      update({ ...at(second), body: { role: 'read' } }, contextOf(first)),
      update({ ...at(first), body: { role: 'read' } }, contextOf(second)),
    ]);
    expect(taken.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await Promise.all([first, second].map(roleOf))).sort()).toEqual(['admin', 'read']);
  });

  it('may leave itself', async () => {
    const { second } = await newHome();
    const { removeMemberFromOrganizationById: remove } = memberHandlers(deps());
    await remove({ ...at(second), body: undefined }, contextOf(second));
    expect(await roleOf(second)).toBeUndefined();
  });
});
