import { splitEmoji } from '../markdown/emoji.js';

const words = (title: string) =>
  splitEmoji(title.trim())
    .title.normalize('NFKC')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** Whether a heading repeats the title above it, ignoring case, white space and a leading emoji. */
export const saysTheSame = (title: string, heading: string): boolean => words(title) === words(heading);
