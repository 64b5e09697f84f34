import { imageSize } from 'image-size';
import { invalid } from '../../../../shared/errors/errors.js';

export interface Image {
  content: Buffer;
  extension: string;
}

interface Form {
  extension: string;
  isOf: (bytes: Buffer) => boolean;
}

const startsWith = (text: string) => (bytes: Buffer) => bytes.subarray(0, text.length).toString('latin1') === text;

/** Bytes at the start that each form has. Only these are parsed: others take time out of proportion to their size. */
const forms: Form[] = [
  { extension: 'png', isOf: startsWith('\x89PNG\r\n\x1a\n') },
  { extension: 'jpg', isOf: startsWith('\xff\xd8\xff') },
  { extension: 'gif', isOf: startsWith('GIF8') },
  {
    extension: 'webp',
    isOf: (bytes) => startsWith('RIFF')(bytes) && bytes.subarray(8, 12).toString('latin1') === 'WEBP',
  },
];

/** Pixels, in either direction. */
const maxEdge = 8192;

/** Reads an image that a request has in base64. Throws a 400 that names `field`, for anything that is no image or a very large one. */
export function imageIn(base64: string, field: string): Image {
  const content = Buffer.from(base64, 'base64');
  const form = forms.find(({ isOf }) => isOf(content));
  const size = form && dimensionsOf(content);
  if (!form || !size) throw invalid(`${field}: must be a PNG, JPEG, GIF or WebP image`);
  if (Math.max(size.width, size.height) > maxEdge) throw invalid(`${field}: at most ${maxEdge} pixels wide and high`);
  return { content, extension: form.extension };
}

function dimensionsOf(content: Buffer): { width: number; height: number } | undefined {
  try {
    const { width, height } = imageSize(content);
    return width > 0 && height > 0 ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}
