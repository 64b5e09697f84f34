/** A color by perceived lightness (0 to 1), colorfulness (0 to about 0.4) and hue (degrees). */
export interface Oklch {
  l: number;
  c: number;
  h: number;
}

type Triple = [number, number, number];

const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const toGamma = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

/** Red, green and blue from 0 to 1 of `#rgb` or `#rrggbb`; black for anything else. */
function channelsOf(hex: string): Triple {
  const [, digits = '000000'] = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(hex) ?? [];
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  const at = (position: number) => Number.parseInt(long.slice(position, position + 2), 16) / 255;
  return [at(0), at(2), at(4)];
}

export function toOklch(hex: string): Oklch {
  const [r, g, b] = channelsOf(hex).map(toLinear) as Triple;
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const l = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const bb = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return { l, c: Math.hypot(a, bb), h: ((Math.atan2(bb, a) * 180) / Math.PI + 360) % 360 };
}

function toLinearChannels({ l, c, h }: Oklch): Triple {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

const isShown = (channels: Triple) => channels.every((value) => value >= -0.0005 && value <= 1.0005);

/** The colorfulness that a screen can show of a color. */
function shownChroma(color: Oklch): number {
  if (isShown(toLinearChannels(color))) return color.c;
  let [low, high] = [0, color.c];
  for (let step = 0; step < 16; step += 1) {
    const middle = (low + high) / 2;
    if (isShown(toLinearChannels({ ...color, c: middle }))) low = middle;
    else high = middle;
  }
  return low;
}

/** As `#rrggbb`. A color that no screen shows loses colorfulness, not lightness. */
export function toHex(color: Oklch): string {
  const l = Math.min(1, Math.max(0, color.l));
  const channels = toLinearChannels({ ...color, l, c: shownChroma({ ...color, l }) });
  const digits = channels.map((value) => {
    const byte = Math.round(Math.min(1, Math.max(0, toGamma(Math.max(0, value)))) * 255);
    return byte.toString(16).padStart(2, '0');
  });
  return `#${digits.join('')}`;
}

function luminance(hex: string): number {
  const [r, g, b] = channelsOf(hex).map(toLinear) as Triple;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast of two colors as WCAG 2 defines it: 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/**
 * The color nearest to `color` in lightness that has at least the contrast `min` with all of `backgrounds`, which are all light or all
 * dark: it gets darker on light ones and lighter on dark ones. Black or white when nothing else is enough.
 */
export function withContrast(color: Oklch, backgrounds: string[], min: number): string {
  const isEnough = (hex: string) => backgrounds.every((background) => contrastOf(hex, background) >= min);
  const asIs = toHex(color);
  if (isEnough(asIs)) return asIs;
  const average = backgrounds.reduce((sum, each) => sum + luminance(each), 0) / backgrounds.length;
  const end = average > 0.18 ? 0 : 1;
  let [failing, passing] = [color.l, end];
  for (let step = 0; step < 12; step += 1) {
    const middle = (failing + passing) / 2;
    if (isEnough(toHex({ ...color, l: middle }))) passing = middle;
    else failing = middle;
  }
  return toHex({ ...color, l: passing });
}
