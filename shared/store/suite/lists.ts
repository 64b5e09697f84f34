import fc from 'fast-check';
import { runs } from '../../testing/runs.js';
import type { Cursor, Filter, Sort } from '../port.js';
import { keep, keysOf, type Note, notes, refused, type Subject, someone } from './fixture.js';

const order = { missing: 0, number: 1, string: 2 };

function kindOf(value: unknown): number {
  return typeof value === 'number' ? order.number : typeof value === 'string' ? order.string : order.missing;
}

function compare(a: unknown, b: unknown): number {
  const kinds = kindOf(a) - kindOf(b);
  if (kinds) return kinds;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return typeof a === 'string' && typeof b === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : 0;
}

/** The order that the port promises, computed in memory. */
function sorted(items: Note[], sort: Sort<Note>): Note[] {
  const fields = Object.entries(sort) as [keyof Note, 1 | -1][];
  const last = fields.at(-1)?.[1] ?? 1;
  return [...items].sort((a, b) => {
    for (const [field, direction] of fields) {
      const compared = compare(a[field], b[field]) * direction;
      if (compared) return compared;
    }
    return compare(a._id, b._id) * last;
  });
}

async function walk(
  subject: Subject,
  query: { filter: Filter<Note>; sort: Sort<Note>; limit: number },
  between?: (page: number) => Promise<unknown>,
): Promise<Note[]> {
  const seen: Note[] = [];
  let after: Cursor | undefined;
  for (let page = 0; ; page += 1) {
    const { items, next } = await subject.store.page(notes, { ...query, after });
    seen.push(...items);
    if (!next) return seen;
    expect(items).toHaveLength(query.limit);
    // A cursor travels to the client and back.
    after = JSON.parse(JSON.stringify(next)) as Cursor;
    await between?.(page);
  }
}

const sorts: Sort<Note>[] = [
  {},
  { rank: 1 },
  { rank: -1 },
  { due: -1, rank: 1 },
  { due: 1, rank: -1 },
  { due: 1, rank: 1 },
  { kind: -1, size: 1, rank: -1 },
  { size: -1 },
  { _id: -1 },
];

const someText = fc.constantFrom('a', 'b', 'B', 'ab', '', 'é', '\uFFFD', '\u{1F600}', '10');
const someValue = fc.oneof(fc.constantFrom(null, undefined), fc.integer({ min: -2, max: 2 }), someText);
const someNote = fc.record({
  rank: someValue,
  size: someValue,
  due: fc.option(someText, { nil: null }),
  kind: fc.constantFrom('a', 'b', null),
  tags: fc.subarray(['x', 'y', 'z']),
});

const filters: { filter: Filter<Note>; keeps: (note: Note) => boolean }[] = [
  { filter: {}, keeps: () => true },
  { filter: { kind: 'a' }, keeps: (note) => note.kind === 'a' },
  { filter: { kind: { $in: ['a', 'b', null] } }, keeps: () => true },
  { filter: { rank: { $in: [1, 'a', null] } }, keeps: (note) => [1, 'a', null].includes((note.rank ?? null) as null) },
  { filter: { tags: 'x' }, keeps: (note) => note.tags?.includes('x') ?? false },
  {
    filter: { tags: { $in: ['x', 'y'] } },
    keeps: (note) => note.tags?.some((tag) => tag === 'x' || tag === 'y') ?? false,
  },
  { filter: { rank: { $gte: 0 } }, keeps: (note) => typeof note.rank === 'number' && note.rank >= 0 },
];

export function listTests(subject: Subject): void {
  describe('lists', () => {
    test('are the same with any page size and any sort', async () => {
      const { store } = subject;
      await fc.assert(
        fc.asyncProperty(
          fc.array(someNote, { maxLength: 24 }),
          fc.constantFrom(...sorts),
          fc.constantFrom(...filters),
          fc.integer({ min: 1, max: 9 }),
          async (shelf, sort, { filter, keeps }, limit) => {
            const owner = someone();
            const made = shelf.map((fields, n) =>
              JSON.parse(JSON.stringify({ _id: `${owner}/${n}`, owner, ...fields })),
            );
            await store.insertMany(notes, made);
            const seen = await walk(subject, { filter: { owner, ...filter }, sort, limit });
            expect(keysOf(seen)).toEqual(keysOf(sorted(made.filter(keeps), sort)));
            expect(await store.count(notes, { owner, ...filter })).toBe(seen.length);
          },
        ),
        { numRuns: runs(30) },
      );
    });

    test('neither repeat nor skip while documents come and go', async () => {
      const { store } = subject;
      for (const sort of [{ rank: 1 }, { due: -1, rank: 1 }, { due: 1, rank: -1 }] as Sort<Note>[]) {
        const owner = someone();
        const shelf = Array.from({ length: 20 }, (_, n) => [
          String(n).padStart(2, '0'),
          { rank: n % 4 === 0 ? null : n % 5, due: n % 3 === 0 ? null : `d${n % 3}` },
        ]);
        await keep(store, owner, Object.fromEntries(shelf));
        const steady = new Set<string>(shelf.map(([key]) => key as string));
        const seen = await walk(subject, { filter: { owner }, sort, limit: 3 }, async (page) => {
          await keep(store, owner, {
            [`new-low-${page}`]: { rank: -1, due: null },
            [`new-mid-${page}`]: { rank: null, due: 'd1' },
            [`new-high-${page}`]: { rank: 9, due: 'd9' },
          });
          const gone = `${String(page * 3).padStart(2, '0')}`;
          steady.delete(gone);
          await store.delete(notes, { _id: `${owner}/${gone}` });
        });
        const keys = keysOf(seen);
        expect(new Set(keys).size).toBe(keys.length);
        for (const key of steady) expect(keys).toContain(key);
      }
    });

    test('end exactly at the last item', async () => {
      const { store } = subject;
      const owner = someone();
      await keep(store, owner, { a: { rank: 1 }, b: { rank: 2 } });
      const query = { filter: { owner }, sort: { rank: 1 } } as const;
      expect((await store.page(notes, { ...query, limit: 1 })).next).toEqual([1, `${owner}/a`]);
      expect((await store.page(notes, { ...query, limit: 2 })).next).toBeUndefined();
      expect(await store.page(notes, { ...query, limit: 0 })).toEqual({ items: [] });
      const after = [2, `${owner}/b`];
      expect(await store.page(notes, { ...query, limit: 5, after })).toEqual({ items: [] });
    });

    test('refuse a cursor of another shape, and an invalid limit or direction', async () => {
      const { store } = subject;
      const query = { filter: { owner: 'x' }, sort: { rank: 1 }, limit: 1 } as const;
      for (const after of [[], [1], [1, 2, 'id'], [1, null], [1, 5], [{ $gt: 1 }, 'id'], ['a', ['id']], 'ab'])
        await expect(store.page(notes, { ...query, after: after as Cursor })).rejects.toMatchObject(refused);
      for (const limit of [-1, 1.5, Number.NaN, '5'])
        await expect(store.page(notes, { ...query, limit: limit as number })).rejects.toMatchObject(refused);
      await expect(store.page(notes, { ...query, sort: { rank: 2 as never } })).rejects.toMatchObject(refused);
    });

    test('merge the values of a long $in in order', async () => {
      const { store } = subject;
      const owner = someone();
      const shelf = Array.from({ length: 150 }, (_, n) => [`${n}`, { kind: `k${n % 120}`, rank: 150 - n }]);
      await keep(store, owner, Object.fromEntries(shelf));
      for (const length of [100, 119]) {
        const kinds = Array.from({ length }, (_, n) => `k${n}`);
        const filter = { owner, kind: { $in: [...kinds, 'k0'] } };
        const seen = await walk(subject, { filter, sort: { rank: 1 }, limit: 40 });
        const ranks = seen.map((note) => Number(note.rank));
        expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
        expect(seen).toHaveLength(await store.count(notes, filter));
        expect(new Set(keysOf(seen)).size).toBe(seen.length);
      }
    });

    const covered: [Filter<Note>, Sort<Note>][] = [
      [{ owner: 'o' }, {}],
      [{ owner: 'o' }, { rank: 1 }],
      [{ owner: 'o' }, { rank: -1 }],
      [{ owner: 'o', kind: 'a' }, { rank: 1 }],
      [{ owner: 'o', kind: { $in: ['a', 'b', 'c'] } }, { rank: -1 }],
      [{ owner: 'o' }, { due: -1, rank: 1 }],
      [{ owner: 'o' }, { due: 1, rank: -1 }],
      [{ owner: 'o', tags: 'x' }, { rank: 1 }],
      [{ owner: 'o', tags: 'x' }, { rank: -1 }],
      [{ owner: 'o', tags: { $in: ['x', 'y'] } }, { rank: 1 }],
      [{ owner: 'o', 'meta.level': 1 }, {}],
      [{ owner: 'o', slug: 's' }, {}],
      [{ _id: 'x' }, {}],
    ];

    test.each(covered.map(([filter, sort]) => [JSON.stringify({ filter, sort }), filter, sort] as const))(
      'read %s from an index',
      async (_text, filter, sort) => {
        const { store } = subject;
        const mixed = Object.keys(sort).map(() => null);
        for (const after of [undefined, [...mixed, 'id']]) {
          const plan = await store.explain(notes, { filter, sort, limit: 50, after });
          expect({ plan, indexed: subject.usesIndex(plan) }).toEqual({ plan, indexed: true });
        }
      },
    );

    test('show a list without an index in their plan', async () => {
      const plan = await subject.store.explain(notes, { filter: { size: 1 }, sort: { size: 1 }, limit: 50 });
      expect(subject.usesIndex(plan)).toBe(false);
    });
  });
}
