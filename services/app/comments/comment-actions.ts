import type { User } from '../../identity/resources.js';
import type { FormFields } from '../frame/form-fields.js';
import { here } from '../frame/here.js';
import type { Onward, ScreenRequest } from '../frame/screen.js';
import type { Place } from '../reading/places.js';
import { commentCalls } from './comment-calls.js';
import { personNamed } from './people.js';

/** A request for a screen of a space, or of a change request of it. */
type OfSpace = ScreenRequest<'/s/{space}'>;
type CommentAction = (request: OfSpace, fields: FormFields) => Promise<Onward>;

/** The actions on the comments that a screen shows; each leads back to the comment that it is about. */
export function commentActions(placeOf: (request: OfSpace) => Promise<Place>): Record<string, CommentAction> {
  const back = (request: OfSpace, comment: string): string => `${here(request)}#comment-${comment}`;
  return {
    async comment(request, fields) {
      const place = await placeOf(request);
      const [page, node] = [fields.optional('about-page'), fields.optional('about-node')];
      const body = { body: await bodyIn(request, place, fields), ...(page ? { page } : {}), ...(node ? { node } : {}) };
      const { id } = await commentCalls(request, place).post(body);
      return { to: back(request, id), done: 'commented' };
    },
    async reply(request, fields) {
      const place = await placeOf(request);
      const comment = fields.text('comment');
      await commentCalls(request, place).reply(comment, { body: await bodyIn(request, place, fields) });
      return { to: back(request, comment), done: 'commented' };
    },
    async 'edit-text'(request, fields) {
      const place = await placeOf(request);
      const { comment, reply } = named(fields);
      const body = { body: await bodyIn(request, place, fields) };
      const calls = commentCalls(request, place);
      if (reply === undefined) await calls.update(comment, body);
      else await calls.updateReply(comment, reply, body);
      return { to: back(request, comment), done: 'saved' };
    },
    async 'delete-text'(request, fields) {
      const calls = commentCalls(request, await placeOf(request));
      const { comment, reply } = named(fields);
      if (reply === undefined) await calls.remove(comment);
      else await calls.removeReply(comment, reply);
      return { to: reply === undefined ? here(request) : back(request, comment), done: 'deleted' };
    },
    async resolve(request, fields) {
      const { comment } = named(fields);
      await commentCalls(request, await placeOf(request)).update(comment, { resolved: true });
      return { to: back(request, comment), done: 'resolved' };
    },
    async 'open-again'(request, fields) {
      const { comment } = named(fields);
      await commentCalls(request, await placeOf(request)).update(comment, { resolved: false });
      return { to: back(request, comment), done: 'reopened' };
    },
    react: (request, fields) => react(request, fields, 'addedReactions'),
    unreact: (request, fields) => react(request, fields, 'removedReactions'),
  };

  async function react(
    request: OfSpace,
    fields: FormFields,
    change: 'addedReactions' | 'removedReactions',
  ): Promise<Onward> {
    const calls = commentCalls(request, await placeOf(request));
    const { comment, reply } = named(fields);
    const body = { [change]: [fields.text('emoji')] };
    if (reply === undefined) await calls.update(comment, body);
    else await calls.updateReply(comment, reply, body);
    return { to: back(request, comment) };
  }
}

const named = (fields: FormFields): { comment: string; reply: string | undefined } => ({
  comment: fields.text('comment'),
  reply: fields.optional('reply'),
});

/** The text of a form. Somebody whose name is in the field beside it, and whom it does not mention yet, is mentioned at its end. */
async function bodyIn(
  request: Pick<ScreenRequest, 'call' | 'words'>,
  place: Place,
  fields: FormFields,
): Promise<{ markdown: string }> {
  const markdown = fields.raw('body').replaceAll('\r\n', '\n').trim();
  const name = fields.optional('mention');
  if (name === undefined) return { markdown };
  const person = await personNamed(request, place, name);
  return { markdown: markdown.includes(`(/users/${person.id})`) ? markdown : `${markdown}\n\n${mentionOf(person)}` };
}

/** A mention of somebody, as texts hold it. */
const mentionOf = ({ id, displayName }: Pick<User, 'id' | 'displayName'>): string =>
  `[@${displayName.replace(/[\\[\]()*_`<>~]/g, '')}](/users/${id})`;
