import type { AnyOperation } from '../../shared/contract/operation.js';

/** Whether tables of tests run whole, as `npm run test:all` does, instead of the rows that are enough to see each fault. */
export const wholeTables = process.env.TEST_ALL === '1';

/** The first of those with the same key; all of them where tables run whole. */
export function firstOfEach<T>(rows: readonly T[], keyOf: (row: T) => unknown): T[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const key = JSON.stringify(keyOf(row));
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst || wholeTables;
  });
}

/** How an operation finds what its caller is to its resource: operations that are alike in it are let in by the same code. */
export function wayIn({ service, access }: AnyOperation): unknown[] {
  if (access === 'public') return [service];
  const { caller, on, id, within, self } = access;
  return [service, caller, on?.name, id, within, self];
}
