import { newOrganization, newSpace, shared } from './fixtures.js';
import type { Client } from './server.js';

/** A place for comments: a space, or a change request of it. */
export interface CommentPlace {
  space: string;
  /** Relative to the server: `/v1/spaces/…`, with the change request where it is one. */
  at: string;
  changeRequest?: string;
}

/** Both kinds of places, for tests of either. */
export const commentPlaces = ['a space', 'a change request'] as const;

export async function newPlace(
  client: Client,
  organization: string,
  kind: (typeof commentPlaces)[number],
): Promise<CommentPlace> {
  const space = await newSpace(client, organization, { editMode: 'live' });
  const at = `/v1/spaces/${space}`;
  if (kind === 'a space') return { space, at };
  const { body } = await client.post(`${at}/change-requests`, { subject: 'A change' });
  return { space, at: `${at}/change-requests/${body.id}`, changeRequest: body.id };
}

/** Posts a comment; throws for any other answer than the comment. */
export async function posted(client: Client, { at }: CommentPlace, markdown: string, about: object = {}): Promise<any> {
  const { status, body } = await client.post(`${at}/comments`, { body: { markdown }, ...about });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** The ids of a comment with a reply on a space, and of one on a change request of it, by the name of the path parameter. */
export async function newThreads(client: Client, space: string, changeRequest: string) {
  const ids = { commentId: [] as string[], commentReplyId: [] as string[] };
  const [at, body] = [`/v1/spaces/${space}`, { markdown: 'A thread' }];
  for (const place of [at, `${at}/change-requests/${changeRequest}`]) {
    const { id } = (await client.post(`${place}/comments`, { body })).body;
    ids.commentId.push(id);
    ids.commentReplyId.push((await client.post(`${place}/comments/${id}/replies`, { body })).body.id);
  }
  return ids;
}

/** What tests of comments work in: an organization of their own. */
export function commentSetting() {
  const setting = { client: shared(), organization: '' };
  beforeAll(async () => {
    setting.organization = await newOrganization(setting.client);
  });
  return setting;
}
