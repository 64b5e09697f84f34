import { splitEmoji } from '../markdown/emoji.js';

const words = (title: string) =>
  splitEmoji(title.trim())
    .title.normalize('NFKC')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** Whether a reader takes a heading for the same as the title above it: case, white space and a leading emoji do not count. */
export const saysTheSame = (title: string, heading: string): boolean => words(title) === words(heading);
