import { isDeepStrictEqual } from 'node:util';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import type { BothSides } from '../contract/differences.js';

/** Characters of a value that is shown. */
const maxShown = 2000;

type Values = Readonly<Record<string, unknown>>;

/** Yields the names that two records have other values for, with the values as JSON. */
export function* differingValues(
  before: Values = {},
  after: Values = {},
): Generator<{ name: string } & BothSides<string>> {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [ownValue(before, name), ownValue(after, name)];
    if (!isDeepStrictEqual(was, is))
      yield { name, ...omitUndefined({ before: shownValue(was), after: shownValue(is) }) };
  }
}

const ownValue = (values: Values, name: string): unknown => (Object.hasOwn(values, name) ? values[name] : undefined);

function shownValue(value: unknown): string | undefined {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined || text.length <= maxShown ? text : `${text.slice(0, maxShown).toWellFormed()}…`;
}
