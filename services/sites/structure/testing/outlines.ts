import { isGroup, type Structure } from '../structure.js';

/** The ids of the entries in order, groups with those of what they hold: `s1 g(s2,s3) s4`. */
export const outline = ({ entries }: Structure): string =>
  entries
    .map((entry) => (isGroup(entry) ? `${entry.id}(${entry.children.map(({ id }) => id).join(',')})` : entry.id))
    .join(' ');

/** The code and the message that something is refused with. */
export function refused(act: () => unknown): [code: number, message: string] {
  try {
    act();
  } catch (error) {
    const { code, message } = error as { code: number; message: string };
    return [code, message];
  }
  return [0, 'it was done'];
}
