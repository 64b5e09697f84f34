import type { Told } from './telling.js';

/** What every domain event about a comment or reply has. */
export interface AboutComment {
  organization: string;
  space: string;
  changeRequest?: string | undefined;
  comment: string;
  reply?: string;
  page?: string | undefined;
  actor: string;
}

/** What integrations are told of comments and replies. `ids` are those of the domain events. */
export const toldOfComments = (type: string, payloads: readonly AboutComment[], ids: readonly string[]): Told[] =>
  payloads.map(({ organization, space, changeRequest, comment, reply, page, actor }, at) => ({
    id: ids[at] as string,
    organization,
    kind: 'space',
    target: space,
    scope: 'space:content:read',
    type,
    data: {
      commentId: comment,
      ...(reply === undefined ? {} : { replyId: reply }),
      ...(changeRequest === undefined ? {} : { changeRequestId: changeRequest }),
      ...(page === undefined ? {} : { pageId: page }),
      userId: actor,
    },
  }));
