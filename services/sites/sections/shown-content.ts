import { type Access, type AccessQuestion, resolveAccess } from '../../../shared/contract/access.js';
import { type Caller, membershipOf } from '../../../shared/contract/caller.js';
import type { HasCallAs } from '../../../shared/contract/context.js';
import type { Call } from '../../../shared/contract/service.js';
import { forbidden } from '../../../shared/errors/errors.js';
import type { HasStore } from '../../../shared/store/port.js';
import { spaceKind } from '../../content/resources.js';
import { resolveSites } from '../site/access.js';
import { shownContentKind } from '../site/resources.js';
import { structures } from '../structure/model.js';

const publishers: readonly (string | null)[] = shownContentKind.rights.publish;
const administrators: readonly (string | null)[] = spaceKind.rights.admin;

export const administers = (access: Access | null | undefined): boolean =>
  !!access && access.refused === undefined && administrators.includes(access.role);

interface Opening {
  call: Call;
  caller: Caller;
  /** The ids of the spaces that a change may show to more visitors. */
  spaces: string[];
}

const administersAll = async ({ call, caller, spaces }: Opening): Promise<boolean> =>
  spaces.length === 0 || (await call(resolveAccess(spaceKind), { caller, ids: spaces })).every(administers);

/** Refuses (403) to open spaces to visitors for a caller who does not administer all of them. */
export async function checkOpening(opening: Opening): Promise<void> {
  if (!(await administersAll(opening)))
    throw forbidden('You need the right "admin" on every space that this opens to visitors', 'missing_right');
}

/** The access of a caller to what sites show: like that to the sites, without a role where it does not administer every space. */
export async function resolveShownContent(
  { store, callAs }: HasStore & HasCallAs,
  { caller, ids }: AccessQuestion,
): Promise<(Access | null)[]> {
  const access = await resolveSites(store, { caller, ids });
  return Promise.all(
    access.map(async (held, at) => {
      // Admins of the organization administer every space of it; what an installation may do with a site, its scopes say.
      if (!held || caller.kind === 'installation') return held;
      if (membershipOf(caller, held.organization)?.role === 'admin' || !publishers.includes(held.role)) return held;
      const shown = await store.get(structures, ids[at] as string, { fields: ['spaces'] });
      const all = await administersAll({ call: callAs(caller), caller, spaces: shown?.spaces ?? [] });
      return all ? held : { ...held, role: null };
    }),
  );
}
