import { permissionsOf } from '../../../shared/contract/access.js';
import type { Caller } from '../../../shared/contract/caller.js';
import type { Call } from '../../../shared/contract/service.js';
import { invalid } from '../../../shared/errors/errors.js';
import { isPlainText } from '../../../shared/text/plain-text.js';
import { findReaders, readTexts } from '../../content/contract.js';
import { type Comment, type CommentFormat, type SentBody, spaceKind, type Text } from '../../content/resources.js';
import type { ReplyDocument, TextDocument } from './model.js';

/** A user who asks, with their role in the space. */
export interface Reader {
  /** The id of the user. */
  user: string;
  role: string | null;
}

/** The reader behind a call. Whatever an installation may do with the space, it only reads comments. */
export const readerFromCaller = (caller: Caller, role: string | null): Reader => ({
  user: caller.kind === 'user' ? caller.user : '',
  role: caller.kind === 'installation' ? 'read' : role,
});

/** A reader's permissions on a comment or a reply. */
export function readerPermissions(
  { author }: Pick<TextDocument, 'author'>,
  { user, role }: Reader,
): Comment['permissions'] {
  const { view, comment, admin } = permissionsOf(spaceKind, role);
  const edit = comment && author === user;
  return { view, edit, reply: comment, delete: edit || admin };
}

/** A body as it is stored. */
export type StoredBody = Pick<TextDocument, 'body' | 'shown' | 'mentions' | 'bytes'>;

interface Sent {
  organization: string;
  space: string;
  body: SentBody;
}

/** The stored form of a body. Throws 400 for one that cannot be shown. */
export async function prepareBody(call: Call, { organization, space, body }: Sent): Promise<StoredBody> {
  const bytes = Buffer.byteLength(JSON.stringify(body));
  if (body.markdown !== undefined && isPlainText(body.markdown)) return { body, mentions: [], bytes };
  const [read] = await call(readTexts, { organization, texts: [body as Text] });
  if (!read || 'refused' in read) throw invalid(`body.${read?.refused ?? 'required'}`);
  const { markdown, mentions } = read;
  const users = mentions.length > 0 ? await call(findReaders, { organization, space, users: mentions }) : [];
  return { body, ...(markdown === body.markdown ? {} : { shown: markdown }), mentions: users, bytes };
}

/** Bodies as they are shown in a format, in their order; those that have to be converted are asked for at once. */
export async function renderBodies(
  call: Call,
  items: readonly Pick<TextDocument, 'organization' | 'body' | 'shown'>[],
  format: CommentFormat,
): Promise<SentBody[]> {
  if (format === 'markdown') return items.map(({ body, shown }) => ({ markdown: shown ?? body.markdown ?? '' }));
  const [first] = items;
  if (!first) return [];
  const texts = items.map(({ body }) => body as Text);
  const read = await call(readTexts, { organization: first.organization, texts });
  return read.map((each) => ({ document: 'refused' in each ? { object: 'document', nodes: [] } : each.document }));
}

/** The fields of audit records and events that say where a text is. */
export const spaceFields = ({ space, changeRequest }: TextDocument) => ({
  space,
  ...(changeRequest ? { changeRequest } : {}),
});

/** The fields that every event of a comment has. */
export const commentEventPayload = (comment: TextDocument, actor: string) => ({
  organization: comment.organization,
  ...spaceFields(comment),
  comment: comment._id,
  actor,
});

/** The fields that every event of a reply has. */
export const replyEventPayload = (reply: ReplyDocument, actor: string) => ({
  ...commentEventPayload(reply, actor),
  comment: reply.comment,
  reply: reply._id,
});
