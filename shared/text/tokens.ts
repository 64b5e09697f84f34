/** In UTF-16 units. Longer words are cut, both in the index and in queries. */
const MAX_TOKEN = 64;
const MAX_TERMS = 32;

const BREAK = 0;
const LETTER = 1;
/** A letter whose token is spelled differently: without its accent, or with its ligature opened. */
const FOLDED = 2;
/** Scripts without spaces between words: indexed by pairs of characters. */
const UNSPACED = 3;

const letter = /[\p{L}\p{N}\p{M}]/u;
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc]/u;
/** Ignored, without ending a word: combining accents, vowel points, soft hyphens, joiners, variation selectors. */
const silent =
  /[\u0300-\u036f\u20d0-\u20ff\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\p{Variation_Selector}\p{Join_Control}\u2060\u00ad\u0640\u0670]+/gu;

/** Letters that Unicode does not decompose, and the Greek final sigma. */
const spelt: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  ŧ: 't',
  ς: 'σ',
};

/** Turns the Latin letters of a lower-case text into ASCII (`é` -> `e`, `ß` -> `ss`); the rest stays. */
export function foldLatin(text: string): string {
  return text.normalize('NFC').replace(/\p{sc=Latin}[\u0300-\u036f]*/gu, foldChar);
}

/**
 * The tokens of a text, in order and with repeats: words of any script in lower case without Latin accents, cut at 64 units.
 * A run of a script without spaces (Chinese, Japanese, Korean, Thai ...) becomes overlapping pairs of characters and its last
 * character alone, so that every character starts a token. The only ASCII characters in a token are `[a-z0-9]`.
 */
export function tokenize(text: string): string[] {
  return scanTokens(text, true);
}

/** The first tokens of a title, at most 64, in order and with repeats; those of a query that is equal to it are equal. */
export const titleTokens = (text: string): string[] => scanTokens(text, false).slice(0, 2 * MAX_TERMS);

/**
 * The terms of a query, all of which a match must hold: at most 32, without repeats. The last word of the query matches as a
 * prefix; a single character of a script without spaces does so anywhere.
 */
export function queryTerms(query: string): { token: string; prefix?: boolean }[] {
  const tokens = scanTokens(query, false);
  const terms = new Map<string, { token: string; prefix?: boolean }>();
  for (const [at, token] of tokens.entries()) {
    if (terms.size === MAX_TERMS) break;
    if (terms.has(token)) continue;
    const prefix = unspaced.test(token) ? isOneCharacter(token) : at === tokens.length - 1;
    terms.set(token, prefix ? { token, prefix } : { token });
  }
  return [...terms.values()];
}

/** `tails`: whether a run of pairs also gives its last character, which an index needs. */
function scanTokens(text: string, tails: boolean): string[] {
  const source = hasOnlyAscii(text) ? text.toLowerCase() : text.normalize('NFKC').toLowerCase().replace(silent, '');
  const kinds = kindsOfUnits();
  const tokens: string[] = [];
  let at = 0;
  while (at < source.length) {
    const kind = charKindAt(kinds, source, at);
    if (kind === UNSPACED) at = scanPairs(kinds, source, at, tails, tokens);
    else if (kind === BREAK) at += 1;
    else at = scanWord(kinds, source, at, tokens);
  }
  return tokens;
}

function scanWord(kinds: Uint8Array, source: string, start: number, tokens: string[]): number {
  let at = start;
  let folded = false;
  while (at < source.length) {
    const kind = charKindAt(kinds, source, at);
    if (kind === BREAK || kind === UNSPACED) break;
    folded ||= kind === FOLDED;
    at += isHigh(source.charCodeAt(at)) ? 2 : 1;
  }
  const word = source.slice(start, Math.min(at, start + MAX_TOKEN + 1));
  tokens.push(cutToken(folded ? foldWord(kinds, word) : word));
  return at;
}

function scanPairs(kinds: Uint8Array, source: string, start: number, tails: boolean, tokens: string[]): number {
  let previous = start;
  let at = start;
  while (at < source.length && charKindAt(kinds, source, at) === UNSPACED) {
    const end = at + (isHigh(source.charCodeAt(at)) ? 2 : 1);
    if (at > start) tokens.push(source.slice(previous, end));
    previous = at;
    at = end;
  }
  if (tails || previous === start) tokens.push(source.slice(previous, at));
  return at;
}

function charKindAt(kinds: Uint8Array, source: string, at: number): number {
  const unit = source.charCodeAt(at);
  return isHigh(unit) ? kindOfPair(source.codePointAt(at) ?? unit) : (kinds[unit] ?? BREAK);
}

/** Characters beyond the first plane are rare, so each is tested. */
function kindOfPair(code: number): number {
  const char = String.fromCodePoint(code);
  if (!letter.test(char)) return BREAK;
  return unspaced.test(char) ? UNSPACED : LETTER;
}

let known: Uint8Array | undefined;

function kindsOfUnits(): Uint8Array {
  if (known) return known;
  known = new Uint8Array(0x10000);
  for (let unit = 0; unit < 0x10000; unit++) {
    const char = String.fromCharCode(unit);
    if (!letter.test(char)) known[unit] = BREAK;
    else if (unspaced.test(char)) known[unit] = UNSPACED;
    else known[unit] = unit > 0x7f && unit < 0x2000 && foldChar(char) !== char ? FOLDED : LETTER;
  }
  return known;
}

function foldChar(char: string): string {
  const base = char.normalize('NFD').replace(/[\u0300-\u036f]+/g, '');
  return spelt[base] ?? (/^[a-zA-Z]+$/.test(base) ? base : char);
}

function foldWord(kinds: Uint8Array, word: string): string {
  let spelling = '';
  for (const char of word) spelling += kinds[char.charCodeAt(0)] === FOLDED ? foldChar(char) : char;
  return spelling;
}

/** Cuts a word to MAX_TOKEN units without splitting a character. */
function cutToken(token: string): string {
  if (token.length <= MAX_TOKEN) return token;
  return token.slice(0, isHigh(token.charCodeAt(MAX_TOKEN - 1)) ? MAX_TOKEN - 1 : MAX_TOKEN);
}

function hasOnlyAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isOneCharacter(token: string): boolean {
  return token.length === (isHigh(token.charCodeAt(0)) ? 2 : 1);
}
