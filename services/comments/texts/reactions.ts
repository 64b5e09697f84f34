import { conflict, invalid } from '../../../shared/errors/errors.js';

/** Times at which users reacted, by emoji (`emojiKey`) and user. */
export type StoredReactions = Record<string, Record<string, string>>;

/** Reactions to one text, of all users together, and different emoji among them. */
const maxReactions = 1000;
const maxEmoji = 50;

// biome-ignore lint/complexity/useRegexLiterals: as a literal, the flag needs a later target of the compiler
const emoji = new RegExp('^\\p{RGI_Emoji}$', 'v');
const codePoints = /^[0-9a-f]{2,6}(?:[-_][0-9a-f]{2,6})*$/i;
const emojiPresentation = '\uFE0F';

/** The emoji that a client means by the character or its code points; undefined for anything else. */
export function normalizeEmoji(given: string): string | undefined {
  const text = codePoints.test(given) ? emojiFromKey(given) : given;
  const [first = '', ...rest] = text;
  const spelled = [text, text + emojiPresentation, first + emojiPresentation + rest.join('')];
  return spelled.find((each) => emoji.test(each));
}

/** The emoji whose name in stored reactions this is. */
export function emojiFromKey(key: string): string {
  const points = key.split(/[-_]/).map((hex) => Number.parseInt(hex, 16));
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : '';
}

/** The name of an emoji in stored reactions: field names are made of letters and digits. */
const emojiKey = (text: string): string =>
  [...text].map((character) => (character.codePointAt(0) as number).toString(16)).join('_');

interface Reacting {
  addedReactions?: string[] | undefined;
  removedReactions?: string[] | undefined;
}

/** Changes that a request makes to the reactions of one user. */
export interface ReactionChanges {
  added: string[];
  removed: string[];
  update: { $min?: Record<string, string>; $unset?: Record<string, true> };
}

/**
 * The changes of a user's reactions; what is there already, or is not there, changes nothing. Adding takes the earlier of two times, so
 * two requests at once count as one. Throws 400 for what is no emoji, 409 for too many reactions.
 */
export function planReactionChanges(
  stored: StoredReactions = {},
  { addedReactions = [], removedReactions = [] }: Reacting,
  { user, at }: { user: string; at: string },
): ReactionChanges {
  const adding = checkEmojiKeys('addedReactions', addedReactions);
  const removing = checkEmojiKeys('removedReactions', removedReactions);
  const both = [...adding].find((key) => removing.has(key));
  if (both) throw invalid(`removedReactions: ${emojiFromKey(both)} is in addedReactions too`);
  const hasReactedWith = (key: string) => stored[key]?.[user] !== undefined;
  const added = [...adding].filter((key) => !hasReactedWith(key));
  const removed = [...removing].filter(hasReactedWith);
  if (added.length > 0 && countReactions(stored) + added.length > maxReactions)
    throw conflict(
      `There are at most ${maxReactions.toLocaleString('en')} reactions to one comment or reply`,
      'limit_reached',
    );
  const emojis = new Set([...Object.keys(stored).filter((key) => Object.keys(stored[key] ?? {}).length > 0), ...added]);
  if (added.length > 0 && emojis.size > maxEmoji)
    throw conflict(`There are at most ${maxEmoji} different emoji on one comment or reply`, 'limit_reached');
  const reactionPath = (key: string) => `reactions.${key}.${user}`;
  return {
    added: added.map(emojiFromKey),
    removed: removed.map(emojiFromKey),
    update: {
      ...(added.length > 0 ? { $min: Object.fromEntries(added.map((key) => [reactionPath(key), at])) } : {}),
      ...(removed.length > 0
        ? { $unset: Object.fromEntries(removed.map((key) => [reactionPath(key), true as const])) }
        : {}),
    },
  };
}

function checkEmojiKeys(field: string, given: string[]): Set<string> {
  return new Set(
    given.map((each, at) => {
      const known = normalizeEmoji(each);
      if (known === undefined) throw invalid(`${field}.${at}: not an emoji`);
      return emojiKey(known);
    }),
  );
}

/** About how many bytes the reactions to a text take in an answer. */
export const reactionsByteSize = (stored: StoredReactions = {}): number => countReactions(stored) * 250;

const countReactions = (stored: StoredReactions): number =>
  Object.values(stored).reduce((sum, users) => sum + Object.keys(users).length, 0);
