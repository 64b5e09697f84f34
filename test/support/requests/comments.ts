import {
  commenterOperations,
  commentOperations,
  replyOperations,
} from '../../../services/comments/contract/operations.js';
import { content, filledSpace } from './content.js';
import { idOf, type Make, once, type Particulars, type Resources } from './setting.js';

const changeRequest = content.parameters.changeRequestId?.any as Make;

/** A comment in a place, written by the caller, who may lack the right to write it: then by the admin. */
const commentIn =
  (place: Make): Make =>
  async (setting, caller) => {
    const path = `${await place(setting, caller)}/comments`;
    const comment = { body: { markdown: 'A sample' } };
    const own = await caller.client.post(path, comment);
    return own.status === 200 ? own.body.id : idOf(setting.admin.post(path, comment));
  };

const declarations = {
  ...commentOperations.declarations,
  ...replyOperations.declarations,
  ...commenterOperations.declarations,
};

const space: Make = async (setting, caller) => `/v1/spaces/${await filledSpace(setting, caller)}`;
const ofChangeRequest: Make = async (setting, caller) =>
  `${await space(setting, caller)}/change-requests/${await changeRequest(setting, caller)}`;

interface Thread {
  comment: Make;
  reply: Make;
}

/** A comment in a place, and a reply to it, which its caller may delete. */
function threadIn(place: Make): Thread {
  const latest = new Map<string, string>();
  const comment: Make = async (setting, caller) => {
    const id = await commentIn(place)(setting, caller);
    latest.set(caller.id, id);
    return id;
  };
  const reply: Make = async (setting, caller) => {
    const path = `${await place(setting, caller)}/comments/${latest.get(caller.id)}/replies`;
    const sent = { body: { markdown: 'A sample' } };
    const own = await caller.client.post(path, sent);
    return own.status === 200 ? own.body.id : idOf(setting.admin.post(path, sent));
  };
  return { comment, reply };
}

/** Each operation needs a comment of its own place. */
const particularsIn = (kind: 'space' | 'changeRequest', place: Make): [string, Particulars][] => {
  const { comment, reply } = threadIn(place);
  const use = {
    spaceId: filledSpace,
    ...(kind === 'changeRequest' ? { changeRequestId: changeRequest } : {}),
    commentId: comment,
    commentReplyId: reply,
  };
  return Object.values(declarations).map(({ ids }) => [ids[kind], { use }]);
};

export const comments: Resources = {
  parameters: {
    commentId: { any: once(commentIn(space)) },
    commentReplyId: { any: once(async () => 'none') },
  },
  particulars: Object.fromEntries([
    ...particularsIn('space', space),
    ...particularsIn('changeRequest', ofChangeRequest),
  ]),
};
