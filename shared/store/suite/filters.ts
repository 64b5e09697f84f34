import type { Filter } from '../port.js';
import { keep, keysMatching, type Note, notes, refused, type Subject, someone } from './fixture.js';

const shelf: Record<string, Omit<Note, '_id' | 'owner'>> = {
  one: { rank: 1, size: 1, kind: 'a', done: true, meta: { level: 1, flags: { hot: true } } },
  two: { rank: 2, size: 2, kind: 'b', done: false, meta: { level: 2 } },
  ten: { rank: 10, size: 10, kind: 'A', done: true, meta: { level: null } },
  word: { rank: '10', size: '10', kind: 'é', meta: {} },
  empty: { rank: '', size: '', kind: '' },
  truth: { size: true, kind: 'a b' },
  nothing: { rank: null, size: null, kind: null, done: null, meta: null, tags: null, labels: null },
  lists: { tags: ['x', 'y'], labels: ['x', 'y'], kind: '%' },
  other: { tags: ['y'], labels: ['y', 'z'], kind: "'" },
  bare: {},
};

const all = Object.keys(shelf);
const except = (...keys: string[]) => all.filter((key) => !keys.includes(key));

/** Each filter and the notes that it finds, as MongoDB answers. */
const cases: [Filter<Note>, string[]][] = [
  [{}, all],
  [{ kind: 'a' }, ['one']],
  [{ kind: { $eq: 'a' } }, ['one']],
  [{ kind: 'é' }, ['word']],
  [{ kind: "'" }, ['other']],
  [{ kind: '' }, ['empty']],
  [{ kind: null }, ['nothing', 'bare']],
  [{ kind: { $eq: null } }, ['nothing', 'bare']],
  [{ kind: { $ne: 'a' } }, except('one')],
  [{ kind: { $ne: null } }, except('nothing', 'bare')],
  [{ kind: { $in: ['a', 'b', 'none'] } }, ['one', 'two']],
  [{ kind: { $in: ['a', null] } }, ['one', 'nothing', 'bare']],
  [{ kind: { $in: [] } }, []],
  [{ kind: { $nin: ['a', 'b'] } }, except('one', 'two')],
  [{ kind: { $nin: ['a', null] } }, except('one', 'nothing', 'bare')],
  [{ kind: { $nin: [] } }, all],
  [{ kind: { $exists: true } }, except('bare')],
  [{ kind: { $exists: false } }, ['bare']],
  [{ kind: { $gt: 'a', $lt: 'b' } }, ['truth']],
  [{ kind: { $gte: 'a', $lte: 'b' } }, ['one', 'two', 'truth']],
  // One type at a time: a number never compares with a string, null with nothing.
  [{ rank: { $gt: 1 } }, ['two', 'ten']],
  [{ rank: { $gte: 1 } }, ['one', 'two', 'ten']],
  [{ rank: { $lt: 10 } }, ['one', 'two']],
  [{ rank: { $lte: 10 } }, ['one', 'two', 'ten']],
  [{ rank: { $gte: '' } }, ['word', 'empty']],
  [{ rank: { $lt: '2' } }, ['word', 'empty']],
  [{ rank: 10 }, ['ten']],
  [{ rank: '10' }, ['word']],
  [{ size: { $gt: 1 } }, ['two', 'ten']],
  [{ size: { $lt: 10 } }, ['one', 'two']],
  [{ size: { $gte: '' } }, ['word', 'empty']],
  [{ size: { $lte: '10' } }, ['word', 'empty']],
  [{ size: 1 }, ['one']],
  [{ size: true }, ['truth']],
  [{ size: { $in: [1, true, '10', null] } }, ['one', 'word', 'truth', 'nothing', 'lists', 'other', 'bare']],
  [{ size: { $ne: 1 } }, except('one')],
  [{ size: { $nin: [true, null] } }, ['one', 'two', 'ten', 'word', 'empty']],
  [{ done: true }, ['one', 'ten']],
  [{ done: false }, ['two']],
  [{ done: { $ne: true } }, except('one', 'ten')],
  [{ done: { $in: [true, false] } }, ['one', 'two', 'ten']],
  // Arrays hold an item, under an index or not.
  [{ tags: 'x' }, ['lists']],
  [{ tags: 'y' }, ['lists', 'other']],
  [{ tags: { $ne: 'x' } }, except('lists')],
  [{ tags: { $in: ['x', 'y'] } }, ['lists', 'other']],
  [{ tags: { $nin: ['x'] } }, except('lists')],
  [{ tags: { $exists: true } }, ['nothing', 'lists', 'other']],
  [{ tags: null }, except('lists', 'other')],
  [{ labels: 'x' }, ['lists']],
  [{ labels: 'y' }, ['lists', 'other']],
  [{ labels: { $ne: 'x' } }, except('lists')],
  [{ labels: { $in: ['x', 'z'] } }, ['lists', 'other']],
  [{ labels: { $nin: ['x', 'z'] } }, except('lists', 'other')],
  [{ labels: { $gt: 'y' } }, ['other']],
  [{ labels: null }, except('lists', 'other')],
  // Dotted paths.
  [{ 'meta.level': 1 }, ['one']],
  [{ 'meta.level': null }, except('one', 'two')],
  [{ 'meta.level': { $exists: true } }, ['one', 'two', 'ten']],
  [{ 'meta.level': { $gte: 1 } }, ['one', 'two']],
  [{ 'meta.flags.hot': true }, ['one']],
  [{ 'meta.flags.hot': { $ne: true } }, except('one')],
  // Together.
  [{ kind: 'a', rank: 1 }, ['one']],
  [{ kind: 'a', rank: 2 }, []],
  [{ $or: [{ kind: 'a' }, { rank: 2 }, { tags: 'x' }] }, ['one', 'two', 'lists']],
  [{ $and: [{ owner: 'nobody' }], tags: 'x' }, []],
  [{ $and: [{ owner: 'nobody' }], kind: 'a' }, []],
  [{ $and: [{ rank: { $gt: 1 } }, { rank: { $lt: 10 } }] }, ['two']],
  [{ $or: [{ $and: [{ kind: 'b' }, { done: false }] }, { labels: 'z' }], kind: { $ne: null } }, ['two', 'other']],
];

export function filterTests(subject: Subject): void {
  describe('filters', () => {
    const owner = someone();
    beforeAll(() => keep(subject.store, owner, shelf));

    test.each(cases.map(([filter, keys]) => [JSON.stringify(filter), filter, keys] as const))(
      '%s',
      async (_text, filter, keys) => {
        const { store } = subject;
        expect((await keysMatching(store, owner, filter)).sort()).toEqual([...keys].sort());
        expect(await store.count(notes, { owner, ...filter })).toBe(keys.length);
        expect((await keysMatching(store, owner, filter, { rank: -1 })).sort()).toEqual([...keys].sort());
      },
    );

    test('find by the parts of an _id', async () => {
      const { store } = subject;
      const ids = ['one', 'two', 'ten'].map((key) => `${owner}/${key}`);
      expect(await store.count(notes, { _id: `${owner}/one` })).toBe(1);
      expect(await store.count(notes, { _id: { $in: ids } })).toBe(3);
      expect(await store.count(notes, { _id: { $nin: ids }, owner })).toBe(all.length - 3);
      expect(await store.count(notes, { _id: { $gte: `${owner}/ten`, $lte: `${owner}/two` } })).toBe(3);
    });

    test('count per value of a field', async () => {
      const { store } = subject;
      const who = someone();
      await keep(store, who, {
        a: { kind: 'x', size: 1, done: true },
        b: { kind: 'x', size: 1 },
        c: { kind: 'y', size: 2, done: true },
        d: { kind: null },
        e: { done: false },
      });
      expect(await store.countBy(notes, 'kind', { owner: who })).toEqual(
        new Map([
          ['x', 2],
          ['y', 1],
        ]),
      );
      expect(await store.countBy(notes, 'kind', { owner: who, size: 2 })).toEqual(new Map([['y', 1]]));
      expect(await store.countBy(notes, 'size', { owner: who })).toEqual(
        new Map([
          ['1', 2],
          ['2', 1],
        ]),
      );
      expect(await store.countBy(notes, 'done', { owner: who })).toEqual(
        new Map([
          ['true', 2],
          ['false', 1],
        ]),
      );
      expect(await store.countBy(notes, 'kind', { owner: 'nobody' })).toEqual(new Map());
    });

    test('count matches by a field in an object', async () => {
      const { store } = subject;
      const who = someone();
      await keep(store, who, { a: { meta: { level: 1 } }, b: { meta: { level: 1 } }, c: { meta: {} }, d: {} });
      expect(await store.countBy(notes, 'meta.level', { owner: who })).toEqual(new Map([['1', 2]]));
    });

    test.each([
      { $where: 'true' },
      { $nor: [{ kind: 'a' }] },
      { $expr: { $eq: [1, 1] } },
      { kind: { $regex: 'a' } },
      { kind: { $not: { $eq: 'a' } } },
      { tags: { $size: 1 } },
      { tags: { $elemMatch: { $eq: 'x' } } },
      { tags: ['x'] },
      { meta: { level: 1 } },
      { kind: {} },
      { kind: undefined },
      { kind: { $eq: undefined } },
      { kind: { $in: 'a' } },
      { kind: { $gt: null } },
      { rank: Number.NaN },
      { $or: [] },
      { $and: [] },
      { $or: { kind: 'a' } },
      { $contains: { index: 'nope', text: 'a' } },
    ])('refuse %j', async (filter) => {
      const { store } = subject;
      const odd = { owner, ...filter } as never;
      await expect(store.count(notes, odd)).rejects.toMatchObject(refused);
      await expect(store.page(notes, { filter: odd, sort: {}, limit: 1 })).rejects.toMatchObject(refused);
      await expect(store.updateMany(notes, odd, { $set: { title: 'x' } })).rejects.toMatchObject(refused);
      await expect(store.deleteMany(notes, odd)).rejects.toMatchObject(refused);
    });

    test.each([
      "kind' OR 1=1 --",
      'kind"',
      'kind`',
      'kind)',
      'ki nd',
      'kind\u0000',
      '',
      '.',
      'meta.',
      '.level',
      'meta..level',
      'meta.$level',
      '$kind',
      '__proto__',
      'meta.__proto__',
      'constructor',
      'prototype.x',
    ])('refuse the field name %j', async (name) => {
      const { store } = subject;
      const named = (value: unknown) => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`);
      const page = { filter: { owner }, sort: {}, limit: 1 };
      await expect(store.count(notes, named('a'))).rejects.toMatchObject(refused);
      await expect(store.page(notes, { ...page, sort: named(1) })).rejects.toMatchObject(refused);
      await expect(store.countBy(notes, name as never, { owner })).rejects.toMatchObject(refused);
      await expect(store.page(notes, { ...page, fields: [name as never] })).rejects.toMatchObject(refused);
      await expect(store.updateMany(notes, { owner }, { $set: named('a') })).rejects.toMatchObject(refused);
      await expect(store.updateMany(notes, { owner }, { $inc: named(1) })).rejects.toMatchObject(refused);
      await expect(store.updateMany(notes, { owner }, { $unset: named(true) })).rejects.toMatchObject(refused);
      expect(({} as { a?: string }).a).toBeUndefined();
      expect(await store.count(notes, { owner })).toBe(all.length);
    });
  });
}
