import { scopePrefix } from './scopes.js';

// The tokenizer splits at ASCII punctuation and blanks, so they stand in the last, unassigned plane of Unicode.
const MOVED = 0x10ff00;
const END = '\u{10fffd}';

function characters(text: string): string[] {
  return Array.from(text.toLowerCase(), (character) =>
    /[\0-/:-`{-\x7f]/.test(character) ? String.fromCodePoint(MOVED + character.charCodeAt(0)) : character,
  );
}

/**
 * The tokens of a text or a list of texts: the three characters that start at each place, the last ones filled up. A
 * substring is then a phrase of tokens or, under three characters, a prefix.
 */
export function trigrams(scope: number, value: unknown): string {
  const texts = (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
  const found = texts.flatMap((text) => [...characters(text), END, END]);
  return tokens(scope, found);
}

/** FTS5's query for a substring of at least one character. */
export function substringQuery(scope: number, text: string): string {
  const wanted = characters(text);
  if (wanted.length < 3) return `"${scopePrefix(scope)}${wanted.join('')}" *`;
  return `"${tokens(scope, wanted)}"`;
}

function tokens(scope: number, from: string[]): string {
  const prefix = scopePrefix(scope);
  const result: string[] = [];
  for (let at = 0; at + 3 <= from.length; at += 1) result.push(prefix + from.slice(at, at + 3).join(''));
  return result.join(' ');
}
