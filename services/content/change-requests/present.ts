import type { Call } from '../../../shared/contract/service.js';
import { findUsers } from '../../identity/contract.js';
import type { User } from '../../identity/resources.js';
import type { ContentDependencies } from '../dependencies.js';
import { spaces } from '../tree/model.js';
import type { ChangeRequestDocument } from './model.js';
import type { ChangeRequest } from './resources.js';

type Dependencies = Pick<ContentDependencies, 'store' | 'baseUrl'>;

/** The users with these ids, asked for at once. A function that throws for none of them. */
export async function usersNamed(
  call: Call,
  organization: string,
  ids: readonly string[],
): Promise<(id: string) => User> {
  const found = ids.length > 0 ? await call(findUsers, { organization, ids: [...new Set(ids)] }) : [];
  const known = new Map(found.map((user) => [user.id, user]));
  return (id) => known.get(id) as User;
}

export const changeRequestUrl = (
  baseUrl: string,
  { space, _id }: Pick<ChangeRequestDocument, 'space' | '_id'>,
): string => `${baseUrl}/v1/spaces/${space}/change-requests/${_id}`;

/** Change requests of one space, in their order. */
export async function presentChangeRequests(
  { store, baseUrl }: Dependencies,
  { call, organization, items }: { call: Call; organization: string; items: ChangeRequestDocument[] },
): Promise<ChangeRequest[]> {
  const [first] = items;
  if (!first) return [];
  const [space, userBy] = await Promise.all([
    store.get(spaces, first.space, { fields: ['revision'] }),
    usersNamed(
      call,
      organization,
      items.map(({ createdBy }) => createdBy),
    ),
  ]);
  return items.map((item) => {
    const { _id: id, number, status, subject, createdAt, updatedAt, revision, initial, base, merged } = item;
    return {
      object: 'change-request',
      id,
      number,
      status,
      subject,
      createdBy: userBy(item.createdBy),
      createdAt,
      updatedAt,
      space: item.space,
      revision,
      revisionInitial: initial,
      ...(base === initial ? {} : { revisionMergedAncestor: base }),
      ...(merged ? { revisionMerged: merged } : {}),
      comments: 0,
      outdated: status !== 'merged' && space?.revision !== base,
      urls: {
        app: `${baseUrl}/app/s/${item.space}/~/changes/${number}`,
        location: changeRequestUrl(baseUrl, item),
      },
    };
  });
}

export async function presentChangeRequest(
  deps: Dependencies,
  { item, ...rest }: { call: Call; organization: string; item: ChangeRequestDocument },
): Promise<ChangeRequest> {
  const [presented] = await presentChangeRequests(deps, { ...rest, items: [item] });
  return presented as ChangeRequest;
}
