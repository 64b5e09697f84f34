import { countUnreadNotifications, listNotifications, readNotifications } from '../../comments/contract.js';
import type { Notification } from '../../comments/resources.js';
import { Badge } from '../elements/badge.js';
import { Empty, Heading, Pager, Row, Rows, sign, Time } from '../elements/elements.js';
import { Button, Form } from '../elements/forms.js';
import { here } from '../frame/here.js';
import { type Route, type ScreenRequest, screen } from '../frame/screen.js';
import { fill } from '../words/languages.js';
import type { Words } from '../words/words.js';

const perScreen = 30;

/** The notifications of the person who is signed in: of reviews, mentions, replies, comments. */
export const notificationScreens = (): Route[] => [notifications, openNotification];

const notifications = screen({
  path: '/notifications',
  async show(request) {
    const { call, words, query, formToken } = request;
    const after = query.get('after');
    const { items, next } = await call(listNotifications, { limit: perScreen, ...(after ? { page: after } : {}) });
    // Some may stand on later screens; those that nobody can open count no more once they were to be listed.
    const unread = await call(countUnreadNotifications, {});
    return {
      title: words.notifications.title,
      unread,
      main: (
        <>
          <Heading title={words.notifications.title}>
            {unread > 0 && (
              <Form token={formToken} action="read-all">
                <Button>{words.notifications.markAll}</Button>
              </Form>
            )}
          </Heading>
          {items.length === 0 && <Empty>{words.notifications.none}</Empty>}
          <Rows label={words.notifications.title}>{items.map((item) => notificationRow(request, item))}</Rows>
          <Pager next={next && here(request, { after: next })} text={words.notifications.further} />
        </>
      ),
    };
  },
  actions: {
    async 'read-all'({ call, to }) {
      await call(readNotifications, {});
      return { to: to.notifications, done: 'markedRead' };
    },
    async read(request, fields) {
      await request.call(readNotifications, { ids: [fields.text('notification')] });
      return { to: here(request), done: 'markedRead' };
    },
  },
});

const icons: Record<Notification['kind'], string> = {
  mention: 'at',
  reply: 'reply',
  comment: 'comment',
  'review-request': 'code-pull-request',
  approved: 'check',
  'changes-requested': 'xmark',
  merged: 'code-merge',
};

function notificationRow(request: ScreenRequest, item: Notification) {
  const { words, locale, formToken } = request;
  const { id, kind, space, changeRequest, excerpt, createdAt, read } = item;
  const where = changeRequest
    ? fill(words.notifications.about, `#${changeRequest.number} ${changeRequest.subject}`.trim(), space.title)
    : space.title;
  return (
    <Row
      href={linkTo(request, item)}
      title={sentenceOf(words, item)}
      lead={sign(icons[kind])}
      class={read ? '' : 'unread'}
      about={
        <>
          {excerpt && <span class="excerpt">{excerpt}</span>}
          {where} · <Time iso={createdAt} locale={locale} />
        </>
      }
    >
      {!read && <Badge kind="info">{words.notifications.new}</Badge>}
      {!read && (
        <Form token={formToken} action="read">
          <input type="hidden" name="notification" value={id} />
          <Button kind="plain" name={words.notifications.markRead}>
            {sign('check')}
          </Button>
        </Form>
      )}
    </Row>
  );
}

function sentenceOf({ notifications: texts }: Words, { kind, actor }: Notification): string {
  const name = actor?.displayName ?? '';
  const sentences: Record<Notification['kind'], string> = {
    mention: texts.mention,
    reply: texts.reply,
    comment: texts.comment,
    'review-request': texts.reviewRequested,
    approved: texts.approved,
    'changes-requested': texts.changesRequested,
    merged: name === '' ? texts.merged : texts.mergedBy,
  };
  return fill(sentences[kind], name);
}

/** Leads on to what a notification is about, and notes that it was read. */
const openNotification = screen({
  path: '/notifications/open',
  async show({ call, to, query }) {
    const named = (name: string): string | undefined => /^\w{1,100}$/.exec(query.get(name) ?? '')?.[0];
    const [notification, space, number, comment] = ['notification', 'space', 'number', 'comment'].map(named);
    if (notification !== undefined) await call(readNotifications, { ids: [notification] });
    if (space === undefined) return { to: to.notifications };
    const place = number === undefined ? null : Number(number);
    if (comment !== undefined) return { to: `${to.comments(space, place)}?status=all#comment-${comment}` };
    return { to: place === null ? to.space(space) : to.changeRequest(space, place) };
  },
});

function linkTo({ to }: Pick<ScreenRequest, 'to'>, { id, space, changeRequest, comment }: Notification): string {
  const about = new URLSearchParams({ notification: id, space: space.id });
  if (changeRequest) about.set('number', String(changeRequest.number));
  if (comment !== undefined) about.set('comment', comment);
  return `${to.notifications}/open?${about}`;
}
