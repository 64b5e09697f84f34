/** The form in which paths are compared. */
export const pathKey = (path: string): string => path.normalize('NFC').toLowerCase();

/** Makes a segment of a URL from a text, in its own script; only Latin letters lose their accents. */
export const slugOf = (text: string, otherwise: string): string =>
  text
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^[-\p{M}]+/u, '')
    .slice(0, 90)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replace(/-+$/, '') || otherwise;

/** `wanted`, or the first of `wanted-1`, `wanted-2`… that is not taken. */
export function freePath(wanted: string, taken: { path: string }[]): string {
  const known = new Set(taken.map(({ path }) => path.toLowerCase()));
  let path = wanted;
  for (let next = 1; known.has(path.toLowerCase()); next++) path = `${wanted}-${next}`;
  return path;
}
