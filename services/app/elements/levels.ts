import { invalid } from '../../../shared/errors/errors.js';
import type { DefaultLevel } from '../../content/resources.js';
import { roles } from '../../identity/resources.js';
import type { Words } from '../words/words.js';

/** The choice of a level for members who have none of their own. */
export const levelOptions = ({ access, people }: Words): { value: string; text: string }[] => [
  { value: 'inherit', text: access.inherit },
  ...roles.map((value) => ({ value, text: people[value] })),
  { value: 'none', text: access.none },
];

/** The value of a level in a form. */
export const levelValue = (level: DefaultLevel): string => level ?? 'none';

/** Reads a level from a form. Throws 400 for what is none. */
export function levelOf(value: string): DefaultLevel {
  if (value === 'none') return null;
  const level = (['inherit', ...roles] as const).find((each) => each === value);
  if (!level) throw invalid('level: required');
  return level;
}
