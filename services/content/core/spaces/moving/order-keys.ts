import { newId } from '../../../../../shared/values/ids.js';

/** The digits of ids, in their order. Order keys have the same, so that ids are keys too. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const middle = 'G';
const maxLength = 100;

/** The shortest text between nothing and `high`; undefined where there is none. */
function textBelow(high: string): string | undefined {
  if (high === '') return undefined;
  const value = digits.indexOf(high[0] as string);
  if (value > 1) return digits[value >> 1];
  if (value === 1) return high.length > 1 ? '1' : `0${middle}`;
  const rest = textBelow(high.slice(1));
  return rest === undefined ? undefined : `0${rest}`;
}

function textBetween(low: string, high: string | undefined): string | undefined {
  if (high === undefined) {
    const latest = newId();
    return latest > low ? latest : `${low}${middle}`;
  }
  if (!high.startsWith(low)) return `${low}${middle}`;
  const rest = textBelow(high.slice(low.length));
  return rest === undefined ? undefined : `${low}${rest}`;
}

/** A key between two keys, absent ones being the ends; undefined where there is no room, or only for a long one. */
export function keyBetween(low = '', high?: string): string | undefined {
  const key = textBetween(low, high);
  return key !== undefined && key.length <= maxLength ? key : undefined;
}
