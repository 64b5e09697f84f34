import { type Access, type AccessQuestion, accessOfRole, permissionsOf } from '../../../../shared/contract/access.js';
import { type Caller, membershipOf } from '../../../../shared/contract/caller.js';
import { notFound } from '../../../../shared/errors/errors.js';
import type { Store } from '../../../../shared/store/port.js';
import { roleOfInstallation } from '../../../identity/resources.js';
import { specKind } from '../resources.js';
import { type SpecDocument, type SpecVersionDocument, specs, specVersions } from './model.js';

/** Resolves what a caller is to the specifications of organizations. */
export async function resolveSpecAccess({ caller, ids }: AccessQuestion): Promise<(Access | null)[]> {
  return ids.map((organization) => accessOfRole(caller, organization, roleOnSpecs(caller, organization)));
}

/** The role of a caller on the specifications of an organization; undefined if they do not exist for the caller. */
export function roleOnSpecs(caller: Caller, organization: string): string | null | undefined {
  if (caller.kind === 'content') return caller.organization === organization ? 'visitor' : undefined;
  if (caller.kind === 'installation')
    return caller.scopes.some((scope) => scope.startsWith('openapi:'))
      ? roleOfInstallation(caller, organization)
      : undefined;
  return membershipOf(caller, organization)?.role;
}

/** Whether a caller may have pages made of any specification; others only of those that pages which they see are made of. */
export const mayCompute = (caller: Caller, organization: string): boolean =>
  caller.kind === 'installation'
    ? permissionsOf(specKind, roleOnSpecs(caller, organization)).view
    : caller.kind !== 'content';

export interface SpecPath {
  organizationId: string;
  specSlug: string;
}

export const specNotFound = () => notFound('OpenAPI specification');

/** Throws 404 for a specification that the organization does not have. */
export async function findSpec(
  store: Store,
  { organizationId: organization, specSlug: slug }: SpecPath,
): Promise<SpecDocument> {
  const spec = await store.findOne(specs, { organization, slug });
  if (!spec) throw specNotFound();
  return spec;
}

/** Throws 404 for a version that the specification does not have; without an id, when it has none. */
export async function findVersion(
  store: Store,
  { _id: spec, lastVersion = '' }: SpecDocument,
  id = lastVersion,
): Promise<SpecVersionDocument> {
  const version = await store.get(specVersions, id);
  if (version?.spec !== spec) throw notFound('Version');
  return version;
}
