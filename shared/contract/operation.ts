import { z } from 'zod';
import type { AccessRule } from './access.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

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
  /** Its operationId in the last release, whose processes call it so; goes with the next one. */
  formerly?: string;
  description?: string;
  tag: string;
  access: AccessRule;
  /**
   * `true`: it changes nothing, although its method is not GET; it takes no `Idempotency-Key`, and is sent again like a read. `false`: it is not
   * sent again, although it is a GET, as it costs too much.
   */
  safe?: boolean;
  /** Milliseconds that an answer may take, where that is more than usual. */
  timeoutMs?: number;
  query?: Q;
  body?: B;
  /** Request headers that the handler gets in `context.client`, by their names in lower case, with what they are. */
  headers?: Record<string, string>;
  status: 200 | 201 | 204 | 205;
  response?: R;
  /** Schema of the 202 answer for work that outlasts the request. `response` includes it. */
  accepted?: z.ZodType;
  /**
   * Schema of a line, for an answer of many lines (NDJSON). The handler answers a `Piece` of it; it is called again with the
   * `after` of the piece in the query until that is null.
   */
  lines?: z.ZodType;
  /** Schema of an event, for an answer of Server-Sent Events: as `lines`, but with events in the pieces, which are also sent to a client that is slow to take them. */
  events?: z.ZodType;
  /**
   * The name of the file, for an answer that is a ZIP archive: as `lines`, of which each is a file (`ZippedFile`), in the order of the archive. Of files
   * with the same path, the first is in it.
   */
  zip?: string;
  /** Largest body in bytes; 1 MiB by default. */
  bodyLimit?: number;
  /**
   * How long a client may keep the answer. `versioned`: until its version changes, which the handler sets (the id of a
   * revision, never a hash of the body); `immutable`: forever.
   */
  cache?: 'versioned' | 'immutable';
  /** The operation may change what the caller is (its memberships, its tokens), so the caller's next request resolves it again. */
  changesCaller?: true;
  /** Tags of the answer in the caches of renderers, in addition to the tag of the `access` resource that each GET has. */
  cacheTags?: (
    request: { path: PathParameters<Path>; query: z.input<Q>; body: z.input<B> },
    answer: z.output<R>,
  ) => string[];
}

/** A part of an answer of many lines, events or files. */
export interface Piece {
  /** Whole lines, each with its end; of an event, also the empty one. */
  lines: string;
  /** Where the next piece goes on; null after the last one. */
  after: string | null;
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

/** The request of an operation as its handler gets it. */
export interface Request<O extends AnyOperation = AnyOperation> {
  path: O extends Operation<infer P, QuerySchema, z.ZodType, z.ZodType> ? PathParameters<P> : never;
  query: O extends Operation<string, infer Q, z.ZodType, z.ZodType> ? z.output<Q> : never;
  body: O extends Operation<string, QuerySchema, infer B, z.ZodType> ? z.output<B> : never;
}

/** The request of a call between services: fields with defaults may be left out. */
export interface CallRequest<O extends AnyOperation> {
  path: Request<O>['path'];
  query?: O extends Operation<string, infer Q, z.ZodType, z.ZodType> ? z.input<Q> : never;
  body?: O extends Operation<string, QuerySchema, infer B, z.ZodType> ? z.input<B> : never;
}

// biome-ignore lint/suspicious/noExplicitAny: schemas are invariant in their types, so "any operation" needs it
export type AnyOperation = Operation<any, any, any, any>;

export type Answer<O extends AnyOperation> =
  O extends Operation<string, QuerySchema, z.ZodType, infer R> ? z.output<R> : never;

/** The answer of a handler of `lines`, `events` or `zip`. */
export const pieceSchema = z.object({ lines: z.string(), after: z.string().nullable() });

/** The piece of one event, or of a comment, by which the connection is seen to be alive. */
export const eventPiece = (event: unknown, after: string | null): Piece => ({
  lines: event === undefined ? ':\n\n' : `data: ${JSON.stringify(event)}\n\n`,
  after,
});

/** Declares an operation; `defineContract` gives it its name. */
export function operation<
  const Path extends string,
  Q extends QuerySchema = z.ZodObject<Record<never, never>>,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodUndefined,
>(options: OperationOptions<Path, Q, B, R>): OperationOptions<Path, Q, B, R> {
  return options;
}

// biome-ignore lint/suspicious/noExplicitAny: as above
export type AnyOptions = OperationOptions<any, any, any, any>;

/** The body of an operation as its handler gets it. */
export type BodyOf<O extends AnyOptions> =
  O extends OperationOptions<string, QuerySchema, infer B, z.ZodType> ? z.output<B> : never;
/** The query of an operation as its handler gets it. */
export type QueryOf<O extends AnyOptions> =
  O extends OperationOptions<string, infer Q, z.ZodType, z.ZodType> ? z.output<Q> : never;
/** The answer of an operation. */
export type ResponseOf<O extends AnyOptions> =
  O extends OperationOptions<string, QuerySchema, z.ZodType, infer R> ? z.output<R> : never;
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
