import type { z } from 'zod';
import { by } from '../../../shared/contract/access.js';
import { type OperationOptions, operation, type QuerySchema } from '../../../shared/contract/operation.js';
import { spaceKind } from '../../content/resources.js';

/** Where comments stand: on the primary content of a space, or on a change request. */
const places = {
  InSpace: { at: '/spaces/{spaceId}', tag: 'Space comments', name: 'a space', note: undefined },
  InChangeRequest: {
    at: '/spaces/{spaceId}/change-requests/{changeRequestId}',
    tag: 'Change request comments',
    name: 'a change request',
    note: 'The change request is named by its id or its number.',
  },
} as const;

type Places = typeof places;
export type Place = keyof Places;

/** An operation in either place; `path` is below the place. */
type Placeable<Below extends string, Q extends QuerySchema, B extends z.ZodType, R extends z.ZodType> = Omit<
  OperationOptions<Below, Q, B, R>,
  'access' | 'tag' | 'summary'
> & {
  summary: (place: string) => string;
  /** The right on the space. */
  need: 'view' | 'comment';
};

/** Declares an operation for both places. */
export function inEitherPlace<
  const Below extends string,
  Q extends QuerySchema = z.ZodObject<Record<never, never>>,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodUndefined,
>(placeable: Placeable<Below, Q, B, R>): Placeable<Below, Q, B, R> {
  return placeable;
}

// biome-ignore lint/suspicious/noExplicitAny: schemas are invariant in their types, so "any operation" needs it
type AnyPlaceable = Placeable<any, any, any, any>;

type Placed<D extends AnyPlaceable, P extends Place> =
  D extends Placeable<infer Below, infer Q, infer B, infer R>
    ? OperationOptions<`${Places[P]['at']}${Below}`, Q, B, R>
    : never;

/** The operations in both places: `postComment` becomes `postCommentInSpace` and `postCommentInChangeRequest`. */
export type InBothPlaces<D extends Record<string, AnyPlaceable>> = {
  [N in keyof D & string as `${N}InSpace`]: Placed<D[N], 'InSpace'>;
} & {
  [N in keyof D & string as `${N}InChangeRequest`]: Placed<D[N], 'InChangeRequest'>;
};

export function inBothPlaces<D extends Record<string, AnyPlaceable>>(declared: D): InBothPlaces<D> {
  const operations = Object.entries(declared).flatMap(([name, options]) =>
    Object.entries(places).map(([place, where]) => [name + place, placedIn(where, options)]),
  );
  return Object.fromEntries(operations) as InBothPlaces<D>;
}

function placedIn(
  { at, tag, name, note }: Places[Place],
  { path, summary, description, need, ...options }: AnyPlaceable,
) {
  const described = [description, note].filter((text) => text !== undefined).join(' ');
  return operation({
    ...options,
    path: at + path,
    summary: summary(name),
    ...(described ? { description: described } : {}),
    tag,
    access: { ...by(['user'], need === 'view' ? 'space:content:read' : undefined), on: spaceKind, id: 'spaceId', need },
  });
}
