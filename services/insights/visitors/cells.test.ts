import { cellToParent, getResolution } from 'h3-js';
import { cellAt, cellNumberOf, centerOfCell, h3Of } from './cells.js';

const positions: [latitude: number, longitude: number][] = [
  [48.8566, 2.3522],
  [-33.8688, 151.2093],
  [37.7749, -122.4194],
  [0, 0],
  [90, 180],
  [-90, -180],
];

it.each(positions)('a cell at %d, %d keeps its position and its name as a number', (latitude, longitude) => {
  const cell = cellAt(latitude, longitude);
  expect(cell).toMatch(/^\d{18}$/);
  expect(cellNumberOf(h3Of(cell))).toBe(cell);
  expect(getResolution(h3Of(cell))).toBe(15);
  const point = centerOfCell(h3Of(cell));
  expect(point.latitude).toBeCloseTo(latitude, 4);
  // All meridians meet at the poles.
  if (Math.abs(latitude) < 90) expect(point.longitude).toBeCloseTo(longitude, 4);
});

it('is the number that ClickHouse gives a cell', () => {
  // From the documentation of its function geoToH3.
  expect(cellAt(55.71290588, 37.79506683)).toBe('644325524701193974');
});

it('gives the middle of a cell in six decimals', () => {
  const h3 = cellToParent(h3Of(cellAt(48.8566, 2.3522)), 5);
  const { latitude, longitude, ...named } = centerOfCell(h3);
  expect(named).toEqual({ h3: '851fb467fffffff' });
  expect([latitude, longitude]).toEqual([Number(latitude.toFixed(6)), Number(longitude.toFixed(6))]);
  expect([latitude, longitude]).toEqual([expect.closeTo(48.85, 0), expect.closeTo(2.35, 0)]);
});
