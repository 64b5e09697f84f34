/** Ratios of width and height that the style sheet knows, by their classes. */
const ratios: [ratio: number, name: string][] = [
  [9 / 16, 'ratio-9-16'],
  [3 / 4, 'ratio-3-4'],
  [1, 'ratio-1-1'],
  [4 / 3, 'ratio-4-3'],
  [3 / 2, 'ratio-3-2'],
  [16 / 9, 'ratio-16-9'],
  [21 / 9, 'ratio-21-9'],
  [4, 'ratio-4-1'],
];

/** The class of the nearest ratio; of 16:9 for what is no ratio. */
export function ratioClass(ratio: unknown): string {
  if (typeof ratio !== 'number' || !Number.isFinite(ratio) || ratio <= 0) return 'ratio-16-9';
  const distance = (other: number) => Math.abs(Math.log(other / ratio));
  return ratios.reduce((best, one) => (distance(one[0]) < distance(best[0]) ? one : best))[1];
}

/** Pixels of the steps in which frames of a given height grow. */
const heightSteps = [80, 160, 240, 320, 480, 640, 800];

/** The class of the first step that is high enough for a frame. */
export function heightClass(height: number): string {
  return `height-${heightSteps.find((step) => step >= height) ?? heightSteps.at(-1)}`;
}
