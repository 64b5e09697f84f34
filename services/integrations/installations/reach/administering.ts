import { resolveAccess } from '../../../../shared/contract/access.js';
import { type Caller, membershipOf } from '../../../../shared/contract/caller.js';
import type { Call } from '../../../../shared/contract/service.js';
import { type Store, write } from '../../../../shared/store/port.js';
import type { Administering } from '../../catalogue/administering.js';
import type { IntegrationDocument } from '../../catalogue/model.js';
import { installedTargets } from '../find.js';
import { type InstallationDocument, installations, type PlaceKind } from '../model.js';
import { installingRules, placeRule } from '../places.js';

interface Dependencies {
  store: Store;
  callAs: (caller: Caller) => Call;
}

type Scoped = Pick<IntegrationDocument, 'scopes'>;

/** Spaces or sites that are asked about at once. */
const atOnce = 500;

interface Places {
  kind: PlaceKind;
  /** The ids of spaces or sites. */
  targets: readonly string[];
  integration: Scoped;
}

/** Whether a person may install an integration on spaces or sites, in their order. */
export async function administersPlaces(
  { callAs }: Pick<Dependencies, 'callAs'>,
  caller: Caller,
  { kind, targets, integration }: Places,
): Promise<boolean[]> {
  if (targets.length === 0) return [];
  const { on, need } = installingRules[placeRule(kind, integration)];
  const roles: readonly (string | null)[] = (on.rights as Record<string, readonly string[]>)[need] ?? [];
  const access = await callAs(caller)(resolveAccess(on), { caller, ids: [...targets] });
  return access.map((each) => each !== null && each.refused === undefined && roles.includes(each.role));
}

/**
 * Whether a person administers everything that an installation covers, with the scopes that its integration declares: admins of the organization do,
 * others who may install where all of it is chosen one by one and they may install it there. Whoever configures, republishes or develops an
 * installation acts with its token, so nobody does who could not do the same without it.
 */
export async function administers(
  deps: Dependencies,
  caller: Caller,
  { installation, integration }: { installation: InstallationDocument; integration: Scoped },
): Promise<boolean> {
  const { organization, spaceSelection, siteSelection } = installation;
  const role = membershipOf(caller, organization)?.role;
  if (role === 'admin') return true;
  if (role !== 'create' || spaceSelection === 'all' || siteSelection === 'all') return false;
  for (const kind of ['space', 'site'] as const) {
    const all = await installedTargets(deps, installation, kind);
    for (let at = 0; at < all.length; at += atOnce) {
      const targets = all.slice(at, at + atOnce);
      const held = await administersPlaces(deps, caller, { kind, targets, integration });
      if (held.includes(false)) return false;
    }
  }
  return true;
}

/** `administers` of the installation in the organization that owns the integration: others trust that organization with what it publishes. */
export const administeringOwn =
  (deps: Dependencies): Administering =>
  async (caller, { publication, organization = '', scopes }) => {
    if (membershipOf(caller, organization)?.role === 'admin') return write.all([]);
    const installation = await deps.store.findOne(installations, { publication, organization });
    if (!installation) return write.check(installations, { publication, organization }, 0);
    const { _id, version } = installation;
    const held = await administers(deps, caller, { installation, integration: { scopes } });
    return held ? write.check(installations, { _id, version }, 1) : undefined;
  };
