import type { z } from 'zod';
import type { OperationOptions, PathParameters, QuerySchema } from '../../../../shared/contract/operation.js';
import { readingSpace } from '../../core/contract/access-rules.js';

/** Where content is read. `name` stands in summaries; `note` ends each description. */
const places = {
  current: { at: '/spaces/{spaceId}/content', tag: 'Content', name: 'a space', note: undefined },
  revision: {
    at: '/spaces/{spaceId}/revisions/{revisionId}',
    tag: 'Revisions',
    name: 'a revision',
    note:
      'Visitors of a site read the current revision only. The id of the one before it gives them the current one; older ones ' +
      'are 404. In a preview they also read the revision that it names and the current revisions of change requests.',
  },
  changeRequest: {
    at: '/spaces/{spaceId}/change-requests/{changeRequestId}/content',
    tag: 'Change requests',
    name: 'a change request',
    note: 'The change request is named by its id or its number. Visitors of a site read change requests in previews only.',
  },
} as const;

type Places = typeof places;
type Place = keyof Places;
type Ids = Record<Exclude<Place, 'current'>, string>;

type ChangeRequestPath = PathParameters<Places['changeRequest']['at']>;

/** The tag in the caches of renderers. */
const changeRequestTag = ({ spaceId, changeRequestId }: ChangeRequestPath) =>
  `space:${spaceId}:change-request:${changeRequestId}`;

/** What is read in each place, by an operation of its own. */
interface Read<I extends Ids, Below extends string, Q extends QuerySchema, R extends z.ZodType> {
  /** The operationIds in the other places than the current content. */
  ids: I;
  /** The path below the place. */
  below: Below;
  summary: (place: string) => string;
  description?: string;
  query: Q;
  response: R;
  /** The answer for a revision may be kept forever. In the other places it is versioned. */
  immutable?: true;
}

/** Declares what is read in each place. */
export const inEachPlace = <
  const I extends Ids,
  const Below extends string,
  Q extends QuerySchema,
  R extends z.ZodType,
>(
  read: Read<I, Below, Q, R>,
): Read<I, Below, Q, R> => read;

type Reads = Record<string, Read<Ids, string, QuerySchema, z.ZodType>>;

type Placed<R extends Reads> = {
  [N in keyof R & string]: {
    [P in Place]: { id: (R[N]['ids'] & { current: N })[P]; at: Places[P]['at']; read: R[N] };
  }[Place];
}[keyof R & string];

/** The operations that read in each place. */
type OperationsOf<R extends Reads> = {
  [E in Placed<R> as E['id']]: OperationOptions<
    `${E['at']}${E['read']['below']}`,
    E['read']['query'],
    z.ZodUndefined,
    E['read']['response']
  >;
};

/** The operations of everything that is read in each place. */
export function operationsOf<R extends Reads>(reads: R): OperationsOf<R> {
  const operations = Object.entries(reads).flatMap(([current, read]) =>
    Object.entries({ current, ...read.ids }).map(([place, id]) => [id, operationIn(place as Place, read)]),
  );
  return Object.fromEntries(operations) as OperationsOf<R>;
}

function operationIn(
  place: Place,
  { below, summary, description, query, response, immutable }: Reads[string],
): OperationOptions<string, QuerySchema, z.ZodUndefined, z.ZodType> {
  const { at, tag, name, note } = places[place];
  const described = [description, note].filter((text) => text !== undefined).join(' ');
  return {
    method: 'GET',
    path: at + below,
    summary: summary(name),
    ...(described ? { description: described } : {}),
    tag,
    access: readingSpace,
    query,
    status: 200,
    response,
    cache: immutable && place === 'revision' ? 'immutable' : 'versioned',
    ...(place === 'changeRequest' ? { cacheTags: ({ path }) => [changeRequestTag(path as ChangeRequestPath)] } : {}),
  };
}
