import { invalid } from '../../../../shared/errors/errors.js';
import { newId } from '../../../../shared/values/ids.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import type { ChangeRequestLink } from './resources.js';

type GivenLink = Omit<ChangeRequestLink, 'id'> & { id?: string | undefined };

/** The links in place of those that are there: one with an `id` is that one as it is now. Throws 400 for an id of none. */
export function replaceLinks(
  before: readonly ChangeRequestLink[] = [],
  given: readonly GivenLink[] | undefined,
): ChangeRequestLink[] | undefined {
  const known = new Set(before.map(({ id }) => id));
  return given?.map(({ id, ref, title }, at) => {
    if (id !== undefined && !known.delete(id)) throw invalid(`links.${at}.id: must be of a link, and of no other here`);
    return omitUndefined({ id: id ?? newId(), ref, title });
  });
}
