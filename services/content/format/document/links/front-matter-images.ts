import { imagesIn, mostImages } from '../../space/front-matter/front-matter.js';
import { frontMatterEntries } from '../../space/front-matter/front-matter-entries.js';
import type { LinkPlace } from './link-places.js';

/** Where the front matter of a page names images. */
export function frontMatterImages(source: string): LinkPlace[] {
  const places: LinkPlace[] = [];
  for (const { key, text, value, from } of frontMatterEntries(source) ?? []) {
    // Whatever a cover names is one.
    const images = /^cover(?:Dark)?$/.test(key) ? imagesIn(value, () => true) : imagesIn(value);
    let after = key.length;
    for (const url of images.slice(0, mostImages - places.length)) {
      const at = text.indexOf(url, after);
      if (at < 0) continue;
      after = at + url.length;
      const range = { from: from + at, to: from + after };
      places.push({ kind: 'image', url, ...range, without: { ...range, text: '' } });
    }
  }
  return places;
}
