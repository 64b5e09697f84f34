import { getResolution, isValidCell } from 'h3-js';
import { centerOfCell, h3Of, type Point } from '../visitors/cells.js';

/** Resolution of the cells of an answer for which none was asked. */
export const usualResolution = 5;
const finest = 15;

/** In an H3 index, the resolution has four bits from here, and each finer step has the three bits before those of the last. */
const resolutionBits = 52n;
const stepBits = 3n;

/** SQL of the cell of each resolution that holds the cell of resolution 15; of no cell (0), a number below those of all cells. */
const cellSql = Array.from({ length: finest + 1 }, (_, resolution) => {
  if (resolution === finest) return 'cell';
  const unused = (1n << (stepBits * BigInt(finest - resolution))) - 1n;
  const all = (1n << 64n) - 1n;
  const kept = all ^ (BigInt(finest ^ resolution) << resolutionBits);
  return `bitOr(bitAnd(cell, ${kept}), ${unused})`;
});

export const cellSqlAt = (resolution: number): string => cellSql[resolution] as string;

/** The middle of a cell of `cellSqlAt`; null for 0, which is none. */
export function storedPoint(stored: unknown): Point | null {
  const h3 = h3Of(stored as string);
  return isValidCell(h3) ? centerOfCell(h3) : null;
}

/** The resolution and the number of a cell that a client names; undefined for what is none. */
export function parseCell(h3: string): { resolution: number; cell: bigint } | undefined {
  if (!/^0?8[0-9a-f]{14}$/i.test(h3) || !isValidCell(h3)) return undefined;
  return { resolution: getResolution(h3), cell: BigInt(`0x${h3}`) };
}
