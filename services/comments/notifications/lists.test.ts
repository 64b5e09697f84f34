import type { Caller } from '../../../shared/contract/caller.js';
import type { Call } from '../../../shared/contract/service.js';
import { encodeCursor } from '../../../shared/lists/paging.js';
import { write } from '../../../shared/store/port.js';
import { openComments } from '../texts/testing/comments-store.js';
import { listOwn } from './lists.js';
import { notifications } from './model.js';

let deps: Awaited<ReturnType<typeof openComments>>;
beforeEach(async () => {
  deps = await openComments();
});
afterEach(() => deps.close());

const caller = { kind: 'user', user: 'ada' } as Caller;
/** No space is there any more. */
const call = (async (_: unknown, { ids = [] }: { ids?: string[] }) => ids.map(() => null)) as unknown as Call;
const list = (page?: string) => listOwn(deps, { limit: 2, ...(page ? { page } : {}) }, { call, caller });

it('goes on only where there is more', async () => {
  const each = { user: 'ada', organization: 'acme', space: 'docs', kind: 'mention', read: false } as const;
  const stored = [1, 2, 3, 4].map((day) => ({ ...each, _id: `n${day}`, createdAt: `2026-11-0${day}T00:00:00.000Z` }));
  await deps.store.batch(stored.map((item) => write.insert(notifications, item)));
  const first = await list();
  expect(first.next).toBeDefined();
  expect((await list(first.next)).next).toBeUndefined();
});

it.each([[encodeCursor([1])], [encodeCursor(['x', 5])], ['%']])('refuses %s, which it never gave', async (page) => {
  await expect(list(page)).rejects.toThrow('page: not a page of this list');
});
