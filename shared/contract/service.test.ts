import { ServiceBroker } from 'moleculer';
import { z } from 'zod';
import { apiError } from '../errors/errors.js';
import { noteApplied } from '../store/applied.js';
import { collection, write } from '../store/port.js';
import { stillClock } from '../testing/still-clock.js';
import { system } from './caller.js';
import { Encoded, encodedAnswer, encodeInSlices, objectJson } from './encoded.js';
import { defineContract, operation } from './operation.js';
import { bindService, callAsSystem, callFrom, unchangedAnswer } from './service.js';

describe('the hints of a service', () => {
  let broker: ServiceBroker;
  const heard: unknown[] = [];
  beforeAll(async () => {
    broker = new ServiceBroker({ logger: false });
    broker.createService(
      bindService({
        name: 'listener',
        contract: {},
        handlers: {},
        ready: async () => {},
        hints: { 'speaker.said': (payload) => heard.push(payload) },
      }),
    );
    await broker.start();
  });
  afterAll(() => broker.stop());

  it('get the payload of an event', async () => {
    await broker.broadcast('speaker.said', { words: 3 });
    expect(heard).toEqual([{ words: 3 }]);
  });

  it('are called for an event without one', async () => {
    heard.length = 0;
    await broker.broadcast('speaker.said');
    await broker.broadcast('speaker.said', null);
    expect(heard).toHaveLength(2);
  });
});

it('a call that comes after its deadline is refused and does nothing', async () => {
  const broker = new ServiceBroker({ logger: false });
  let runs = 0;
  const count = { action: 'counter.count', run: async () => ++runs };
  broker.createService(
    bindService({ name: 'counter', contract: {}, handlers: {}, ready: async () => {}, verbs: [count] }),
  );
  await broker.start();
  const call = (deadline: number) => broker.call('counter.count', {}, { meta: { caller: system, deadline } });
  await expect(call(Date.now() - 1)).rejects.toMatchObject({ code: 503 });
  expect(await call(Date.now() + 3_600_000)).toBe(1);
  await broker.stop();
});

describe('an encoded answer', () => {
  const contract = defineContract('books', {
    getBook: operation({
      method: 'GET',
      path: '/books/{book}',
      summary: 'Get a book',
      tag: 'Books',
      access: 'public',
      status: 200,
      response: encodedAnswer(z.object({ pages: z.array(z.string()) })),
      cache: 'versioned',
    }),
  });
  let broker: ServiceBroker;
  let made = 0;
  beforeAll(async () => {
    broker = new ServiceBroker({ logger: false });
    broker.createService(
      bindService({
        name: 'books',
        contract,
        checkResponses: true,
        ready: async () => {},
        handlers: {
          async getBook({ path }, { declareVersion, hasVersion }) {
            if (path.book === 'kept') {
              if (hasVersion(path.book)) return unchangedAnswer;
            } else declareVersion(path.book);
            made += 1;
            return path.book === 'bad' ? Encoded.of({ pages: [1] as never }) : Encoded.of({ pages: [path.book] });
          },
        },
      }),
    );
    await broker.start();
  });
  afterAll(() => broker.stop());

  const ask = async (book: string, known?: string[]) => {
    const meta: { version?: string; unchanged?: true; caller: unknown } = { caller: system };
    const called = broker.call('books.getBook', { path: { book }, query: {}, known }, { meta }) as Promise<Encoded> & {
      ctx: { meta: typeof meta };
    };
    const answer = await called;
    return { answer, meta: called.ctx.meta };
  };

  it('reaches another service decoded', async () => {
    expect(await callAsSystem(broker)(contract.getBook, { path: { book: 'a' } })).toEqual({ pages: ['a'] });
  });

  it('is checked like any other', async () => {
    await expect(ask('bad')).rejects.toThrow(/the answer of getBook does not have the shape/);
  });

  it.each([
    [['a'], true],
    [['z', 'a'], true],
    [['*'], true],
    [['b'], false],
    [[], false],
    [undefined, false],
  ])('is not made for a caller who has the versions %j: %s', async (known, unchanged) => {
    for (const book of ['a', 'kept']) {
      made = 0;
      const { answer, meta } = await ask(
        book,
        known?.map((version) => (version === 'a' ? book : version)),
      );
      expect(meta.version).toBe(book);
      expect([meta.unchanged ?? false, answer === undefined, made]).toEqual([unchanged, unchanged, unchanged ? 0 : 1]);
    }
  });
});

describe('an encoded answer that is long', () => {
  stillClock();

  it('is made in slices of 5 ms', async () => {
    const items = Array.from({ length: 1_000 }, (_, at) => ({ at, text: `Zeile ${at} – ä` }));
    let turns = 0;
    let done = false;
    const count = () => {
      turns += 1;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    const slow = function* () {
      for (const item of items) {
        jest.advanceTimersByTime(1);
        yield [JSON.stringify(item)];
      }
    };
    const made = await encodeInSlices(objectJson({ name: 'ä' }, { items: slow(), none: [] }));
    done = true;
    expect(made.decode()).toEqual({ name: 'ä', items, none: [] });
    expect(made.name).toBe(new Encoded(made.bytes).name);
    expect(turns).toBeGreaterThanOrEqual(items.length / 5);
  });
});

describe('a change whose answer fails', () => {
  const contract = defineContract('notes', {
    addNote: operation({
      method: 'POST',
      path: '/notes/{note}',
      summary: 'Add a note',
      tag: 'Notes',
      access: 'public',
      status: 204,
    }),
  });
  const record = write.insert(collection<{ _id: string }>('notes'), { _id: 'record' });
  const broker = new ServiceBroker({ logger: false });
  const add = (note: string) => callAsSystem(broker)(contract.addNote, { path: { note } });
  beforeAll(async () => {
    broker.createService(
      bindService({
        name: 'notes',
        contract,
        auditTrail: () => record,
        ready: async () => {},
        handlers: {
          async addNote({ path }, { audit }) {
            const writes = [write.all([audit('space', path.note)])];
            if (path.note === 'applied') noteApplied(writes);
            throw apiError('UNAVAILABLE', 'Another service is away');
          },
        },
      }),
    );
    await broker.start();
  });
  afterAll(() => broker.stop());

  it('has an unknown outcome once it is applied; before, it may be tried again', async () => {
    await expect(add('refused')).rejects.toMatchObject({ code: 503 });
    await expect(add('applied')).rejects.toMatchObject({ code: 504 });
  });
});

describe('a caller', () => {
  const common = { method: 'POST', tag: 'Doors', access: 'public', status: 204 } as const;
  const contract = defineContract('doors', {
    leaveHouse: operation({ ...common, path: '/doors/leave', summary: 'Leave', changesCaller: true }),
    knockAtDoor: operation({ ...common, path: '/doors/knock', summary: 'Knock' }),
  });
  const broker = new ServiceBroker({ logger: false });
  let isOpen = true;
  beforeAll(async () => {
    const leaveHouse = async () => {
      if (!isOpen) throw apiError('FORBIDDEN', 'The door is closed');
    };
    const handlers = { leaveHouse, knockAtDoor: async () => {} };
    broker.createService(bindService({ name: 'doors', contract, ready: async () => {}, handlers }));
    await broker.start();
  });
  afterAll(() => broker.stop());

  it('is told of calls that changed what it is', async () => {
    let changes = 0;
    const meta = { caller: system, deadline: Date.now() + 3_600_000, requestId: '' };
    const call = callFrom(broker, meta, { callerChanged: () => changes++ });
    await call(contract.knockAtDoor, { path: {} });
    expect(changes).toBe(0);
    await call(contract.leaveHouse, { path: {} });
    expect(changes).toBe(1);
    isOpen = false;
    await expect(call(contract.leaveHouse, { path: {} })).rejects.toMatchObject({ code: 403 });
    expect(changes).toBe(1);
  });
});
