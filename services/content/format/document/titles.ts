import { splitLeadingEmoji } from '../markdown/emoji.js';

const comparableTitle = (title: string) =>
  splitLeadingEmoji(title.trim())
    .title.normalize('NFKC')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** Whether a heading repeats the title above it, ignoring case, white space and a leading emoji. */
export const repeatsTitle = (title: string, heading: string): boolean =>
  comparableTitle(title) === comparableTitle(heading);
