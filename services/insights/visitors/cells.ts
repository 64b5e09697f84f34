import { cellToLatLng, latLngToCell } from 'h3-js';

export interface Point {
  latitude: number;
  longitude: number;
  /** The name of the H3 cell. */
  h3: string;
}

/** The finest resolution of H3: cells of about one square metre. */
const resolution = 15;

/** The cell at a position, as it is stored. */
export const cellAt = (latitude: number, longitude: number): string =>
  cellNumberOf(latLngToCell(latitude, longitude, resolution));

/** The 64-bit number of an H3 cell in decimal digits. */
export const cellNumberOf = (h3: string): string => BigInt(`0x${h3}`).toString();

/** The name of an H3 cell from its number. */
export const h3Of = (cell: string): string => BigInt(cell).toString(16);

/** The middle of an H3 cell. */
export function centerOfCell(h3: string): Point {
  const [latitude, longitude] = cellToLatLng(h3);
  return { latitude: roundDegrees(latitude), longitude: roundDegrees(longitude), h3 };
}

// Without `+ 0`, small negative numbers become -0.
const roundDegrees = (degrees: number): number => Math.round(degrees * 1e6) / 1e6 + 0;
