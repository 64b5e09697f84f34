import { resolveAccess } from '../../shared/contract/access.js';
import { invalid } from '../../shared/errors.js';
import { presentSpaces } from '../content/contract.js';
import { type Space, spaceKind } from '../content/resources.js';
import type { Looking } from './rules.js';

/** Spaces that a caller puts on a site: of the organization, and ones that it reads itself. 400 names the field. */
export async function spacesFor(
  { call, caller }: Looking,
  organization: string,
  wanted: { id: string; field: string }[],
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

export async function spaceFor(looking: Looking, organization: string, id: string): Promise<Space> {
  const [space] = await spacesFor(looking, organization, [{ id, field: 'spaceId' }]);
  return space as Space;
}
