import { inLatin, withoutEmoji } from '../../../../shared/text/latin.js';
import { composeLetters, findKnownPath } from './path-names.js';

const MAX_SLUG = 100;
const README = /^readme\.(?:md|markdown)$/i;

/** `target` as seen from `folder` (`''` = the top), normalized; undefined when it leaves the tree. `/x` starts at the top. */
export function joinPath(folder: string, target: string): string | undefined {
  const segments = target.startsWith('/') || folder === '' ? [] : folder.split('/');
  for (const segment of target.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join('/');
}

/** `path` as seen from `folder`; the folder itself when the path would leave the tree. */
export function joinInside(folder: string, path: string): string {
  return joinPath(folder, path) ?? folder;
}

/** A text, or a part of it between slashes, stays as it is when it is not a valid percent-encoding. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.includes('/') ? text.split('/').map(percentDecode).join('/') : text;
  }
}

/** The key by which paths of redirects are compared: case, encoding, `.md` and `README` make no difference. */
export function redirectKey(path: string): string {
  return percentDecode(path)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/')
    .normalize('NFC')
    .toLowerCase()
    .replace(/\.(?:md|markdown)$/, '')
    .replace(/(?:^|\/)readme$/, '');
}

/** `''` for a path at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether `path` lies in `folder` or below it; everything lies in `''`. */
export function isInFolder(folder: string, path: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

export function isMarkdownFile(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

/** A folder's own page. */
export function isReadmeFile(path: string): boolean {
  return README.test(fileNameOf(path));
}

/** The name of a page: that of its file without the extension; for a README the name of its folder, except in `root`. */
export function pageNameOf(root: string, path: string): string {
  const folder = folderOf(path);
  return isReadmeFile(path) && folder !== root
    ? fileNameOf(folder)
    : fileNameOf(path).replace(/\.(?:md|markdown)$/i, '');
}

/** A title made from a name: `getting-started` -> `Getting started`. */
export function titleOfName(name: string): string {
  const words = name.replace(/[-_\s]+/g, ' ').trim() || name;
  const first = String.fromCodePoint(words.codePointAt(0) ?? 0x20);
  return first.toUpperCase() + words.slice(first.length);
}

/**
 * The slug of a title or file name, at most 100 characters: `[a-z0-9+._]` and single dashes, other scripts in Latin letters, since
 * renderers do not find paths of other characters. `fallback` when nothing is left.
 */
export function slugOf(text: string, fallback: string): string {
  const slug = inLatin(withoutEmoji(text.slice(0, 4 * MAX_SLUG)))
    .toLowerCase()
    .replace(/'/g, '')
    .replace(/&/g, ' and ')
    .replace(/[^a-z0-9+._]+/g, '-');
  return trimSlug(trimSlug(slug).slice(0, MAX_SLUG)) || fallback;
}

/** Assigns slugs among siblings: a slug that is taken gets `-1`, `-2` ... What it gives is added to the taken ones. */
export function newSlugClaims(maxLength = MAX_SLUG, taken = new Set<string>()): (slug: string) => string {
  const counts = new Map<string, number>();
  return (slug) => {
    let claimed = slug;
    for (let count = (counts.get(slug) ?? 0) + 1; taken.has(claimed); count++) {
      const suffix = `-${count}`;
      claimed = slug.slice(0, maxLength - suffix.length) + suffix;
      counts.set(slug, count);
    }
    taken.add(claimed);
    return claimed;
  };
}

/**
 * Finds a file by the ways to link to it: by its path, without `.md`, by the folder of a README; failing that, ignoring
 * case and how letters are composed. Expects a normalized path.
 */
export function newFileFinder(paths: ReadonlySet<string>): (path: string) => string | undefined {
  let anyCase: Map<string, string> | undefined;
  return (path) => {
    const candidates = path === '' ? ['README.md'] : [path, `${path}.md`, `${path}/README.md`];
    for (const candidate of candidates) {
      const known = findKnownPath(paths, candidate);
      if (known !== undefined) return known;
    }
    anyCase ??= new Map([...paths].reverse().map((known) => [composeLetters(known).toLowerCase(), known]));
    for (const candidate of candidates) {
      const found = anyCase.get(composeLetters(candidate).toLowerCase());
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** The slug without dashes and dots at both ends. */
function trimSlug(slug: string): string {
  let start = 0;
  let end = slug.length;
  while (start < end && isSlugEdge(slug[start])) start += 1;
  while (end > start && isSlugEdge(slug[end - 1])) end -= 1;
  return slug.slice(start, end);
}

function isSlugEdge(char: string | undefined): boolean {
  return char === '-' || char === '.';
}
