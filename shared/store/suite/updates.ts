import type { Update } from '../port.js';
import { accounts, keep, keysMatching, keysOf, type Note, notes, refused, type Subject, someone } from './fixture.js';

type Fields = Omit<Note, '_id' | 'owner'>;

/** Fields before, an update, fields after. */
const cases: [string, Fields, Update<Note>, Fields][] = [
  ['$set', { title: 'a', rank: 1 }, { $set: { title: 'b', kind: null } }, { title: 'b', rank: 1, kind: null }],
  ['$set of nothing', { title: 'a' }, { $set: { title: undefined as never } }, { title: 'a' }],
  ['$set into an object', { meta: { level: 1 } }, { $set: { 'meta.level': 2 } }, { meta: { level: 2 } }],
  [
    '$set that makes objects',
    {},
    { $set: { 'meta.flags.hot': true, 'meta.level': 1 } },
    { meta: { flags: { hot: true }, level: 1 } },
  ],
  ['$unset', { title: 'a', rank: 1 }, { $unset: { title: true, kind: true } }, { rank: 1 }],
  [
    '$unset in an object',
    { meta: { level: 1, counts: { a: 1 } } },
    { $unset: { 'meta.level': true, 'meta.counts.b': true, 'history.x': true } },
    { meta: { counts: { a: 1 } } },
  ],
  ['$setOnInsert', { title: 'a' }, { $setOnInsert: { title: 'b', rank: 1 } }, { title: 'a' }],
  ['$inc', { rank: 1 }, { $inc: { rank: 2, size: -1.5 } }, { rank: 3, size: -1.5 }],
  ['$inc in an object', {}, { $inc: { 'meta.counts.a': 1 } }, { meta: { counts: { a: 1 } } }],
  ['$min that is less', { rank: 5 }, { $min: { rank: 3 } }, { rank: 3 }],
  ['$min that is not', { rank: 5 }, { $min: { rank: 7 } }, { rank: 5 }],
  ['$min of a missing field', {}, { $min: { due: '2024' } }, { due: '2024' }],
  ['$min of null', { due: null }, { $min: { due: '2024' } }, { due: null }],
  ['$max that is more', { due: '2024' }, { $max: { due: '2025' } }, { due: '2025' }],
  ['$max that is not', { due: '2024' }, { $max: { due: '2023' } }, { due: '2024' }],
  ['$max of a missing field', {}, { $max: { rank: 1 } }, { rank: 1 }],
  ['$max of null', { due: null }, { $max: { due: '2024' } }, { due: '2024' }],
  ['$push', { tags: ['a'] }, { $push: { tags: 'a' } }, { tags: ['a', 'a'] }],
  [
    '$push of an object to a missing field',
    {},
    { $push: { history: { by: 'me', at: 1 } } },
    { history: [{ by: 'me', at: 1 }] },
  ],
  ['$addToSet of a new item', { tags: ['a'] }, { $addToSet: { tags: 'b' } }, { tags: ['a', 'b'] }],
  ['$addToSet of a known item', { tags: ['a'] }, { $addToSet: { tags: 'a' } }, { tags: ['a'] }],
  ['$addToSet to a missing field', {}, { $addToSet: { tags: 'a' } }, { tags: ['a'] }],
  [
    '$addToSet of a known object',
    { history: [{ by: 'me', at: 1 }] },
    { $addToSet: { history: { by: 'me', at: 1 } } },
    { history: [{ by: 'me', at: 1 }] },
  ],
  ['$pull', { tags: ['a', 'b', 'a'] }, { $pull: { tags: 'a', labels: 'x' } }, { tags: ['b'] }],
  [
    '$pull by some fields of an item',
    { history: [{ by: 'me', at: 1 }, { by: 'you' }] },
    { $pull: { history: { by: 'me' } } },
    { history: [{ by: 'you' }] },
  ],
  [
    'all at once',
    { title: 'a', rank: 1, tags: ['x'] },
    { $set: { title: 'b' }, $inc: { rank: 1 }, $push: { tags: 'y' }, $unset: { kind: true }, $max: { due: 'z' } },
    { title: 'b', rank: 2, tags: ['x', 'y'], due: 'z' },
  ],
  ['nothing', { title: 'a' }, {}, { title: 'a' }],
];

const wrong: Record<string, Update<Note> | object> = {
  'an unknown operator': { $rename: { title: 'kind' } },
  'a replacement': { title: 'x' },
  'two changes of one field': { $set: { rank: 1 }, $inc: { rank: 1 } },
  'a change of a field and of its part': { $set: { meta: { level: 1 } }, $inc: { 'meta.level': 1 } },
  'another _id': { $set: { _id: 'other' } },
  'no _id': { $unset: { _id: true } },
  $each: { $push: { tags: { $each: ['a', 'b'] } } },
  'a condition in $pull': { $pull: { tags: { $in: ['a'] } } },
  '$inc by text': { $inc: { rank: 'x' } },
  '$inc of text': { $inc: { title: 1 } },
  '$push to text': { $push: { title: 'x' } },
  '$addToSet to text': { $addToSet: { title: 'x' } },
  '$pull from text': { $pull: { title: 'x' } },
  'a path through text': { $set: { 'title.x': 1 } },
};

export function updateTests(subject: Subject): void {
  describe('updates', () => {
    test.each(cases)('%s', async (_name, before, update, after) => {
      const { store } = subject;
      const owner = someone();
      await keep(store, owner, { a: before, b: before });
      const expected = { _id: `${owner}/a`, owner, ...after };
      expect(await store.update(notes, { _id: `${owner}/a` }, update)).toEqual(expected);
      expect(await store.get(notes, `${owner}/a`)).toEqual(expected);
      expect(await store.updateMany(notes, { owner, _id: `${owner}/b` }, update)).toBe(1);
      expect(await store.get(notes, `${owner}/b`)).toEqual({ ...expected, _id: `${owner}/b` });
    });

    test.each(Object.entries(wrong))('refuse %s', async (_name, update) => {
      const { store } = subject;
      const owner = someone();
      await keep(store, owner, { a: { title: 'a', tags: ['a'] } });
      const before = await store.get(notes, `${owner}/a`);
      await expect(store.update(notes, { owner }, update as Update<Note>)).rejects.toMatchObject(refused);
      expect(await store.get(notes, `${owner}/a`)).toEqual(before);
    });

    test('change one document, the first in the requested order', async () => {
      const { store } = subject;
      const owner = someone();
      await keep(store, owner, { a: { rank: 2 }, b: { rank: 1 }, c: { rank: 3 } });
      const first = await store.update(notes, { owner }, { $set: { kind: 'x' } }, { sort: { rank: 1 } });
      const last = await store.update(notes, { owner }, { $set: { kind: 'y' } }, { sort: { rank: -1 } });
      expect([first?._id, last?._id]).toEqual([`${owner}/b`, `${owner}/c`]);
      expect(await store.update(notes, { owner, kind: 'z' }, { $set: { kind: 'x' } })).toBeNull();
      expect(await keysMatching(store, owner, { kind: { $ne: null } })).toEqual(['b', 'c']);
    });

    test('change many documents and count them', async () => {
      const { store } = subject;
      const owner = someone();
      await keep(store, owner, { a: { rank: 1 }, b: { rank: 2 }, c: { rank: 3, kind: 'x' } });
      expect(await store.updateMany(notes, { owner, rank: { $gte: 2 } }, { $set: { kind: 'x' } })).toBe(2);
      expect(await store.updateMany(notes, { owner, rank: 9 }, { $set: { kind: 'x' } })).toBe(0);
      expect(await keysMatching(store, owner, { kind: 'x' })).toEqual(['b', 'c']);
    });

    test('move documents between the entries of every index', async () => {
      const { store } = subject;
      const owner = someone();
      await keep(store, owner, { a: { title: 'Before', tags: ['before'], rank: 1 }, b: { rank: 5 } });
      await store.update(
        notes,
        { _id: `${owner}/a` },
        { $set: { title: 'After', tags: ['after', 'after', 'more'], rank: 9 } },
      );
      expect(await keysMatching(store, owner, { tags: 'before' })).toEqual([]);
      expect(await keysMatching(store, owner, { tags: 'after' })).toEqual(['a']);
      expect(await store.count(notes, { owner, tags: 'after' })).toBe(1);
      expect(await keysMatching(store, owner, { $contains: { index: 'text', text: 'before' } })).toEqual([]);
      expect(await keysMatching(store, owner, { $contains: { index: 'text', text: 'after' } })).toEqual(['a']);
      expect(await keysMatching(store, owner, {}, { rank: 1 })).toEqual(['b', 'a']);
      const heir = someone();
      await store.update(notes, { _id: `${owner}/a` }, { $set: { owner: heir } });
      expect(await keysMatching(store, owner, { tags: 'after' })).toEqual([]);
      expect(await keysMatching(store, heir, { tags: 'after', $contains: { index: 'text', text: 'after' } })).toEqual([
        'a',
      ]);
    });
  });

  describe('upserts', () => {
    test('insert the equalities of the filter with the update applied', async () => {
      const { store } = subject;
      const owner = someone();
      const filter = { _id: `${owner}/a`, owner: { $eq: owner }, rank: { $gt: 1 }, $and: [{ kind: 'k' }] };
      const update: Update<Note> = {
        $set: { 'meta.level': 1 },
        $setOnInsert: { title: 'first' },
        $inc: { size: 1 },
        $push: { tags: 't' },
      };
      const inserted = {
        _id: `${owner}/a`,
        owner,
        kind: 'k',
        title: 'first',
        size: 1,
        tags: ['t'],
        meta: { level: 1 },
      };
      expect(await store.upsert(notes, filter, update)).toEqual(inserted);
      expect(await store.get(notes, `${owner}/a`)).toEqual(inserted);
      const { rank: _rank, ...again } = filter;
      expect(await store.upsert(notes, again, { ...update, $setOnInsert: { title: 'second' } })).toEqual({
        ...inserted,
        size: 2,
        tags: ['t', 't'],
      });
    });

    test('fail when a document that the filter does not match has the _id', async () => {
      const { store } = subject;
      const owner = someone();
      await keep(store, owner, { a: { rank: 1 } });
      const upsert = store.upsert(notes, { _id: `${owner}/a`, rank: 2 }, { $set: { kind: 'x' } });
      await expect(upsert).rejects.toMatchObject({ name: 'StoreDuplicate', fields: ['_id'] });
    });

    test('make one document when 64 writers race', async () => {
      const { store } = subject;
      const email = `${someone()}@example.com`;
      const upserts = Array.from({ length: 64 }, () =>
        store.upsert(accounts, { _id: email }, { $inc: { logins: 1 }, $setOnInsert: { email } }),
      );
      const logins = (await Promise.all(upserts)).map((account) => account.logins ?? 0);
      expect(logins.sort((a, b) => a - b)).toEqual(Array.from({ length: 64 }, (_, n) => n + 1));
      expect(await store.count(accounts, { email })).toBe(1);
    });
  });

  describe('racing writers', () => {
    test('lose no increment', async () => {
      const { store } = subject;
      const owner = someone();
      await keep(store, owner, { a: { rank: 0 } });
      const updates = Array.from({ length: 64 }, (_, n) =>
        store.update(notes, { _id: `${owner}/a` }, { $inc: { rank: 1, [`meta.counts.w${n % 4}`]: 1 } }),
      );
      const seen = (await Promise.all(updates)).map((note) => Number(note?.rank));
      expect(new Set(seen).size).toBe(64);
      const counts = { w0: 16, w1: 16, w2: 16, w3: 16 };
      expect(await store.get(notes, `${owner}/a`)).toEqual({ _id: `${owner}/a`, owner, rank: 64, meta: { counts } });
    });

    test('claim every document once, in order', async () => {
      const { store } = subject;
      const owner = someone();
      const waiting = Array.from({ length: 40 }, (_, n) => [`job${n}`, { kind: 'waiting', rank: n }] as const);
      await keep(store, owner, Object.fromEntries(waiting));
      const claims = await Promise.all(
        Array.from({ length: 64 }, () =>
          store.update(notes, { owner, kind: 'waiting' }, { $set: { kind: 'running' } }, { sort: { rank: 1 } }),
        ),
      );
      const claimed = keysOf(claims.filter((claim) => claim !== null));
      expect(claimed.sort()).toEqual(waiting.map(([key]) => key).sort());
    });

    test('of one version have one winner', async () => {
      const { store } = subject;
      const owner = someone();
      await keep(store, owner, { a: { rank: 1 } });
      const edits = await Promise.all(
        Array.from({ length: 16 }, (_, n) =>
          store.update(notes, { _id: `${owner}/a`, rank: 1 }, { $set: { title: `${n}` }, $inc: { rank: 1 } }),
        ),
      );
      expect(edits.filter((edit) => edit !== null)).toHaveLength(1);
    });
  });
}
