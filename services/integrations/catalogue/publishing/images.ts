import { imageSize } from 'image-size';
import { invalid } from '../../../../shared/errors/errors.js';

export interface Image {
  content: Buffer;
  extension: ImageExtension;
}

export const imageExtensions = ['png', 'jpg', 'gif', 'webp'] as const;
type ImageExtension = (typeof imageExtensions)[number];

const startsWithText = (text: string) => (bytes: Buffer) => bytes.subarray(0, text.length).toString('latin1') === text;

/** Bytes at the start that each form has. Only these are parsed: others take time out of proportion to their size. */
const forms: Record<ImageExtension, (bytes: Buffer) => boolean> = {
  png: startsWithText('\x89PNG\r\n\x1a\n'),
  jpg: startsWithText('\xff\xd8\xff'),
  gif: startsWithText('GIF8'),
  webp: (bytes) => startsWithText('RIFF')(bytes) && bytes.subarray(8, 12).toString('latin1') === 'WEBP',
};

/** Pixels, in either direction. */
const maxEdge = 8192;

/** Reads an image. Throws a 400 that names `field`, for anything that is no image or a very large one. */
export function readImage(content: Buffer, field: string): Image {
  const extension = imageExtensions.find((each) => forms[each](content));
  const size = extension && imageDimensions(content);
  if (!extension || !size) throw invalid(`${field}: must be a PNG, JPEG, GIF or WebP image`);
  if (Math.max(size.width, size.height) > maxEdge) throw invalid(`${field}: at most ${maxEdge} pixels wide and high`);
  return { content, extension };
}

function imageDimensions(content: Buffer): { width: number; height: number } | undefined {
  try {
    const { width, height } = imageSize(content);
    return width > 0 && height > 0 ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}
