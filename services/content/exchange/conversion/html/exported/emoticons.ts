import type { Element } from 'hast';
import { hasClass, propertyText } from '../elements.js';

/** Emoji by the text that Confluence writes in place of its own pictures. */
const characters = new Map([
  ['(tick)', '✅'],
  ['(error)', '❌'],
  ['(warning)', '⚠️'],
  ['(info)', 'ℹ️'],
  ['(plus)', '➕'],
  ['(minus)', '➖'],
  ['(question)', '❓'],
  ['(on)', '💡'],
  ['(star)', '⭐'],
  ['(heart)', '❤️'],
  ['(thumbs up)', '👍'],
  ['(thumbs down)', '👎'],
  ['(smile)', '🙂'],
  ['(sad)', '🙁'],
  ['(wink)', '😉'],
  ['(laugh)', '😀'],
]);

/** The character that an image of Confluence stands for; undefined for another image. */
export function emoticonCharacter(image: Element): string | undefined {
  if (!hasClass(image, 'emoticon')) return undefined;
  const said = propertyText(image, 'dataEmojiFallback');
  // Pictures without a character have their short name here.
  return said !== '' && !said.startsWith(':') ? said : characters.get(propertyText(image, 'alt'));
}
