import type { z } from 'zod';
import { type Caller, type CallerKind, refusalOf } from './caller.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

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

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;
export type PathParameters<Path extends string> = { [N in ParameterNames<Path>]: string };

export type QuerySchema = z.ZodObject;

export interface OperationOptions<
  Path extends string,
  Q extends QuerySchema,
  B extends z.ZodType,
  R extends z.ZodType,
> {
  method: Method;
  /** Relative to `/v1`. */
  path: Path;
  summary: string;
  description?: string;
  tag: string;
  access: AccessRule;
  query?: Q;
  body?: B;
  status: 200 | 201 | 204 | 205;
  response?: R;
  /** Largest body in bytes; 1 MiB unless told. */
  bodyLimit?: number;
  /**
   * How long a client may keep the answer. `versioned`: until its version changes, which the handler names (an id of a
   * revision, never a hash of the body); `immutable`: for good.
   */
  cache?: 'versioned' | 'immutable';
  /** Tags of the answer in the caches of renderers, besides the resource of `access`, which tags what GET reads. */
  cacheTags?: (
    request: { path: PathParameters<Path>; query: z.input<Q>; body: z.input<B> },
    answer: z.output<R>,
  ) => string[];
}

export interface Operation<
  Path extends string = string,
  Q extends QuerySchema = QuerySchema,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> extends OperationOptions<Path, Q, B, R> {
  /** The official operationId. */
  id: string;
  service: string;
  /** `<service>.<operationId>` */
  action: string;
}

export interface Request<O extends AnyOperation = AnyOperation> {
  path: O extends Operation<infer P, QuerySchema, z.ZodType, z.ZodType> ? PathParameters<P> : never;
  query: O extends Operation<string, infer Q, z.ZodType, z.ZodType> ? z.output<Q> : never;
  body: O extends Operation<string, QuerySchema, infer B, z.ZodType> ? z.output<B> : never;
}

/** What a caller inside the house may leave out takes its default. */
export interface CallRequest<O extends AnyOperation> {
  path: Request<O>['path'];
  query?: O extends Operation<string, infer Q, z.ZodType, z.ZodType> ? z.input<Q> : never;
  body?: O extends Operation<string, QuerySchema, infer B, z.ZodType> ? z.input<B> : never;
}

// biome-ignore lint/suspicious/noExplicitAny: schemas are invariant in their types, so "any operation" needs it
export type AnyOperation = Operation<any, any, any, any>;

export type Answer<O extends AnyOperation> =
  O extends Operation<string, QuerySchema, z.ZodType, infer R> ? z.output<R> : never;

export function operation<
  const Path extends string,
  Q extends QuerySchema = z.ZodObject<Record<never, never>>,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodUndefined,
>(options: OperationOptions<Path, Q, B, R>): OperationOptions<Path, Q, B, R> {
  return options;
}

// biome-ignore lint/suspicious/noExplicitAny: as above
type AnyOptions = OperationOptions<any, any, any, any>;
type Bound<O extends AnyOptions> =
  O extends OperationOptions<infer P, infer Q, infer B, infer R> ? Operation<P, Q, B, R> : never;

export type Contract<O extends Record<string, AnyOptions> = Record<string, AnyOptions>> = {
  readonly [K in keyof O]: Bound<O[K]>;
};

/** Gives each operation its operationId (the key) and its action name. */
export function defineContract<const O extends Record<string, AnyOptions>>(
  service: string,
  operations: O,
): Contract<O> {
  const entries = Object.entries(operations).map(([id, options]) => [
    id,
    { ...options, id, service, action: `${service}.${id}` },
  ]);
  return Object.freeze(Object.fromEntries(entries)) as Contract<O>;
}

/** An internal action: called over the bus by other services, never over HTTP. */
export interface Verb<P, R> {
  action: string;
  /** It changes nothing: where no answer comes it is asked again. */
  safe: boolean;
  readonly types?: [P, R];
}

/** Declares `<service>.<name>` with its parameters `P` and result `R`. */
export const verb = <P, R>(service: string, name: string): Verb<P, R> => ({
  action: `${service}.${name}`,
  safe: false,
});

/** Declares a verb that only reads. */
export const question = <P, R>(service: string, name: string): Verb<P, R> => ({
  ...verb<P, R>(service, name),
  safe: true,
});

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

/** Whether a service reaches its stores; throws when not. */
export const readiness = (service: string) => verb<Record<never, never>, void>(service, 'ready');
