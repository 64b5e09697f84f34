import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiError, notFound } from '../errors/errors.js';
import { gate } from '../jobs/testing/job-services.js';
import { createLog } from '../monitoring/log.js';
import { createSecrets, type Secrets } from '../secrets/secrets.js';
import { type Collection, collection, type Document, type Store, StoreConflict, write } from '../store/port.js';
import { openSqliteStore } from '../store/sqlite/store.js';
import { eventually } from '../testing/eventually.js';
import { stillClock } from '../testing/still-clock.js';
import type { Caller, ContentCaller } from './caller.js';
import { type Asked, KeyedRequests, type Run } from './keyed-requests.js';

stillClock();

const leaseMs = 90;
const notes = collection<Document & { text: string }>('test_notes');
const stored = collection<Document & { until: string; expiresAt: string }>('test_keyed_requests');
const log = createLog('silent');
let folder: string;
let store: Store;
let secrets: Secrets;
let requests: KeyedRequests;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-keys-'));
  store = await openSqliteStore({ path: join(folder, 'store.sqlite'), log });
  secrets = createSecrets([Buffer.alloc(32, 1).toString('base64')]);
  await store.prepare([notes as unknown as Collection<never>]);
  requests = open();
  await requests.prepare();
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** As another process of the same service. */
const open = (ring = secrets) =>
  new KeyedRequests({ store, secrets: ring, log, service: 'test', exclusive: false, leaseMs });
const ada: Caller = { kind: 'user', user: 'ada', token: 't', memberships: {} };
let keys = 0;
const asked = (more: Partial<Asked> = {}): Asked => ({
  caller: ada,
  network: '',
  organization: 'org',
  key: `key-${keys}`,
  operation: 'createNote',
  request: { body: { text: 'a' } },
  until: Date.now() + 2_000,
  ...more,
});
beforeEach(() => {
  keys += 1;
});

const insert = ({ mark }: Run, id = `note-${keys}`) =>
  store.batch([write.insert(notes, { _id: id, text: 'a' }), write.all([mark('org')])]);
const never = async () => {
  throw new Error('performed again');
};

describe('a request with a key', () => {
  it('is performed once, and answered again as the first time', async () => {
    const first = await requests.answerOnce(asked(), async (run) => {
      await insert(run);
      return { id: 1 };
    });
    expect(first).toEqual({ answer: { id: 1 }, replayed: false });
    for (const at of [requests, open()])
      expect(await at.answerOnce(asked(), never)).toEqual({ answer: { id: 1 }, replayed: true, organization: 'org' });
  });

  it('may have no answer', async () => {
    await requests.answerOnce(asked(), insert);
    expect(await requests.answerOnce(asked(), never)).toEqual({ answer: null, replayed: true, organization: 'org' });
  });

  it('is performed once where it is sent many times at once', async () => {
    let performed = 0;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        open().answerOnce(asked(), async (run) => {
          await insert(run);
          performed += 1;
          return performed;
        }),
      ),
    );
    expect(answers.map(({ answer }) => answer)).toEqual(Array.from({ length: 20 }, () => 1));
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  it('is another request for another caller, and for a caller without a token from another network', async () => {
    const others = [
      { caller: { ...ada, user: 'bob' } },
      { caller: { kind: 'anonymous' }, network: '192.0.2.1' },
      { caller: { kind: 'anonymous' }, network: '192.0.2.2' },
    ] as const;
    await requests.answerOnce(asked(), async () => 'mine');
    for (const other of others) {
      expect(await requests.answerOnce(asked(other), async () => other)).toMatchObject({ replayed: false });
      expect(await requests.answerOnce(asked(other), never)).toEqual({ answer: other, replayed: true });
    }
    expect(await requests.answerOnce(asked(), never)).toMatchObject({ answer: 'mine' });
  });

  it('is another request for another visitor of a site, by the claims of the token or else by the network', async () => {
    const visitor = (claims: Record<string, unknown>, network = ''): Partial<Asked> => ({
      caller: { kind: 'content', site: 'docs', organization: 'org', spaces: [], claims } as unknown as ContentCaller,
      network,
    });
    const visitors = [
      visitor({ name: 'ada', beta: true }),
      visitor({ name: 'bob' }),
      visitor({}, '192.0.2.1'),
      visitor({}, '192.0.2.2'),
    ];
    for (const other of visitors)
      expect(await requests.answerOnce(asked(other), async () => other)).toMatchObject({ replayed: false });
    const elsewhere = visitor({ beta: true, name: 'ada' }, '192.0.2.3');
    expect(await requests.answerOnce(asked(elsewhere), never)).toEqual({ answer: visitors[0], replayed: true });
  });

  it('is refused where the key was used for another request', async () => {
    await requests.answerOnce(asked(), async () => 'first');
    for (const other of [{ operation: 'deleteNote' }, { request: { body: { text: 'b' } } }])
      await expect(requests.answerOnce(asked(other), never)).rejects.toMatchObject({ code: 422 });
  });

  it('is performed again after it failed', async () => {
    const failing = async () => {
      throw notFound('Note');
    };
    await expect(requests.answerOnce(asked(), failing)).rejects.toMatchObject({ code: 404 });
    expect(await requests.answerOnce(asked({ request: 'another' }), async () => 'done')).toMatchObject({
      replayed: false,
    });
  });

  it('fails for those who waited for it when it fails: its error was the answer', async () => {
    let fail = () => {};
    const failing = () => new Promise((_, reject) => (fail = () => reject(notFound('Note'))));
    const first = requests.answerOnce(asked(), failing);
    const looks = jest.spyOn(store, 'get');
    const waiting = [open(), open()].map((each) => each.answerOnce(asked(), never));
    await eventually('a look of each', () => looks.mock.calls.length >= 2);
    looks.mockRestore();
    fail();
    await expect(first).rejects.toMatchObject({ code: 404 });
    for (const each of waiting) await expect(each).rejects.toMatchObject({ code: 503 });
    expect(await requests.answerOnce(asked(), async () => 'done')).toMatchObject({ replayed: false });
  });

  it('is the same change where nobody knows whether it was made', async () => {
    const changes: string[] = [];
    const unknown = async ({ change }: Run) => {
      changes.push(change);
      throw apiError('OUTCOME_UNKNOWN', 'No answer');
    };
    await expect(requests.answerOnce(asked(), unknown)).rejects.toMatchObject({ code: 504 });
    await expect(requests.answerOnce(asked({ request: 'another' }), never)).rejects.toMatchObject({ code: 422 });
    await requests.answerOnce(asked(), async ({ change }) => changes.push(change));
    expect(changes[1]).toBe(changes[0]);
  });

  it('is not performed again after it failed with its change made', async () => {
    const failing = async (run: Run) => {
      await insert(run);
      throw new Error('after the change');
    };
    await expect(requests.answerOnce(asked(), failing)).rejects.toThrow('after the change');
    jest.advanceTimersByTime(leaseMs);
    await expect(requests.answerOnce(asked(), never)).rejects.toMatchObject({ code: 409 });
  });

  it('waits for the same request that is under way; where that takes too long, its outcome is unknown', async () => {
    const [begun, finish] = [gate(), gate()];
    const under = requests.answerOnce(asked(), async () => {
      begun.open();
      await finish.opened;
      return 'done';
    });
    await begun.opened;
    const tooLong = expect(open().answerOnce(asked({ until: Date.now() + 3 * leaseMs }), never)).rejects;
    const unknown = tooLong.toMatchObject({ code: 504 });
    for (let passed = 0; passed < 3 * leaseMs; passed += leaseMs / 3) {
      jest.advanceTimersByTime(leaseMs / 3);
      const until = new Date(Date.now() + leaseMs).toISOString();
      await eventually('a renewal', () => store.count(stored, { until }));
    }
    await unknown;
    const waiting = open().answerOnce(asked(), never);
    finish.open();
    expect([await under, await waiting]).toEqual([
      { answer: 'done', replayed: false },
      { answer: 'done', replayed: true },
    ]);
  });
});

describe('a process that dies with a request', () => {
  /** Its runs show no sign of life. */
  function unrenewed(): KeyedRequests {
    const cut = new Proxy(store, {
      get: (_, name: 'insert' | 'update') =>
        name === 'update' ? () => Promise.reject(new Error('cut off')) : store[name].bind(store),
    });
    return new KeyedRequests({ store: cut, secrets, log, service: 'test', exclusive: false, leaseMs });
  }

  /** A run that never ends; returns what it would still write. */
  function dying(applied: boolean): Promise<Run> {
    return new Promise((resolve) => {
      void unrenewed().answerOnce(asked(), async (run) => {
        if (applied) await insert(run);
        resolve(run);
        return new Promise(() => {});
      });
    });
  }

  it('before its change leaves it to the next, and changes nothing more if it only slept', async () => {
    const late = await dying(false);
    jest.advanceTimersByTime(leaseMs);
    const again = requests.answerOnce(asked(), async (run) => {
      await insert(run);
      expect(run.change).toBe(late.change);
    });
    expect(await again).toMatchObject({ replayed: false });
    await expect(insert(late, 'late')).rejects.toThrow(StoreConflict);
    expect(await store.get(notes, 'late')).toBeNull();
  });

  it('and wakes when another has taken it over does not know what became of it', async () => {
    const [slept, awake] = [gate(), gate()];
    const sleeping = unrenewed().answerOnce(asked(), async (run) => {
      slept.open();
      await awake.opened;
      await insert(run, 'late');
    });
    await slept.opened;
    jest.advanceTimersByTime(leaseMs);
    expect(await requests.answerOnce(asked(), async (run) => insert(run))).toMatchObject({ replayed: false });
    awake.open();
    await expect(sleeping).rejects.toMatchObject({ code: 504 });
  });

  it('after its change leaves it done, with a clear answer', async () => {
    await dying(true);
    jest.advanceTimersByTime(leaseMs);
    await expect(requests.answerOnce(asked(), never)).rejects.toMatchObject({
      code: 409,
      message: expect.stringContaining('was applied, but its answer is lost'),
    });
  });
});

describe('the answer to a request with a key', () => {
  it('is stored encrypted, and is lost with its key', async () => {
    await requests.answerOnce(asked(), async () => ({ token: 'bnd_secret' }));
    const { items } = await store.page(stored, { filter: {}, sort: {}, limit: 1000 });
    expect(JSON.stringify(items)).not.toContain('bnd_secret');
    const other = open(createSecrets([Buffer.alloc(32, 2).toString('base64')]));
    await expect(other.answerOnce(asked(), never)).rejects.toMatchObject({ code: 409 });
  });

  it('is not kept where it is very long, but the request is not performed again', async () => {
    await requests.answerOnce(asked(), async () => 'x'.repeat(300_000));
    await expect(requests.answerOnce(asked(), never)).rejects.toMatchObject({ code: 409 });
  });

  it('takes no more room than a caller, and the members of an organization, may fill in a day', async () => {
    const bounds = { caller: 3_000, organization: 4_000 };
    const bounded = new KeyedRequests({ store, secrets, log, service: 'bounded', exclusive: false, bounds });
    await bounded.prepare();
    const by = (user: string, key: string, organization = 'org'): Asked =>
      asked({ caller: { ...ada, user }, key, organization });
    const long = async () => 'x'.repeat(1_500);
    const full = { code: 429, message: expect.stringMatching(/^Idempotency-Key: 1 MB .* without a key; wait \d+ s$/) };
    await bounded.answerOnce(by('ada', 'a'), long);
    await bounded.answerOnce(by('ada', 'b'), long);
    await expect(bounded.answerOnce(by('ada', 'c', 'other'), never)).rejects.toMatchObject(full);
    expect(await bounded.answerOnce(by('ada', 'b'), never)).toMatchObject({ replayed: true });
    await expect(bounded.answerOnce(by('bob', 'a'), never)).rejects.toMatchObject(full);
    const stranger = { caller: { kind: 'anonymous' }, network: '192.0.2.1' } as const;
    expect(await bounded.answerOnce(asked(stranger), long)).toMatchObject({ replayed: false });
    expect(await bounded.answerOnce(by('bob', 'a', 'other'), long)).toMatchObject({ replayed: false });
    jest.advanceTimersByTime(24 * 3600_000);
    expect(await bounded.answerOnce(by('ada', 'c'), long)).toMatchObject({ replayed: false });
  });

  it('is forgotten after a day', async () => {
    await requests.answerOnce(asked(), async () => 'old');
    await store.updateMany(stored, {}, { $set: { expiresAt: '2020-01-01T00:00:00.000Z' } });
    expect(await requests.answerOnce(asked({ request: 'new' }), async () => 'new')).toMatchObject({ replayed: false });
    requests.start();
    const isForgotten = async () => (await store.count(stored, { expiresAt: { $lt: '2021' } })) === 0;
    await eventually('no old key', isForgotten);
    requests.stop();
    expect(await requests.answerOnce(asked({ request: 'new' }), never)).toMatchObject({ answer: 'new' });
  });
});
