import GithubSlugger from 'github-slugger';
import { inLatin, withoutEmoji } from '../../../../../shared/text/latin.js';
import { newSlugClaims } from '../../space/paths.js';

const MAX_ANCHOR = 200;
const MAX_ALIASES = 2000;
const ANCHOR = /^[-a-z0-9.+_]+$/;

/** A name that links may use for an anchor, and the anchor. */
export type AnchorAlias = [alias: string, anchor: string];

interface Given {
  title: string;
  explicit: string | undefined;
  id: string;
}

/** The anchors of one page, in the order of assignment. */
export interface Anchors {
  given: Given[];
  /** Whether a heading has begun that gets its anchor when its text is known. */
  inHeading: boolean;
  claim: (slug: string) => string;
}

export const newAnchors = (): Anchors => ({ given: [], inHeading: false, claim: newSlugClaims(MAX_ANCHOR) });

/** Assigns an anchor: the explicit one, else the title as a slug; with a number when the page has it already. */
export function assignAnchor(anchors: Anchors, title: string, explicit: string | undefined): string {
  const id = anchors.claim(isValidAnchor(explicit) ? explicit : anchorOfText(explicit || title));
  anchors.given.push({ title, explicit, id });
  return id;
}

const isValidAnchor = (name: string | undefined): name is string =>
  name !== undefined && name.length <= MAX_ANCHOR && ANCHOR.test(name);

/** Matches `^[-a-z0-9.+_]+$`. */
export const anchorOfText = (text: string): string => unspelledAnchor(spellSigns(text.slice(0, MAX_ANCHOR)));

/** The anchor as it was before signs were spelled. */
function unspelledAnchor(text: string): string {
  const head = text.slice(0, MAX_ANCHOR);
  return latinSlug(withoutEmoji(head)) || latinSlug(head) || 'section';
}

function latinSlug(text: string): string {
  const slug = trimDashes(
    trimDashes(
      inLatin(text)
        .toLowerCase()
        .replace(/[^a-z0-9._+]+/g, '-'),
    ).slice(0, MAX_ANCHOR - 'id-'.length),
  );
  return /^\d/.test(slug) ? `id-${slug}` : slug;
}

const trimDashes = (slug: string) => slug.replace(/^-|-$/g, '');

/** The letters and digits, which are the same in the slugs of every dialect of the format. */
const lettersAndDigits = (anchor: string) => anchor.replace(/^id-(?=\d)/, '').replace(/[^a-z0-9]+/g, '');

const foldCase = (name: string) => name.normalize('NFC').toLowerCase();

/**
 * Other names for a page's anchors, all but its letters as written and in lower case: explicit ids that are not valid anchors, anchors
 * without spelled signs, GitHub's slugs, and the letters where unique.
 */
export function anchorAliasesOf({ given }: Anchors): AnchorAlias[] {
  const anchors = new Set(given.map(({ id }) => id));
  const aliases = new Map<string, string>();
  const addAlias = (alias: string | undefined, id: string) => {
    if (!alias || alias.length > MAX_ANCHOR) return;
    for (const name of [alias, foldCase(alias)])
      if (!anchors.has(name) && !aliases.has(name) && aliases.size < MAX_ALIASES) aliases.set(name, id);
  };
  for (const { explicit, id } of given) addAlias(explicit, id);
  const claim = newSlugClaims(MAX_ANCHOR);
  for (const { title, explicit, id } of given)
    addAlias(claim(isValidAnchor(explicit) ? explicit : unspelledAnchor(explicit || title)), id);
  const github = new GithubSlugger();
  for (const { title, id } of given) addAlias(github.slug(title.slice(0, MAX_ANCHOR)), id);
  const shared = new Map<string, number>();
  for (const { id } of given) shared.set(lettersAndDigits(id), (shared.get(lettersAndDigits(id)) ?? 0) + 1);
  for (const { id } of given) if (shared.get(lettersAndDigits(id)) === 1) addAlias(lettersAndDigits(id), id);
  return [...aliases];
}

/** The anchor that a link names, by its own name or by an alias, in any case. Anchors themselves are in lower case. */
export function findAnchor(aliases: ReadonlyMap<string, string>, name: string): string {
  const lower = foldCase(name);
  const known = aliases.get(name) ?? aliases.get(lower) ?? aliases.get(lettersAndDigits(lower));
  return known ?? (isValidAnchor(lower) ? lower : name);
}

/** Signs that stand for words. */
const words: Record<string, string> = {
  '&': 'and',
  '|': 'or',
  '<': 'less than',
  '>': 'greater than',
  '∆': 'delta',
  '∑': 'sum',
  '∞': 'infinity',
  '♥': 'love',
  '¤': 'currency',
  '©': 'c',
  '®': 'r',
  '™': 'tm',
  '℠': 'sm',
};

/** Currencies have their code, and some letters more than one sound; both join the letters beside them. */
const letters = `
  $ usd  ¢ cent ¥ cny ฿ thb ៛ khr ₠ ewe ₡ crc ₢ brn ₣ frf ₤ itl ₦ ngn ₧ esp ₨ inr ₩ krw ₪ ils ₫ vnd ₭ lak ₮ mnt ₯ grd
  ₱ ars ₲ pyg ₳ ara ₴ uah ₵ ghs ₸ kzt ₹ inr ₺ try ₼ azn ₽ rub ₾ gel ؋ afn ﷼ irr
  ä ae ö oe ü ue ˚ o ξ ks χ x
  й i ё yo ц c щ sh є ye ї yi ќ kj џ dz
`;

const silent = 'ьъЬЪ';

const spellings = new Map(Object.entries(words).map(([sign, word]) => [sign, ` ${word} `]));
for (const [, letter = '', spelling = ''] of letters.matchAll(/(\S+) +(\S+)/g))
  for (const each of [letter, letter.toUpperCase()]) spellings.set(each, spelling);
for (const letter of silent) spellings.set(letter, '');

const spelt = new RegExp(`[${[...spellings.keys()].join('')}]`, 'gu');

/** The text with signs and letters spelled as the anchors of the public product spell them; any other script stays. */
const spellSigns = (text: string): string =>
  text.normalize('NFC').replace(spelt, (sign) => spellings.get(sign) ?? sign);
