import { resolveAccess } from '../../../shared/contract/access.js';
import type { Context } from '../../../shared/contract/service.js';
import { forbidden, invalid } from '../../../shared/errors/errors.js';
import { presentSpaces } from '../../content/contract.js';
import { type Space, spaceKind } from '../../content/resources.js';
import { administers } from './shown-content.js';

type By = Pick<Context, 'call' | 'caller'>;

/**
 * Spaces that a caller adds to a site: they must belong to the organization, and the caller must administer them, because a site
 * opens them to its visitors. Throws 400 with the `field` of the first one that the caller cannot read, 403 for one that it can
 * only read.
 */
export async function spacesFor(
  { call, caller }: By,
  { organization, wanted }: { organization: string; wanted: { id: string; field: string }[] },
): Promise<Space[]> {
  if (wanted.length === 0) return [];
  const ids = wanted.map(({ id }) => id);
  const [access, found] = await Promise.all([
    call(resolveAccess(spaceKind), { caller, ids }),
    call(presentSpaces, { organization, ids }),
  ]);
  return wanted.map(({ field }, at) => {
    const space = found[at];
    const may = access[at];
    if (!space || may?.organization !== organization || may.state === 'deleted' || may.role === null)
      throw invalid(`${field}: no such space in this organization`);
    if (!administers(may))
      throw forbidden(`${field}: you need the right "admin" on this space to show it on a site`, 'missing_right');
    return space;
  });
}

/** One space that a caller adds to a site. Throws 400 and 403 as above, for the field `spaceId`. */
export async function spaceFor(by: By, { organization, id }: { organization: string; id: string }): Promise<Space> {
  const [space] = await spacesFor(by, { organization, wanted: [{ id, field: 'spaceId' }] });
  return space as Space;
}
