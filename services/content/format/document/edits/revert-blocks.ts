import { parseMarkdown } from '../../markdown/markdown.js';
import { locateParts, normalizeText } from '../../space/source-parts.js';
import type { DocumentOptions } from '../document.js';
import { diffHunks, type Hunk } from './hunks.js';
import { type PagePart, type PageParts, partsWithKeys, readPageParts } from './page-parts.js';

export interface Revert extends DocumentOptions {
  base: string;
  tip: string;
  /** Keys of blocks of the document of either source; that of a nested block stands for its top-level block. */
  keys: string[];
}

/**
 * The source `tip` with the blocks of these keys as they are in `base`: an added block is removed, a deleted one restored at its
 * place, a moved one moved back, a changed one reset. Blocks that share their lines are reverted together, and footnotes with
 * the block that mentions them. `unknown` has the keys that are in neither document.
 */
export function revertBlocks({ base, tip, keys, ...reading }: Revert): { source: string } | { unknown: string[] } {
  const [old, now] = [readPageParts(base, reading), readPageParts(tip, reading)];
  const { hit, unknown } = partsWithKeys(keys, [...old.parts, ...now.parts]);
  if (unknown.length > 0) return { unknown };
  const lineEnd = /\r\n?|\n/.exec(tip)?.[0] ?? '\n';
  const text = joinPieces(revertParts(old, now, hit), { old, now, lineEnd });
  const start = text !== '' && /[^\r\n\uFEFF]$/.test(now.start) ? now.start + lineEnd : now.start;
  // A rule that is first now must not begin a front matter.
  const isSplit = locateParts(start + text).yaml?.to === locateParts(tip).yaml?.to;
  return { source: isSplit ? start + text : start + lineEnd + text };
}

/** A part of the result, with its places in both pages. */
interface Piece {
  part: PagePart;
  old?: number;
  now?: number;
  isReset?: boolean;
}

function revertParts(old: PageParts, now: PageParts, hit: Set<PagePart>): Piece[] {
  const partners = matchParts(old.parts, now.parts);
  const needed = neededDefinitions(old, now, hit);
  const isRestored = (at: number) => !partners.has(at) && hit.has(old.parts[at] as PagePart);
  const pieces: Piece[] = [];
  let done = 0;
  const keepUpTo = (to: number) => {
    for (const part of now.parts.slice(done, to)) {
      if (!part.isKeyed || !hit.has(part)) pieces.push({ part, now: done });
      done++;
    }
  };
  for (const [at, part] of old.parts.entries()) {
    const partner = partners.get(at);
    const present = partner === undefined ? undefined : now.parts[partner];
    if (partner === undefined || !present) {
      const isBetween = isRestored(at - 1) && isRestored(at + 1);
      if (isRestored(at) || needed.has(part) || (isBetween && !part.isKeyed)) pieces.push({ part, old: at });
      continue;
    }
    keepUpTo(partner);
    const isSame = part.id === present.id && part.text.trimEnd() === present.text.trimEnd();
    const isReset = !isSame && (hit.has(part) || hit.has(present));
    pieces.push({ part: isReset ? part : present, old: at, now: partner, isReset });
    done = partner + 1;
  }
  keepUpTo(now.parts.length);
  return pieces;
}

/** For each part of the base, the part of the tip that has the same blocks in the same order or stands for its changed blocks. */
function matchParts(old: PagePart[], now: PagePart[]): Map<number, number> {
  const [ids, nowIds] = [old.map(({ id }) => id), now.map(({ id }) => id)];
  const keysOf = (parts: PagePart[]) => new Set(parts.flatMap(({ blocks }) => blocks.map(({ key }) => key)));
  const [oldKeys, nowKeys] = [keysOf(old), keysOf(now)];
  const partners = new Map<number, number>();
  const pair = (at: number, nowAt: number) => partners.set(at, nowAt);
  const pairChanged = ({ from, to, sideFrom, sideTo }: Hunk) => {
    const before = placesOfChanged(old, { from, to, others: nowKeys });
    const after = placesOfChanged(now, { from: sideFrom, to: sideTo, others: oldKeys });
    const pairByIndex = (at: number, nowAt: number) => pair(before[at] as number, after[nowAt] as number);
    const typesOf = (parts: PagePart[], places: number[]) => places.map((at) => parts[at]?.blocks[0]?.type ?? '');
    alignLists(typesOf(old, before), typesOf(now, after), pairByIndex, (rest) => {
      const count = Math.min(rest.to - rest.from, rest.sideTo - rest.sideFrom);
      for (let nth = 0; nth < count; nth++) pairByIndex(rest.from + nth, rest.sideFrom + nth);
    });
  };
  alignLists(ids, nowIds, pair, pairChanged);
  return partners;
}

/** Calls `pair` with the places of items that are equal, and `between` with what differs. */
function alignLists(
  base: string[],
  side: string[],
  pair: (at: number, sideAt: number) => void,
  between: (hunk: Hunk) => void,
): void {
  let [at, sideAt] = [0, 0];
  for (const hunk of diffHunks(base, side)) {
    while (at < hunk.from) pair(at++, sideAt++);
    between(hunk);
    at = hunk.to;
    sideAt = hunk.sideTo;
  }
  while (at < base.length) pair(at++, sideAt++);
}

/** The places of parts with blocks of which the other page does not have all. */
function placesOfChanged(
  parts: PagePart[],
  { from, to, others }: { from: number; to: number; others: Set<string> },
): number[] {
  const places: number[] = [];
  for (let at = from; at < to; at++) {
    const part = parts[at];
    if (part && !part.blocks.every(({ key }) => others.has(key))) places.push(at);
  }
  return places;
}

/** Definitions of links that the tip has no more and that the text of the base may need. */
function neededDefinitions(old: PageParts, now: PageParts, hit: Set<PagePart>): Set<PagePart> {
  const found = old.parts.filter(({ isKeyed, text }) => !isKeyed && text.trimStart().startsWith('['));
  if (hit.size === 0 || found.length === 0) return new Set();
  const definitionsIn = (text: string) => parseMarkdown(normalizeText(text)).definitions;
  const present = definitionsIn(now.parts.map(({ text, space }) => text + space).join(''));
  return new Set(found.filter(({ text }) => [...definitionsIn(text).keys()].some((label) => !present.has(label))));
}

interface Places {
  old: PageParts;
  now: PageParts;
  lineEnd: string;
}

function joinPieces(pieces: Piece[], places: Places): string {
  let out = '';
  for (const [at, piece] of pieces.entries()) {
    const next = pieces[at + 1];
    out += piece.part.text + (next ? blankLinesBetween(piece, next, places) : '');
  }
  return out;
}

/** The lines between two pieces as written where they are neighbours; without a blank line only where the base has none either. */
function blankLinesBetween(piece: Piece, next: Piece, { old, now, lineEnd }: Places): string {
  const ofTip = now.parts[piece.now ?? -1]?.space ?? '';
  const ofBase = old.parts[piece.old ?? -1]?.space ?? '';
  const isInTip = piece.now !== undefined && piece.now + 1 === next.now;
  if (isInTip && !piece.isReset && !next.isReset) return ofTip;
  const isAsInBase = ({ part, old: at }: Piece) => at !== undefined && old.parts[at]?.id === part.id;
  const isInBase = isAsInBase(piece) && isAsInBase(next) && (piece.old ?? 0) + 1 === next.old;
  const space = isInTip ? ofTip : isInBase ? ofBase : piece.part.space;
  const end = /[\r\n]$/.test(piece.part.text) ? '' : lineEnd;
  return end + (space === '' && !(isInBase && ofBase === '') ? lineEnd : space);
}
