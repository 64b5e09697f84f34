import { contrastOf, toHex, toOklch, withContrast } from './color.js';

/** The same colors in each run. */
function colors(count: number): string[] {
  let seed = 42;
  return Array.from({ length: count }, () => {
    seed = (seed * 1664525 + 1013904223) % 2 ** 32;
    return `#${Math.floor((seed / 2 ** 32) * 0x1000000)
      .toString(16)
      .padStart(6, '0')}`;
  });
}

it('gives back each color of a screen', () => {
  for (const hex of [...colors(500), '#000000', '#ffffff', '#ff0000', '#0000ff']) {
    const back = toHex(toOklch(hex));
    const byteOf = (text: string, at: number) => Number.parseInt(text.slice(at, at + 2), 16);
    for (const at of [1, 3, 5]) expect(Math.abs(byteOf(back, at) - byteOf(hex, at))).toBeLessThanOrEqual(1);
  }
});

it('reads short colors, and takes anything else for black', () => {
  expect(toHex(toOklch('#f80'))).toBe('#ff8800');
  for (const hostile of ['', 'red', '#12345', '#ff;}body{', '#ggg']) expect(toHex(toOklch(hostile))).toBe('#000000');
});

it('computes contrast as WCAG does', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.478, 2);
  expect(contrastOf('#123456', '#123456')).toBe(1);
});

it('finds a color with the contrast that is asked for on every background', () => {
  const all = colors(200);
  for (const [at, background] of all.entries()) {
    const found = withContrast(toOklch(all[(at + 1) % all.length] ?? ''), [background], 4.5);
    expect(contrastOf(found, background)).toBeGreaterThanOrEqual(4.5);
  }
});

it('leaves a color that has enough contrast as it is', () => {
  expect(withContrast(toOklch('#1d4ed8'), ['#ffffff'], 4.5)).toBe('#1d4ed8');
});
