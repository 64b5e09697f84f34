import type { Context } from '../../../../shared/contract/service.js';
import { estimateMemory } from '../../../../shared/process/memory.js';
import type { Derivation, HasStore } from '../../../../shared/store/port.js';
import { openUserLookup } from '../../../identity/contract.js';
import { currentRevision, spaces } from '../nodes/model.js';
import type { RevisionDocument } from '../revisions/model.js';
import { openCommentCounts } from '../spaces/presenting/open-comments.js';
import { type ChangeRequestDocument, changeRequests } from './model.js';
import type { ChangeRequest } from './resources.js';

type Dependencies = HasStore & { baseUrl: string };
type Presenting = Pick<Context, 'call' | 'caller' | 'access'>;

export const changeRequestUrl = (
  baseUrl: string,
  { space, _id }: Pick<ChangeRequestDocument, 'space' | '_id'>,
): string => `${baseUrl}/v1/spaces/${space}/change-requests/${_id}`;

/** Change requests of one organization, in their order. */
export async function presentChangeRequests(
  { store, baseUrl }: Dependencies,
  items: ChangeRequestDocument[],
  context: Presenting,
): Promise<ChangeRequest[]> {
  if (items.length === 0) return [];
  const { call, access } = context;
  const of = [...new Set(items.map(({ space }) => space))];
  const [current, userBy, commentsOn] = await Promise.all([
    store.derive(spaces, of, currentRevision),
    openUserLookup(
      call,
      access.organization,
      items.map(({ createdBy }) => createdBy),
    ),
    openCommentCounts(context, items),
  ]);
  const currentOf = new Map(of.map((space, at) => [space, current[at]]));
  return items.map((item) => {
    const { _id: id, number, status, subject, createdAt, updatedAt, revision, initial, base, merged } = item;
    return {
      object: 'change-request',
      id,
      number,
      status,
      subject,
      ...(item.description ? { description: item.description } : {}),
      ...(item.links?.length ? { links: item.links } : {}),
      createdBy: userBy(item.createdBy),
      createdAt,
      updatedAt,
      space: item.space,
      revision,
      revisionInitial: initial,
      ...(base === initial ? {} : { revisionMergedAncestor: base }),
      ...(merged ? { revisionMerged: merged } : {}),
      comments: commentsOn(id),
      outdated: status !== 'merged' && currentOf.get(item.space) !== base,
      urls: {
        app: `${baseUrl}/app/s/${item.space}/~/changes/${number}`,
        location: changeRequestUrl(baseUrl, item),
      },
    };
  });
}

export async function presentChangeRequest(
  deps: Dependencies,
  item: ChangeRequestDocument,
  context: Presenting,
): Promise<ChangeRequest> {
  const [presented] = await presentChangeRequests(deps, [item], context);
  return presented as ChangeRequest;
}

/** A change request as it is stored. */
const whole: Derivation<ChangeRequestDocument, ChangeRequestDocument> = {
  kind: 'whole',
  make: (document) => document,
  sizeOf: ({ subject, description, links, contributors }) =>
    1_000 +
    2 * subject.length +
    50 * contributors.length +
    (description ? estimateMemory(description) : 0) +
    (links ? estimateMemory(links) : 0),
};

/** The change request that a revision is the merge of; visitors of a site are not shown it. */
export async function presentMergedFrom(
  deps: Dependencies,
  { mergedFrom }: Pick<RevisionDocument, 'mergedFrom'>,
  context: Presenting,
): Promise<{ mergedFrom?: ChangeRequest }> {
  if (mergedFrom === undefined || context.caller.kind === 'content') return {};
  const [item] = await deps.store.derive(changeRequests, [mergedFrom], whole);
  return item ? { mergedFrom: await presentChangeRequest(deps, item, context) } : {};
}
