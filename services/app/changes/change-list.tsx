import { contentContract } from '../../content/contract.js';
import type { ChangeRequest } from '../../content/resources.js';
import { Empty, Heading, Pager, Row, Rows, sign, Time } from '../elements/elements.js';
import { Button, Field, Form } from '../elements/forms.js';
import { here } from '../frame/here.js';
import { type ScreenRequest, screen } from '../frame/screen.js';
import { placeAround } from '../reading/around.js';
import { spacePlace } from '../reading/places.js';
import { fill } from '../words/languages.js';
import type { Words } from '../words/words.js';
import { StatusBadge, subjectOf } from './change-status.js';

const statuses = ['open', 'draft', 'merged', 'archived'] as const;
type Status = (typeof statuses)[number];

const perScreen = 30;

/** The change requests of a space, by their status. */
export const changeList = screen({
  path: '/s/{space}/~/changes',
  async show(request) {
    const { call, words, query, path, session, to } = request;
    const status = statuses.find((each) => each === query.get('status')) ?? 'open';
    const [after, mine] = [query.get('after'), query.get('mine') !== null];
    const place = await spacePlace(request, path.space);
    const { items, next } = await call(contentContract.listChangeRequestsForSpace, {
      path: { spaceId: path.space },
      query: {
        status,
        limit: perScreen,
        ...(after ? { page: after } : {}),
        ...(mine ? { contributor: session.user.id } : {}),
      },
    });
    return {
      title: words.changes.title,
      ...placeAround(request, place),
      main: (
        <>
          <Heading title={words.changes.title}>
            {place.space.permissions.edit && (
              <a class="button primary" href={to.newChangeRequest(path.space)}>
                {sign('plus')} {words.changes.newTitle}
              </a>
            )}
          </Heading>
          {filters(request, status, mine)}
          {items.length === 0 && <Empty>{noneOf(words, status)}</Empty>}
          <Rows label={words.changes.title}>{items.map((item) => changeRow(request, item))}</Rows>
          <Pager next={next && here(request, { after: next.page })} text={words.changes.further} />
        </>
      ),
    };
  },
});

function filters(request: ScreenRequest, status: Status, mine: boolean) {
  const { words } = request;
  return (
    <nav class="filters" aria-label={words.changes.filter}>
      {statuses.map((each) => (
        <a href={here(request, { status: each, after: null })} aria-current={each === status ? 'true' : undefined}>
          {words.changes[each]}
        </a>
      ))}
      <a class="filter-end" href={here(request, { mine: mine ? null : '1', after: null })}>
        {mine ? words.changes.everybody : words.changes.mine}
      </a>
    </nav>
  );
}

function noneOf({ changes }: Words, status: Status): string {
  const texts = {
    open: changes.noneOpen,
    draft: changes.noneDraft,
    merged: changes.noneMerged,
    archived: changes.noneArchived,
  };
  return texts[status];
}

function changeRow(request: ScreenRequest, item: ChangeRequest) {
  const { words, to, locale } = request;
  const { space, number, createdBy, updatedAt, comments, status } = item;
  return (
    <Row
      href={to.changeRequest(space, number)}
      title={subjectOf(words, item)}
      lead={sign('code-pull-request')}
      about={
        <>
          {fill(words.changes.byAuthor, number, createdBy.displayName)} · <Time iso={updatedAt} locale={locale} short />
          {comments > 0 && ` · ${fill(words.changes.openComments, comments)}`}
        </>
      }
    >
      <StatusBadge words={words} status={status} />
    </Row>
  );
}

/** Starts a change request; `?page=` leads on to the editor of that page, `?pages` to where pages are added. */
export const newChange = screen({
  path: '/s/{space}/~/changes/new',
  async show(request) {
    const { words, formToken, refused, path } = request;
    const place = await spacePlace(request, path.space);
    return {
      title: words.changes.newTitle,
      ...placeAround(request, place, [{ title: words.changes.title, href: request.to.changeRequests(path.space) }]),
      main: (
        <>
          <Heading title={words.changes.newTitle} lead={words.changes.newLead} />
          <Form token={formToken} action="create" class="narrow">
            <Field
              label={words.changes.subject}
              name="subject"
              hint={words.changes.subjectHint}
              maxLength={100}
              value={refused?.fields.text('subject')}
              autofocus
            />
            <Button kind="primary">{words.changes.create}</Button>
          </Form>
        </>
      ),
    };
  },
  actions: {
    async create({ call, path, query, to }, fields) {
      const body = { subject: fields.text('subject') };
      const { number } = await call(contentContract.createChangeRequest, { path: { spaceId: path.space }, body });
      const page = query.get('page');
      if (page !== null) return { to: to.edit(path.space, number, page) };
      if (query.has('pages')) return { to: to.tree(path.space, number) };
      return { to: to.changeRequest(path.space, number), done: 'created' };
    },
  },
});
