import { apiError, forbidden, notFound } from '../errors/errors.js';
import { type Caller, type CallerKind, tokenRefusalOf } from './caller.js';
import { question } from './verb.js';

/** A kind of resource that access is granted on, and the roles that hold each right. `null` is a guest. */
export interface ResourceKind<R extends string = string> {
  service: string;
  name: string;
  /** The name in messages such as "Space not found". */
  label: string;
  rights: Record<R, readonly (string | null)[]>;
  /** Names the resource in the caches of renderers: answers that read it are tagged `<cacheTag>:<id>`. */
  cacheTag?: string;
}

/** A caller's role on one resource. `null` in place of it means that the resource does not exist for this caller. */
export interface Access {
  organization: string;
  role: string | null;
  state: 'active' | 'deleted';
  /** Why the caller is refused although it belongs to the organization; shown to people. */
  refused?: string;
}

/** The access of a caller with this role; null without a role (undefined). A token that the organization refuses has none. */
export function accessOfRole(
  caller: Caller,
  organization: string,
  role: string | null | undefined,
  state: Access['state'] = 'active',
): Access | null {
  const refused = tokenRefusalOf(caller, organization);
  if (refused !== undefined) return { organization, role: null, state, refused };
  return role === undefined ? null : { organization, role, state };
}

export type AccessRule =
  /** No token needed. */
  | 'public'
  | {
      caller: readonly CallerKind[];
      /** The scope that an installation must have been granted. Contracts that let installations in without one are open to all of them. */
      scope?: string;
      on?: ResourceKind;
      /** The path parameter that names the resource. */
      id?: string;
      need?: string;
      /** The path parameter that names the organization. A resource of another organization answers 404. */
      within?: string;
      /** The path parameter that names a user. A caller that acts on itself only needs to see the resource. */
      self?: string;
      /** Also allows deleted resources, to show and to restore them. */
      deleted?: true;
    };

/** The callers of a rule: these kinds, and installations with a scope where one is given. */
export const by = (kinds: readonly CallerKind[], scope?: string): { caller: readonly CallerKind[]; scope?: string } =>
  scope === undefined ? { caller: kinds } : { caller: [...kinds, 'installation'], scope };

export interface AccessQuestion {
  caller: Caller;
  ids: string[];
}

/** The batched question that the owner of a kind answers, in the order of `ids`. */
export const resolveAccess = (kind: ResourceKind) =>
  question<AccessQuestion, (Access | null)[]>(kind.service, `resolveAccess.${kind.name}`);

const known = new WeakMap<ResourceKind, Map<unknown, Record<string, boolean>>>();

/** The `permissions` of a resource, from the table that enforces access. The object is shared and frozen. */
export function permissionsOf<R extends string>(
  kind: ResourceKind<R>,
  role: string | null | undefined,
): Record<R, boolean> {
  const byRole = known.get(kind) ?? new Map<unknown, Record<string, boolean>>();
  known.set(kind, byRole);
  const permissions = byRole.get(role) ?? computePermissions(kind, role);
  byRole.set(role, permissions);
  return permissions as Record<R, boolean>;
}

function computePermissions({ rights }: ResourceKind, role: string | null | undefined): Record<string, boolean> {
  const table = Object.entries(rights).map(([right, roles]) => [right, role !== undefined && roles.includes(role)]);
  return Object.freeze(Object.fromEntries(table));
}

/** Asks what a caller is to resources of a kind. */
export type AskAccess = (kind: ResourceKind, question: AccessQuestion) => Promise<(Access | null)[]>;

const nowhere: Access = { organization: '', role: null, state: 'active' };

/**
 * Resolves what a caller is to the resource that a rule names by a path parameter. Throws 401 without a token, 404 when the
 * caller may not see the resource, 403 when it lacks the right.
 */
export async function authorize(
  rule: AccessRule,
  path: Record<string, string>,
  caller: Caller,
  ask: AskAccess,
): Promise<Access> {
  if (rule === 'public' || caller.kind === 'system') return nowhere;
  if (caller.kind === 'anonymous')
    throw apiError('UNAUTHENTICATED', 'This operation needs a token: Authorization: Bearer <token>');
  if (!rule.caller.includes(caller.kind))
    throw forbidden(`This operation is not open to a token of kind "${caller.kind}"`, 'token_kind_not_allowed');
  if (caller.kind === 'installation' && rule.scope !== undefined && !caller.scopes.includes(rule.scope))
    throw forbidden(`The integration needs the scope "${rule.scope}"`, 'missing_scope');
  if (!rule.on || !rule.id) return nowhere;
  const [access] = await ask(rule.on, { caller, ids: [path[rule.id] as string] });
  if (rule.within && access?.organization !== path[rule.within]) throw notFound(rule.on.label);
  const onSelf = caller.kind === 'user' && rule.self !== undefined && path[rule.self] === caller.user;
  return checkAccess(rule, rule.on, access ?? null, onSelf);
}

function checkAccess(
  rule: Exclude<AccessRule, 'public'>,
  kind: ResourceKind,
  access: Access | null,
  onSelf: boolean,
): Access {
  if (access?.refused) throw forbidden(access.refused, 'single_sign_on_required');
  if (!access || (access.state === 'deleted' && !rule.deleted)) throw notFound(kind.label);
  if (!kind.rights.view?.includes(access.role)) throw notFound(kind.label);
  if (rule.need && !onSelf && !kind.rights[rule.need]?.includes(access.role)) throw missesRight(rule.need, kind);
  return access;
}

/** 403 for a caller who may see the resource, but lacks the right. */
export const missesRight = (need: string, { label }: Pick<ResourceKind, 'label'>): Error =>
  forbidden(`You need the right "${need}" on this ${label.toLowerCase()}`, 'missing_right');
