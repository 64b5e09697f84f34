import type { Call } from '../../../../shared/contract/service.js';
import { readFiles } from '../../../content/contract.js';

/** Bytes of all pictures of a document. */
const maxBytes = 30 * 1024 * 1024;
const maxPictures = 2000;
const picturesAtOnce = 8;
/** Pictures that a document may show; nothing in them runs. */
const shown = /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml|bmp|x-icon|vnd\.microsoft\.icon)(?:;|$)/;

/** Pictures as `data:` addresses, by their signed paths; null for what is none, is gone, or is too much. Each question has a deadline of its own. */
export async function readPictures(newCall: () => Call, paths: readonly string[]): Promise<(string | null)[]> {
  const pictures: (string | null)[] = [];
  let room = maxBytes;
  for (let at = 0; at < Math.min(paths.length, maxPictures) && room > 0; at += picturesAtOnce) {
    const part = paths.slice(at, at + picturesAtOnce);
    const files = (await newCall()(readFiles, { paths: part, maxBytes: room })).decode();
    for (const file of files) {
      const isShown = file !== null && shown.test(file.contentType);
      pictures.push(isShown ? `data:${file.contentType.split(';', 1)[0]};base64,${file.base64}` : null);
      room -= file ? (file.base64.length * 3) / 4 : 0;
    }
  }
  return pictures;
}
