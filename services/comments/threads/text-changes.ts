import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../shared/contract/service.js';
import { forbidden } from '../../../shared/errors/errors.js';
import type { Update, Write } from '../../../shared/store/port.js';
import type { SentBody } from '../../content/resources.js';
import { countResizeWrites } from '../places/places.js';
import type { TextDocument } from '../texts/model.js';
import { planReactionChanges, type ReactionChanges } from '../texts/reactions.js';
import { prepareBody, type Reader, readerPermissions, type StoredBody } from '../texts/texts.js';

/** Changes that a request asks for in a comment or in a reply. */
export interface TextRequest {
  body?: SentBody | undefined;
  addedReactions?: string[] | undefined;
  removedReactions?: string[] | undefined;
}

/** The new body of a text. Throws 403 to everybody but its author. */
export async function prepareEditedBody(
  text: TextDocument,
  { body, reader }: { body: SentBody; reader: Reader },
  { call }: Pick<Context, 'call'>,
): Promise<StoredBody> {
  if (!readerPermissions(text, reader).edit) throw forbidden('body: only its author may change it', 'missing_right');
  return prepareBody(call, { organization: text.organization, space: text.space, body });
}

export interface TextChanges {
  /** Undefined where nothing changes. */
  update: Update<TextDocument> | undefined;
  /** Fields that the stored text must still have, so that no other edit is lost. */
  expected: Partial<Pick<TextDocument, 'editedAt'>>;
  isEdited: boolean;
  /** Users whom it mentions now and did not before. */
  mentions: string[];
  reactions: ReactionChanges;
  writes: Write[];
}

interface Changing {
  request: TextRequest;
  /** The new body, if any. */
  body: StoredBody | undefined;
  user: string;
  at: string;
}

/** Works out the changes that a request makes to a text as it is stored now. */
export function planTextChanges(text: TextDocument, { request, body, user, at }: Changing): TextChanges {
  const reactions = planReactionChanges(text.reactions, request, { user, at });
  const edit = body && !isDeepStrictEqual(body.body, text.body) ? body : undefined;
  const { $min, $unset } = reactions.update;
  const removed = { ...$unset, ...(edit && edit.shown === undefined ? { shown: true as const } : {}) };
  const update: Update<TextDocument> = {
    ...(edit ? { $set: { ...edit, editedAt: at } } : {}),
    ...($min ? { $min } : {}),
    ...(Object.keys(removed).length > 0 ? { $unset: removed } : {}),
  };
  return {
    update: Object.keys(update).length > 0 ? update : undefined,
    expected: edit ? { editedAt: text.editedAt ?? (null as never) } : {},
    isEdited: edit !== undefined,
    mentions: (edit?.mentions ?? []).filter((each) => !text.mentions.includes(each)),
    reactions,
    writes: edit ? countResizeWrites(text, edit.bytes) : [],
  };
}

export const hasReactionChanges = ({ added, removed }: ReactionChanges): boolean => added.length + removed.length > 0;
