import { Empty, Heading, Pager } from '../elements/elements.js';
import { here, nextEntries, pageOf } from '../frame/here.js';
import { type Route, type ScreenRequest, screen, type View } from '../frame/screen.js';
import { placeAround } from '../reading/around.js';
import { numberedPlace, type Place } from '../reading/places.js';
import { fill } from '../words/languages.js';
import { commentActions } from './comment-actions.js';
import { commentCalls } from './comment-calls.js';
import { TextForm } from './comment-forms.js';
import { peopleEndpoint, peopleOptions } from './people.js';
import { ThreadView, threadsOf } from './threads.js';

/** The comments on spaces and on change requests: all of them, or those on a page or on a block of it. */
export const commentScreens = (): Route[] => [
  screen({
    path: '/s/{space}/~/comments',
    show: async (request) => commentsView(request, await numberedPlace(request)),
    actions: commentActions(numberedPlace),
  }),
  screen({
    path: '/s/{space}/~/changes/{number}/~/comments',
    show: async (request) => commentsView(request, await numberedPlace(request)),
    actions: commentActions(numberedPlace),
  }),
  peopleEndpoint,
];

/** Comments that a screen shows. */
const perScreen = 20;

const statuses = ['open', 'resolved', 'all'] as const;
type Status = (typeof statuses)[number];
const statusIn = (query: URLSearchParams): Status =>
  statuses.find((each) => each === query.get('status')) ?? (query.has('block') ? 'all' : 'open');

async function commentsView(request: ScreenRequest, place: Place): Promise<View> {
  const { words, query } = request;
  const [page, block] = [query.get('page') || undefined, query.get('block') || undefined];
  const status = statusIn(query);
  const [list, people] = await Promise.all([
    listed(request, place, { page, block, status }),
    peopleOptions(request, place),
  ]);
  const threads = await threadsOf(request, place, list.items);
  const about = list.items.find(({ target }) => target.page)?.target;
  return {
    title: words.comments.title,
    ...placeAround(request, place),
    main: (
      <>
        <Heading
          title={words.comments.title}
          lead={page && about?.page && fill(words.comments.onPage, about.page.title)}
        />
        {statusFilter(request, status)}
        {place.space.permissions.comment ? (
          <TextForm
            request={request}
            place={place}
            action="comment"
            id="new"
            label={block === undefined ? words.comments.write : words.comments.aboutBlock}
            button={words.comments.post}
            hidden={{ 'about-page': page, 'about-node': block }}
          />
        ) : (
          <p class="hint-text">{words.comments.mayNot}</p>
        )}
        {threads.length === 0 && <Empty>{status === 'open' ? words.comments.noneOpen : words.comments.none}</Empty>}
        <div class="threads">
          {threads.map((thread) => (
            <ThreadView request={request} place={place} thread={thread} />
          ))}
        </div>
        {people}
        <Pager next={nextEntries(request, list, 'after')} text={words.comments.further} />
      </>
    ),
  };
}

interface Wanted {
  page: string | undefined;
  block: string | undefined;
  status: Status;
}

/** Comments, the latest first. */
const listed = (request: ScreenRequest, place: Place, { page, block, status }: Wanted) =>
  commentCalls(request, place).list({
    ...(page === undefined ? {} : { targetPage: page, ...(block === undefined ? {} : { targetNode: block }) }),
    status,
    limit: perScreen,
    ...pageOf(request, 'after'),
  });

function statusFilter(request: ScreenRequest, status: Status) {
  const { words } = request;
  return (
    <nav class="filters" aria-label={words.comments.filter}>
      {statuses.map((each) => (
        <a href={here(request, { status: each, after: null })} aria-current={each === status ? 'true' : undefined}>
          {words.comments[each]}
        </a>
      ))}
    </nav>
  );
}
