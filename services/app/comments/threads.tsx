import type { VNode } from 'preact';
import type { CommentReply } from '../../comments/resources.js';
import type { Comment } from '../../content/resources.js';
import { Badge } from '../elements/badge.js';
import { Menu, sign, Time } from '../elements/elements.js';
import { Button, Form } from '../elements/forms.js';
import type { ScreenRequest } from '../frame/screen.js';
import { type Place, pageAddress } from '../reading/places.js';
import { fill } from '../words/languages.js';
import { textsHtml } from './comment-bodies.js';
import { commentCalls } from './comment-calls.js';
import { TextForm, wasRefused } from './comment-forms.js';

/** A comment with everything that its thread shows. */
export interface Thread {
  comment: Comment;
  /** The text as HTML. */
  html: string;
  replies: { reply: CommentReply; html: string }[];
}

/** Replies of a comment that are shown at once. */
const maxReplies = 100;

/** Comments with their replies, and the texts of all of them as HTML. */
export async function threadsOf(request: ScreenRequest, place: Place, comments: readonly Comment[]): Promise<Thread[]> {
  const calls = commentCalls(request, place);
  const replies = await Promise.all(
    comments.map(async ({ id, replies: count }) =>
      count === 0 ? [] : (await calls.replies(id, { limit: maxReplies })).items,
    ),
  );
  const texts = [...comments, ...replies.flat()].map(markdownOf);
  const html = await textsHtml(request, place, texts);
  let at = comments.length;
  return comments.map((comment, index) => ({
    comment,
    html: html[index] ?? '',
    replies: (replies[index] ?? []).map((reply) => ({ reply, html: html[at++] ?? '' })),
  }));
}

const markdownOf = ({ body }: Comment | CommentReply): string => ('markdown' in body ? body.markdown : '');

interface Shown {
  request: ScreenRequest;
  place: Place;
}

interface ThreadProps extends Shown {
  thread: Thread;
  /** Says more about the comment: the verdict of its review. */
  badge?: VNode | null;
}

/** A comment with its replies, and what can be done about them. */
export function ThreadView({ request, place, thread, badge }: ThreadProps): VNode {
  const { comment, html, replies } = thread;
  const { words } = request;
  const { id, status, permissions, resolvedBy } = comment;
  return (
    <article class={`thread ${status}`} id={`comment-${id}`} aria-label={comment.postedBy.displayName}>
      <TargetLine request={request} place={place} comment={comment} />
      <TextView request={request} place={place} text={comment} html={html} about={{ comment: id }}>
        {badge}
        {status === 'resolved' && (
          <Badge kind="success" icon="check">
            {resolvedBy ? fill(words.comments.resolvedBy, resolvedBy.displayName) : words.comments.resolved}
          </Badge>
        )}
      </TextView>
      {replies.map(({ reply, html: text }) => (
        <div class="reply">
          <TextView request={request} place={place} text={reply} html={text} about={{ comment: id, reply: reply.id }} />
        </div>
      ))}
      {comment.replies > replies.length && (
        <p class="hint-text">{fill(words.comments.moreReplies, comment.replies - replies.length)}</p>
      )}
      {permissions.reply && (
        <div class="thread-end">
          <details class="reply-form" open={wasRefused(request, 'reply', { comment: id })}>
            <summary class="button plain">
              {sign('reply')} {words.comments.reply}
            </summary>
            <TextForm
              request={request}
              place={place}
              action="reply"
              id={`reply-${id}`}
              label={words.comments.yourReply}
              button={words.comments.reply}
              hidden={{ comment: id }}
            />
          </details>
          <Form token={request.formToken} action={status === 'open' ? 'resolve' : 'open-again'}>
            <input type="hidden" name="comment" value={id} />
            <Button kind="plain">{status === 'open' ? words.comments.resolve : words.comments.reopen}</Button>
          </Form>
        </div>
      )}
    </article>
  );
}

/** Names what a comment is about, where that is a page. */
function TargetLine({ request, place, comment }: Pick<ThreadProps, 'request' | 'place'> & { comment: Comment }) {
  const { words } = request;
  const { page, node } = comment.target;
  if (!page) return null;
  return (
    <p class="thread-target">
      <a href={pageAddress(request, place, page.path)}>
        {sign('file-lines')} {page.title}
      </a>
      {node && <q>{node.preview}</q>}
      {page.outdated && <Badge kind="warning">{words.comments.outdated}</Badge>}
    </p>
  );
}

interface About {
  comment: string;
  reply?: string;
}

interface TextProps extends Shown {
  text: Comment | CommentReply;
  html: string;
  about: About;
  children?: (VNode | null | undefined | false)[];
}

function TextView({ request, place, text, html, about, children }: TextProps): VNode {
  const { words, locale } = request;
  const { postedBy, postedAt, editedAt, permissions } = text;
  return (
    <div class="text">
      <header class="text-head">
        <strong>
          <bdi>{postedBy.displayName}</bdi>
        </strong>
        <span class="hint-text">
          <Time iso={postedAt} locale={locale} /> {editedAt && `· ${words.comments.editedAt}`}
        </span>
        {children}
        {(permissions.edit || permissions.delete) && (
          <TextMenu request={request} place={place} text={text} about={about} />
        )}
      </header>
      <div class="body text-body" dangerouslySetInnerHTML={{ __html: html }} />
      <Reactions request={request} text={text} about={about} />
    </div>
  );
}

const namesOf = ({ comment, reply }: About): VNode => (
  <>
    <input type="hidden" name="comment" value={comment} />
    {reply !== undefined && <input type="hidden" name="reply" value={reply} />}
  </>
);

/** Editing and deleting a text. */
function TextMenu({ request, place, text, about }: Omit<TextProps, 'html' | 'children'>): VNode {
  const { words, formToken } = request;
  const { edit, delete: remove } = text.permissions;
  const id = about.reply ?? about.comment;
  return (
    <Menu
      label={sign('ellipsis')}
      name={words.frame.more}
      class="text-menu"
      open={wasRefused(request, 'edit-text', { comment: about.comment, reply: about.reply })}
    >
      {edit && (
        <TextForm
          request={request}
          place={place}
          action="edit-text"
          id={`edit-${id}`}
          label={words.comments.edit}
          button={words.comments.save}
          value={markdownOf(text)}
          hidden={{ comment: about.comment, reply: about.reply }}
        />
      )}
      {remove && (
        <Form token={formToken} action="delete-text">
          {namesOf(about)}
          <Button
            kind="danger"
            confirm={about.reply === undefined ? words.comments.deleteAsk : words.comments.deleteReplyAsk}
          >
            {words.comments.delete}
          </Button>
        </Form>
      )}
    </Menu>
  );
}

/** Offered at once; any other emoji that somebody reacted with can be joined. */
const offered = ['👍', '👎', '🎉', '❤️', '😄', '👀'];

function Reactions({ request, text, about }: Pick<TextProps, 'request' | 'text' | 'about'>): VNode | null {
  const { words, session, formToken } = request;
  const { reactions, permissions } = text;
  if (reactions.length === 0 && !permissions.reply) return null;
  const own = new Set(
    reactions.filter(({ users }) => users.some(({ user }) => user.id === session.user.id)).map(({ emoji }) => emoji),
  );
  const others = offered.filter((emoji) => !reactions.some((each) => each.emoji === emoji));
  const button = (emoji: string, count?: number, names?: string) => (
    <Form token={formToken} action={own.has(emoji) ? 'unreact' : 'react'}>
      {namesOf(about)}
      <input type="hidden" name="emoji" value={emoji} />
      <button
        type="submit"
        class="reaction"
        aria-label={names ?? fill(words.comments.reactWith, emoji)}
        aria-pressed={own.has(emoji)}
        title={names}
        disabled={!permissions.reply}
      >
        <span aria-hidden="true">{emoji}</span> {count}
      </button>
    </Form>
  );
  return (
    <div class="reactions">
      {reactions.map(({ emoji, count, users }) =>
        button(emoji, count, `${emoji} ${users.map(({ user }) => user.displayName).join(', ')}`),
      )}
      {permissions.reply && (
        <Menu label={sign('face-smile')} name={words.comments.react} class="react-menu" button="reaction">
          {others.map((emoji) => button(emoji))}
        </Menu>
      )}
    </div>
  );
}
