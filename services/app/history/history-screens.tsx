import type { VNode } from 'preact';
import { failureOf } from '../../../shared/errors/errors.js';
import { contentContract, listDifferences } from '../../content/contract.js';
import type { HistoryItem } from '../../content/resources.js';
import { comparisonOfRevisions } from '../differences/comparison.js';
import { DifferenceList } from '../differences/difference-list.js';
import { pageDifference } from '../differences/page-difference.js';
import { Badge } from '../elements/badge.js';
import { Empty, Heading, Notice, Pager, Row, Rows, sign, Time } from '../elements/elements.js';
import { Button, Form } from '../elements/forms.js';
import { here } from '../frame/here.js';
import { type Route, type ScreenRequest, screen } from '../frame/screen.js';
import { placeAround } from '../reading/around.js';
import { type Place, spacePlace } from '../reading/places.js';

/** The history of a space: its versions, what each changed, and restoring one. */
export const historyScreens = (): Route[] => [historyList, comparing, comparingPage, restoring];

const perScreen = 30;

const historyList = screen({
  path: '/s/{space}/~/history',
  async show(request) {
    const { call, words, path, query, to } = request;
    const after = query.get('after');
    const place = await spacePlace(request, path.space);
    const [from, later] = [query.get('from'), query.get('to')];
    if (from !== null || later !== null)
      return {
        to: `${to.compare(path.space)}?${new URLSearchParams({ ...(from && { from }), ...(later && { to: later }) })}`,
      };
    const { items, next } = await call(contentContract.listRevisions, {
      path: { spaceId: path.space },
      query: { limit: perScreen, ...(after ? { page: after } : {}) },
    });
    return {
      title: words.history.title,
      ...placeAround(request, place),
      main: (
        <>
          <Heading title={words.history.title} lead={words.history.lead} />
          {items.length === 0 && <Empty>{words.history.none}</Empty>}
          <form action={to.compare(path.space)}>
            <Rows label={words.history.title}>{items.map((item) => versionRow(request, place, item))}</Rows>
            {items.length > 1 && (
              <p class="pager">
                <Button>{words.history.compare}</Button>
              </p>
            )}
          </form>
          <Pager next={next && here(request, { after: next.page })} text={words.history.further} />
        </>
      ),
    };
  },
});

const icons: Record<HistoryItem['type'], string> = {
  edits: 'pen',
  merge: 'code-merge',
  rollback: 'clock-rotate-left',
  update: 'arrows-rotate',
  computed: 'gears',
};

function versionRow(request: ScreenRequest, { space }: Place, item: HistoryItem): VNode {
  const { words, to, locale } = request;
  const { revision, type, author, subject, createdAt, changeRequest } = item;
  const isCurrent = revision === space.revision;
  return (
    <Row
      href={`${to.compare(space.id)}?to=${revision}`}
      title={subject ?? words.history[type]}
      lead={sign(icons[type])}
      about={
        <>
          {author?.displayName ?? words.history.bySystem} · <Time iso={createdAt} locale={locale} />
        </>
      }
    >
      <Choice request={request} name="from" revision={revision} at={createdAt} />
      <Choice request={request} name="to" revision={revision} at={createdAt} />
      {changeRequest !== undefined && (
        <a class="button plain" href={to.changeRequest(space.id, changeRequest)}>
          {words.history.merge}
        </a>
      )}
      {isCurrent && <Badge kind="success">{words.history.current}</Badge>}
      <a class="button plain" href={to.revision(space.id, revision)}>
        {words.history.read}
      </a>
      {!isCurrent && space.permissions.merge && (
        <a class="button plain" href={to.restore(space.id, revision)}>
          {words.history.restore}
        </a>
      )}
    </Row>
  );
}

/** Chooses a version as one side of a comparison. */
function Choice({ request: { words, locale }, name, revision, at }: ChoiceProps): VNode {
  const text = name === 'from' ? words.history.compareFrom : words.history.compareTo;
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return (
    <label class="compare-choice">
      <input type="radio" name={name} value={revision} aria-label={`${text} ${moment.format(new Date(at))}`} /> {text}
    </label>
  );
}

interface ChoiceProps {
  request: ScreenRequest;
  name: 'from' | 'to';
  revision: string;
  at: string;
}

/** Reads which revisions are compared: without `to`, the current content. */
function comparisonIn(request: ScreenRequest, place: Place) {
  const { query, to } = request;
  const from = query.get('from')?.slice(0, maxId) || undefined;
  return comparisonOfRevisions(to, place, { from, to: query.get('to')?.slice(0, maxId) || place.space.revision });
}

const maxId = 100;

/** Everything in which two revisions differ; without `from`, a revision is compared with the one that it was made from. */
const comparing = screen({
  path: '/s/{space}/~/compare',
  async show(request) {
    const { call, words, path, to } = request;
    const place = await spacePlace(request, path.space);
    const comparison = comparisonIn(request, place);
    const differences = await call(listDifferences, comparison.asked).then(
      (listed) => listed.decode(),
      (error) => {
        if (failureOf(error).reason === 'revision_not_kept') return undefined;
        throw error;
      },
    );
    const { revision = '' } = comparison.place;
    return {
      title: words.differences.title,
      ...around(request, place),
      main: (
        <>
          <Heading title={words.differences.title}>
            <a class="button" href={to.revision(path.space, revision)}>
              {sign('book-open')} {words.history.read}
            </a>
            {place.space.permissions.merge && revision !== place.space.revision && (
              <a class="button" href={to.restore(path.space, revision)}>
                {words.history.restore}
              </a>
            )}
          </Heading>
          {differences ? (
            <DifferenceList request={request} comparison={comparison} differences={differences} />
          ) : (
            <Notice>{words.differences.notKept}</Notice>
          )}
        </>
      ),
    };
  },
});

/** How a page differs between two revisions. */
const comparingPage = screen({
  path: '/s/{space}/~/compare/{page}',
  async show(request) {
    const place = await spacePlace(request, request.path.space);
    return {
      ...(await pageDifference(request, comparisonIn(request, place), request.path.page)),
      ...around(request, place),
    };
  },
});

const around = (request: ScreenRequest, place: Place) =>
  placeAround(request, place, [{ title: request.words.history.title, href: request.to.history(place.space.id) }]);

/** Asks before a version becomes the content of the space again. */
const restoring = screen({
  path: '/s/{space}/~/history/{revision}/restore',
  async show(request) {
    const { words, path, to, formToken } = request;
    const place = await spacePlace(request, path.space);
    return {
      title: words.history.restoreTitle,
      ...around(request, place),
      main: (
        <>
          <Heading title={words.history.restoreTitle} lead={words.history.restoreText} />
          <Form token={formToken} action="restore" class="actions">
            <Button kind="primary">{words.history.restore}</Button>
            <a class="button" href={to.history(path.space)}>
              {words.frame.cancel}
            </a>
          </Form>
        </>
      ),
    };
  },
  actions: {
    async restore({ call, path, to }) {
      const at = { spaceId: path.space, revisionId: path.revision };
      await call(contentContract.restoreRevision, { path: at });
      return { to: to.history(path.space), done: 'restored' };
    },
  },
});
