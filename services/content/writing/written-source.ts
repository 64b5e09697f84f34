import type { LinkPlace } from '../format/document/link-places.js';
import type { Target } from './link-targets.js';

/** A link and what is written in its place. */
export interface Rewriting {
  place: LinkPlace;
  target: Exclude<Target, undefined>;
}

/** The address by which a source names a target, whatever becomes of paths and titles. */
function addressOf(target: Exclude<Target, 'nothing' | undefined>): string {
  if ('file' in target) return `/files/${target.file}`;
  return `/pages/${target.page}${target.anchor ? `#${escaped(target.anchor)}` : ''}`;
}

/** The source with links written anew; a link to nothing becomes plain text. All else stays. */
export function withLinks(source: string, rewritings: readonly Rewriting[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { place, target } of rewritings) {
    const gone = target === 'nothing';
    const range = gone ? place.without : place;
    if (range.from < from) continue;
    parts.push(source.slice(from, range.from), gone ? place.without.text : addressOf(target));
    from = range.to;
  }
  parts.push(source.slice(from));
  return parts.join('');
}

/** Encodes every character that could end an address in markdown or HTML. */
const escaped = (anchor: string): string =>
  anchor.replace(/[\s"'()<>\\`]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`);
