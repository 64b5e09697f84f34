import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { extension } from 'mime-types';
import { bounds } from './bounds.js';
import type { GivenFile } from './model.js';

/** Prefix of the addresses of images that the page itself holds. */
export const inlineScheme = 'inline:';

const dataUrl = /^data:(image\/[\w.+-]{1,60})((?:;[\w=.-]{1,60}){0,5}),/i;

/** Images that a page itself holds. */
export class InlineImages {
  private readonly images: { bytes: Uint8Array; contentType: string }[] = [];

  constructor(private readonly max: number) {}

  /** The address that stands for an image; undefined for one that cannot be read. */
  add(bytes: Uint8Array, contentType: string): string | undefined {
    if (this.images.length >= this.max || bytes.length === 0 || bytes.length > bounds.file) return undefined;
    return `${inlineScheme}${this.images.push({ bytes, contentType }) - 1}`;
  }

  /** As `add`, for a `data:` URL. */
  addUrl(url: string): string | undefined {
    const [whole, contentType, parameters = ''] = dataUrl.exec(url) ?? [];
    if (whole === undefined || contentType === undefined) return undefined;
    const data = url.slice(whole.length);
    return this.add(
      /;base64$/i.test(parameters) ? Buffer.from(data, 'base64') : Buffer.from(tryPercentDecode(data)),
      contentType,
    );
  }

  /** Writes the images to a folder. `name` distinguishes them from those of other pages. */
  async write(folder: string, name: string): Promise<GivenFile[]> {
    const files: GivenFile[] = [];
    for (const [at, { bytes, contentType }] of this.images.entries()) {
      const file = join(folder, `${name}-${at}`);
      await writeFile(file, bytes);
      files.push({
        path: `${inlineScheme}${at}`,
        file,
        size: bytes.length,
        contentType: contentType.toLowerCase(),
      });
    }
    return files;
  }
}

/** A name for an image that has none. */
export const imageName = (at: number, contentType: string): string =>
  `image-${at + 1}.${extension(contentType) || 'bin'}`;

function tryPercentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
