import type { z } from 'zod';
import type { AccessRule } from './access.js';
import type { Context } from './context.js';
import { type AnyOptions, type OperationOptions, operation, type QuerySchema } from './operation.js';
import type { HandlersOf } from './service.js';

/** A place that offers the same operations as others: a space and a change request, a space and a collection. */
interface OperationPlace extends Partial<Pick<AnyOptions, 'cache' | 'cacheTags'>> {
  /** Begins the paths. */
  at: string;
  tag: string;
  /** Stands in the summaries. */
  name: string;
  /** Ends the descriptions. */
  note?: string;
  /** The default: an operation may declare its own. */
  access: AccessRule;
}
type OperationPlaces = Record<string, OperationPlace>;

/** An operation on several paths, each with an operationId of its own. */
interface Declaration<P> extends Omit<AnyOptions, 'path' | 'summary' | 'tag' | 'access' | 'cacheTags'> {
  /** The operationIds, by place. */
  ids: Record<keyof P, string>;
  /** The path below the place. */
  path: string;
  summary: (place: string) => string;
  access?: AccessRule;
  /** Takes precedence over `cache`. */
  cacheIn?: { [K in keyof P]?: AnyOptions['cache'] };
}
type Declarations<P> = Record<string, Declaration<P>>;

type OptionsAt<At extends string, D extends { path: string }> = OperationOptions<
  `${At}${D['path']}`,
  D extends { query: infer Q extends QuerySchema } ? Q : z.ZodObject<Record<never, never>>,
  D extends { body: infer B extends z.ZodType } ? B : z.ZodUndefined,
  D extends { response: infer R extends z.ZodType } ? R : z.ZodUndefined
>;

type Pairs<P extends OperationPlaces, D extends Declarations<P>> = {
  [N in keyof D]: { [K in keyof P]: { id: D[N]['ids'][K]; options: OptionsAt<P[K]['at'], D[N]> } }[keyof P];
}[keyof D];

type OperationsAt<P extends OperationPlaces, D extends Declarations<P>> = {
  [E in Pairs<P, D> as E['id']]: E['options'];
};

/** The operations of all places by their operationIds, and the declarations that they were made from. */
export interface AtPlaces<P extends OperationPlaces, D extends Declarations<P>> {
  declarations: D;
  operations: OperationsAt<P, D>;
}

/** Declares operations that each of the places offers. */
export function operationsAtPlaces<const P extends OperationPlaces, const D extends Declarations<P>>(
  places: P,
  declarations: D,
): AtPlaces<P, D> {
  const operations = Object.values(declarations).flatMap(({ ids, ...declaration }) =>
    Object.entries(places).map(([key, place]) => [ids[key], operationAt(key, place, declaration)]),
  );
  return { declarations, operations: Object.fromEntries(operations) };
}

function operationAt(
  key: string,
  place: OperationPlace,
  { cacheIn, ...options }: Omit<Declaration<OperationPlaces>, 'ids'>,
) {
  const { at, tag, name, note, access, cache, cacheTags } = place;
  return operation({
    access,
    cacheTags,
    ...options,
    path: at + options.path,
    summary: options.summary(name),
    description: [options.description, note].filter(Boolean).join(' ') || undefined,
    tag,
    cache: cacheIn?.[key] ?? options.cache ?? cache,
  });
}

/** One handler for each declaration. `C` is what it gets beside the request. */
export type HandlersAt<O, C = Context> =
  O extends AtPlaces<infer P, infer D>
    ? { [N in keyof D]: HandlerOf<HandlersOf<OperationsAt<P, D>>[D[N]['ids'][keyof P]], C, keyof P> }
    : never;

type HandlerOf<H extends (request: never, context: Context) => unknown, C, K> = (
  request: Parameters<H>[0],
  context: C,
  place: K,
) => ReturnType<H>;

/** The handlers of all operations: each is called with the place that the operation is in. */
export function joinHandlers<P extends OperationPlaces, D extends Declarations<P>>(
  { declarations }: AtPlaces<P, D>,
  handlers: HandlersAt<AtPlaces<P, D>>,
): HandlersOf<OperationsAt<P, D>> {
  const joined = Object.entries(declarations).flatMap(([name, { ids }]) => {
    const handler = handlers[name as keyof D];
    return Object.entries(ids).map(([place, id]) => [
      id,
      (request: never, context: Context) => handler(request, context, place),
    ]);
  });
  return Object.fromEntries(joined);
}
