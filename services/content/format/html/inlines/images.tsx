import { imageAddress } from '../links.js';
import { marks } from '../marks.js';
import { type Fields, readFields, readWhole, textIn } from '../read-data.js';
import type { ShownFile } from '../rendered-body.js';
import { type Child, classNames, type Rendering } from '../rendering.js';

/** The first images of a page are loaded at once. */
const eagerImages = 2;
const maxPixels = 10_000;

export interface PlacedImage {
  ref: unknown;
  refDark?: unknown;
  alt: string;
  /** As documents have them: pixels, or a part of the width of the text. */
  width?: unknown;
  height?: unknown;
  class?: string;
}

/** An image, or one for each theme. A missing one is replaced by its text. */
export function renderImage(rendering: Rendering, image: PlacedImage): Child {
  const light = imageAddress(rendering, image.ref);
  const dark = imageAddress(rendering, image.refDark);
  if (!light && !dark) return <span class="broken">{image.alt === '' ? marks.word('image') : image.alt}</span>;
  if (!light || !dark) return imageElement(rendering, (light ?? dark) as Address, image, undefined);
  return [imageElement(rendering, light, image, 'only-light'), imageElement(rendering, dark, image, 'only-dark')];
}

interface Address {
  src: string;
  file?: ShownFile;
}

function imageElement(
  rendering: Rendering,
  { src, file }: Address,
  image: PlacedImage,
  theme: string | undefined,
): Child {
  const size = pixelSize(image, file);
  const lazy = theme === 'only-dark' || rendering.images >= eagerImages;
  if (theme !== 'only-dark') rendering.images++;
  return (
    <img
      class={classNames(image.class, theme, partClass(image.width))}
      src={src}
      alt={image.alt}
      width={size.width}
      height={size.height}
      loading={lazy ? 'lazy' : undefined}
      decoding="async"
    />
  );
}

/** The size in pixels, completed by the proportions of the file, so that the text does not move when the image comes. */
function pixelSize(
  image: PlacedImage,
  file: ShownFile | undefined,
): { width?: number | undefined; height?: number | undefined } {
  const natural = readFields(file?.dimensions);
  const [fileWidth, fileHeight] = [readWhole(natural.width, 1, 1e6), readWhole(natural.height, 1, 1e6)];
  const width = pixelsOf(image.width);
  const height = pixelsOf(image.height);
  if (fileWidth === undefined || fileHeight === undefined) return { width, height };
  if (width !== undefined) return { width, height: height ?? atLeastOne((width * fileHeight) / fileWidth) };
  if (height !== undefined) return { width: atLeastOne((height * fileWidth) / fileHeight), height };
  return { width: fileWidth, height: fileHeight };
}

const atLeastOne = (pixels: number) => Math.min(Math.max(Math.round(pixels), 1), maxPixels);

function pixelsOf(length: unknown): number | undefined {
  const { unit, value } = readFields(length);
  return readWhole(unit === 'px' ? value : length, 1, maxPixels);
}

/** A part of the width of the text, in steps of five percent. */
function partClass(length: unknown): string | undefined {
  const { unit, value }: Fields = readFields(length);
  const percent = unit === '%' ? readWhole(value, 1, 1000) : undefined;
  return percent === undefined ? undefined : `part-${Math.min(Math.max(Math.round(percent / 5) * 5, 5), 100)}`;
}

/** An image within a line of text. */
export const renderInlineImage = (rendering: Rendering, data: Fields): Child =>
  renderImage(rendering, {
    ref: data.ref,
    refDark: data.refDark,
    alt: textIn(data.caption) || textIn(data.alt),
    class: data.size === 'line' ? 'inline-image line-high' : 'inline-image',
  });
