import { imagesInValue, maxImages } from '../../space/front-matter/front-matter.js';
import { frontMatterEntries } from '../../space/front-matter/front-matter-entries.js';
import type { SourceLink } from './link-places.js';

/** Where the front matter of a page names images. */
export function frontMatterImagePlaces(source: string): SourceLink[] {
  const places: SourceLink[] = [];
  for (const { key, text, value, from } of frontMatterEntries(source) ?? []) {
    // A cover names an image whatever its URL ends in.
    const images = /^cover(?:Dark)?$/.test(key) ? imagesInValue(value, () => true) : imagesInValue(value);
    let after = key.length;
    for (const url of images.slice(0, maxImages - places.length)) {
      const at = text.indexOf(url, after);
      if (at < 0) continue;
      after = at + url.length;
      const range = { from: from + at, to: from + after };
      places.push({ kind: 'image', url, ...range, without: { ...range, text: '' } });
    }
  }
  return places;
}
