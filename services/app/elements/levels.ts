import type { Words } from '../words/words.js';

const levels = ['admin', 'create', 'review', 'edit', 'comment', 'read'] as const;

/** The choice of a level for members who have none of their own. */
export const levelOptions = ({ levels: words }: Words): { value: string; text: string }[] => [
  { value: 'inherit', text: words.inherit },
  ...levels.map((value) => ({ value, text: words[value] })),
  { value: '', text: words.none },
];

type Level = (typeof levels)[number] | 'inherit' | null;

/** The value of a level in a form, and back. */
export const levelValue = (level: Level): string => level ?? '';
export const levelOf = (value: string): Level => (value === '' ? null : (value as Level));
