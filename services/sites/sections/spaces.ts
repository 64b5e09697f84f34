import { resolveAccess } from '../../../shared/contract/access.js';
import type { Context } from '../../../shared/contract/service.js';
import { invalid } from '../../../shared/errors.js';
import { presentSpaces } from '../../content/contract.js';
import { type Space, spaceKind } from '../../content/resources.js';

type By = Pick<Context, 'call' | 'caller'>;

/**
 * Spaces that a caller adds to a site: they must belong to the organization, and the caller must be able to read them.
 * Throws 400 with the `field` of the first one that does not qualify.
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
    return space;
  });
}

/** One space that a caller adds to a site. Throws 400 as above, for the field `spaceId`. */
export async function spaceFor(by: By, { organization, id }: { organization: string; id: string }): Promise<Space> {
  const [space] = await spacesFor(by, { organization, wanted: [{ id, field: 'spaceId' }] });
  return space as Space;
}
