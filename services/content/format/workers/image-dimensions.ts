import { imageSize } from 'image-size';

export interface Dimensions {
  width: number;
  height: number;
}

/** The bytes at the start of an image that are looked at: most formats need few, and some take quadratic time. */
const heads = [4 * 1024, 256 * 1024] as const;

/** Maximum bytes of an image that `imageDimensions` looks at. */
export const maxHead = heads[1];

/** The width and height of an image by its first bytes; undefined if they cannot be read from these. */
export function imageDimensions(head: Uint8Array): Dimensions | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  for (const length of heads) {
    const dimensions = readDimensions(bytes.subarray(0, length));
    if (dimensions) return dimensions;
    if (length >= bytes.length) break;
  }
  return undefined;
}

function readDimensions(bytes: Buffer): Dimensions | undefined {
  try {
    const { width, height } = imageSize(bytes);
    return width && height ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}
