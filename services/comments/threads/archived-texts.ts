import { z } from 'zod';
import { type ArchiveList, archiveList } from '../../../shared/contract/archive.js';
import type { HasCallAsSystem } from '../../../shared/contract/context.js';
import { timestampSchema } from '../../../shared/contract/fields.js';
import type { HasOutbox } from '../../../shared/jobs/outbox.js';
import { type Filter, type HasStore, type Write, write } from '../../../shared/store/port.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import { sentBodySchema } from '../../content/resources.js';
import { findPrincipals } from '../../identity/contract.js';
import { commenters } from '../places/model.js';
import { commenterId, countAdditionWrites } from '../places/places.js';
import { type CommentDocument, comments, type ReplyDocument, replies, type TextDocument } from '../texts/model.js';
import { prepareBody } from '../texts/texts.js';

type Dependencies = HasCallAsSystem & HasOutbox;

const id = z.string().min(1).max(100);
const name = z.string().max(10_000);

const textFields = {
  id,
  space: id,
  author: id,
  postedAt: timestampSchema,
  editedAt: timestampSchema.optional(),
  body: sentBodySchema,
  reactions: z.record(z.string().regex(/^[0-9a-f_]{2,100}$/), z.record(id, timestampSchema)).optional(),
};

const pageSchema = z.strictObject({
  id,
  title: name,
  emoji: name.optional(),
  icon: name.optional(),
  createdAt: timestampSchema.optional(),
  updatedAt: timestampSchema.optional(),
  path: name,
});

const commentLine = z.strictObject({
  ...textFields,
  status: z.enum(['open', 'resolved']),
  resolvedAt: timestampSchema.optional(),
  resolvedBy: id.optional(),
  revision: id,
  page: id.optional(),
  seen: z.strictObject({ page: pageSchema, document: id.optional() }).optional(),
  node: z.strictObject({ id: name, preview: name }).optional(),
});

const replyLine = z.strictObject({ ...textFields, comment: id });

/** On the content of spaces: change requests are in no archive. */
const onSpaces = <D extends TextDocument>(organization: string) =>
  ({ organization, changeRequest: { $exists: false } }) as Filter<D>;

const describeText = (text: TextDocument) => ({
  id: text._id,
  space: text.space,
  author: text.author,
  postedAt: text.postedAt,
  editedAt: text.editedAt,
  body: text.body,
  reactions: text.reactions,
});

const describeComment = (comment: CommentDocument) =>
  omitUndefined({
    ...describeText(comment),
    status: comment.status,
    resolvedAt: comment.resolvedAt,
    resolvedBy: comment.resolvedBy,
    revision: comment.revision,
    page: comment.page,
    seen: comment.seen,
    node: comment.node,
  });

const describeReply = (reply: ReplyDocument) => omitUndefined({ ...describeText(reply), comment: reply.comment });

/** The text of a line; how it is shown is not taken from the archive. */
const restoreText = <L extends { id: string; space: string }>({ id: _id, ...line }: L, organization: string) => ({
  ...omitUndefined(line),
  _id,
  organization,
  place: line.space,
  mentions: [],
  bytes: 0,
});

/** Makes the bodies safe to show, and counts them, as of texts that are posted. */
async function prepareTexts<D extends TextDocument>({ callAsSystem }: HasCallAsSystem, texts: D[]): Promise<D[]> {
  const prepared: D[] = [];
  for (const text of texts) {
    const sent = await prepareBody(callAsSystem(), text).catch((error: Error) => {
      throw new Error(`the body of ${text._id} cannot be shown: ${error.message}`);
    });
    prepared.push({ ...text, ...sent });
  }
  return prepared;
}

/** The writes that count texts; authors who are no members any more are not offered as commenters. */
async function additionWrites(deps: Dependencies, texts: TextDocument[]): Promise<Write[]> {
  const [first] = texts;
  if (!first) return [];
  const { organization } = first;
  const users = [...new Set(texts.map(({ author }) => author))];
  const { members } = await deps.callAsSystem()(findPrincipals, { organization, users, teams: [] });
  const present = new Set(members.map(({ user }) => user));
  const absent = texts
    .filter(({ author }) => !present.has(author))
    .map(({ place, author }) => commenterId(place, author));
  return [
    ...texts.flatMap((text) => countAdditionWrites(deps, text)),
    ...(absent.length > 0
      ? [write.update(commenters, { _id: { $in: [...new Set(absent)] } }, { $set: { left: true } })]
      : []),
  ];
}

const commentsFile = 'comments.ndjson';

/** The files of an archive that hold what people wrote about the content of spaces. */
export const archivedTexts: readonly ArchiveList<Dependencies>[] = [
  archiveList({
    file: commentsFile,
    collection: comments,
    filterOf: onSpaces<CommentDocument>,
    describe: describeComment,
    line: commentLine,
    names: ({ space }) => [{ field: 'space', file: 'spaces', id: space }],
    restore: (line, { organization }): CommentDocument => ({ ...restoreText(line, organization), replies: 0 }),
    complete: prepareTexts,
    besides: (deps: HasStore & Dependencies, added) => additionWrites(deps, added),
  }),
  archiveList({
    file: 'replies.ndjson',
    collection: replies,
    filterOf: onSpaces<ReplyDocument>,
    describe: describeReply,
    line: replyLine,
    names: ({ space, comment }) => [
      { field: 'space', file: 'spaces', id: space },
      { field: 'comment', file: commentsFile, id: comment },
    ],
    restore: (line, { organization }): ReplyDocument => restoreText(line, organization),
    complete: prepareTexts,
    besides: async (deps: HasStore & Dependencies, added) => [
      ...(await additionWrites(deps, added)),
      ...added.map(({ comment: _id }) => write.update(comments, { _id }, { $inc: { replies: 1 } }, { expect: 1 })),
    ],
  }),
];
