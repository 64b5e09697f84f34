import { apiError, forbidden, notFound } from '../errors.js';
import { type Caller, type CallerKind, refusalOf } from './caller.js';
import { question } from './verb.js';

/** A kind of resource that access is granted on, and the roles that hold each right. `null` is a guest. */
export interface ResourceKind<R extends string = string> {
  service: string;
  name: string;
  /** As a person names it in "… not found". */
  label: string;
  rights: Record<R, readonly (string | null)[]>;
  /** Names the resource in the caches of renderers: what reads it is tagged `<cacheTag>:<id>`. */
  cacheTag?: string;
}

/** What a caller is to one resource. No answer (`null`) means: it does not exist for this caller. */
export interface Access {
  organization: string;
  role: string | null;
  state: 'active' | 'deleted';
  /** Why the caller is kept out although it belongs here, for a person. */
  refused?: string;
}

/** The access of a caller that has this role (undefined: none), unless its token is refused in the organization. */
export function accessOf(
  caller: Caller,
  organization: string,
  role: string | null | undefined,
  state: Access['state'] = 'active',
): Access | null {
  const refused = refusalOf(caller, organization);
  if (refused !== undefined) return { organization, role: null, state, refused };
  return role === undefined ? null : { organization, role, state };
}

export type AccessRule =
  /** No token needed. */
  | 'public'
  | {
      caller: readonly CallerKind[];
      on?: ResourceKind;
      /** The path parameter that names the resource. */
      id?: string;
      need?: string;
      /** The path parameter that names the resource's organization: one of another organization does not exist. */
      within?: string;
      /** The path parameter that names a user: who acts on oneself needs no more than to see the resource. */
      self?: string;
      /** Deleted resources are reachable too (to show and to restore them). */
      deleted?: true;
    };

export interface AccessQuestion {
  caller: Caller;
  ids: string[];
}

/** The batched question every owner of a kind answers; answers stand in the order of `ids`. */
export const resolveAccess = (kind: ResourceKind) =>
  question<AccessQuestion, (Access | null)[]>(kind.service, `resolveAccess.${kind.name}`);

const known = new WeakMap<ResourceKind, Map<unknown, Record<string, boolean>>>();

/** The `permissions` object of a resource: the same table that enforces access. Shared, so not to be changed. */
export function permissionsOf<R extends string>(
  kind: ResourceKind<R>,
  role: string | null | undefined,
): Record<R, boolean> {
  const byRole = known.get(kind) ?? new Map<unknown, Record<string, boolean>>();
  known.set(kind, byRole);
  const permissions = byRole.get(role) ?? tellPermissions(kind, role);
  byRole.set(role, permissions);
  return permissions as Record<R, boolean>;
}

function tellPermissions({ rights }: ResourceKind, role: string | null | undefined): Record<string, boolean> {
  const table = Object.entries(rights).map(([right, roles]) => [right, role !== undefined && roles.includes(role)]);
  return Object.freeze(Object.fromEntries(table));
}

/** Answers what a caller is to resources of a kind. */
export type AskAccess = (kind: ResourceKind, question: AccessQuestion) => Promise<(Access | null)[]>;

const nowhere: Access = { organization: '', role: null, state: 'active' };

/**
 * What a caller is to the resource that a rule names by the path parameters. Throws 401 without a token, 404 for what the
 * caller may not see, 403 for what it may not do.
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
    throw forbidden(`This operation is not open to a token of kind "${caller.kind}"`);
  if (!rule.on || !rule.id) return nowhere;
  const [access] = await ask(rule.on, { caller, ids: [path[rule.id] as string] });
  if (rule.within && access?.organization !== path[rule.within]) throw notFound(rule.on.label);
  const onSelf = caller.kind === 'user' && rule.self !== undefined && path[rule.self] === caller.user;
  return granted(rule, rule.on, access ?? null, onSelf);
}

function granted(
  rule: Exclude<AccessRule, 'public'>,
  kind: ResourceKind,
  access: Access | null,
  onSelf: boolean,
): Access {
  if (access?.refused) throw forbidden(access.refused);
  if (!access || (access.state === 'deleted' && !rule.deleted)) throw notFound(kind.label);
  if (!kind.rights.view?.includes(access.role)) throw notFound(kind.label);
  if (rule.need && !onSelf && !kind.rights[rule.need]?.includes(access.role))
    throw forbidden(`You need the right "${rule.need}" on this ${kind.label.toLowerCase()}`);
  return access;
}
