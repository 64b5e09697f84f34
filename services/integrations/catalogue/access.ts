import { type Access, type AccessQuestion, accessOfRole } from '../../../shared/contract/access.js';
import { type Caller, membershipOf } from '../../../shared/contract/caller.js';
import type { Administering } from './administering.js';
import type { CatalogueDependencies } from './dependencies.js';
import { type IntegrationDocument, integrations } from './model.js';
import type { IntegrationStanding } from './resources.js';

type Owned = Pick<IntegrationDocument, '_id' | 'organization' | 'publication' | 'visibility' | 'scopes'>;

/** Whether a role in an organization publishes its integrations, and installs others in it. */
export const mayPublish = (role: string | null | undefined): boolean => role === 'admin' || role === 'create';

/** The caller's standing as the integration itself, or as a member of its organization; undefined for all others. */
export function ownStanding(
  caller: Caller,
  { _id: name, organization }: Pick<Owned, '_id' | 'organization'>,
): IntegrationStanding | undefined {
  if (organization === undefined) return undefined;
  if (caller.kind === 'integration')
    return caller.integration === name && caller.owner === organization ? 'integration' : undefined;
  const role = membershipOf(caller, organization)?.role ?? null;
  if (role === null) return undefined;
  return mayPublish(role) ? 'owner' : 'member';
}

/** As `ownStanding`; who may publish is no owner of an integration that covers what they do not administer. */
export async function standingOf(
  { administering }: { administering: Administering },
  caller: Caller,
  integration: Owned,
): Promise<IntegrationStanding | undefined> {
  const standing = ownStanding(caller, integration);
  return standing === 'owner' && !(await administering(caller, integration)) ? 'member' : standing;
}

/** The organizations whose installations let a caller see what is installed there. */
export function organizationsOf(caller: Caller): string[] {
  switch (caller.kind) {
    case 'user':
      return Object.keys(caller.memberships).filter((id) => membershipOf(caller, id) !== undefined);
    case 'integration':
      return [caller.owner];
    case 'installation':
    case 'content':
      return [caller.organization];
    default:
      return [];
  }
}

/** Finds which of the publications are installed in one of the organizations. */
export type InstalledIn = (asked: { publications: string[]; organizations: string[] }) => Promise<Set<string>>;

/** Resolves what a caller is to integrations. `installedIn` is asked only about those that nobody else sees. */
export async function resolveIntegrations(
  deps: Pick<CatalogueDependencies, 'store' | 'administering'>,
  { caller, ids }: AccessQuestion,
  installedIn: InstalledIn,
): Promise<(Access | null)[]> {
  const fields: (keyof IntegrationDocument)[] = ['organization', 'publication', 'visibility', 'scopes'];
  const found: Owned[] = await deps.store.getMany(integrations, [...new Set(ids)], { fields });
  const hidden = found.filter((each) => each.visibility === 'private' && ownStanding(caller, each) === undefined);
  const organizations = organizationsOf(caller);
  const installed =
    hidden.length > 0 && organizations.length > 0
      ? await installedIn({ publications: hidden.map(({ publication }) => publication), organizations })
      : new Set<string>();
  const known = new Map(found.map((each) => [each._id, each]));
  return Promise.all(
    ids.map(async (id) => {
      const integration = known.get(id);
      return integration ? accessToIntegration(deps, caller, { integration, installed }) : null;
    }),
  );
}

async function accessToIntegration(
  deps: { administering: Administering },
  caller: Caller,
  { integration, installed }: { integration: Owned; installed: ReadonlySet<string> },
): Promise<Access | null> {
  const { organization = '', publication, visibility } = integration;
  const isSeen = visibility !== 'private' || installed.has(publication);
  const standing = (await standingOf(deps, caller, integration)) ?? (isSeen ? 'other' : undefined);
  if (standing === undefined) return accessOfRole(caller, organization, undefined);
  return { organization, role: standing, state: 'active' };
}
