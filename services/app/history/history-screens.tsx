import type { VNode } from 'preact';
import { failureOf } from '../../../shared/errors/errors.js';
import { contentContract } from '../../content/contract.js';
import type { HistoryItem, SemanticChanges } from '../../content/resources.js';
import { ChangedPages } from '../changed/changed-pages.js';
import { Badge } from '../elements/badge.js';
import { Empty, Heading, Notice, Pager, Row, Rows, sign, Time } from '../elements/elements.js';
import { Button, Form } from '../elements/forms.js';
import { here } from '../frame/here.js';
import { type Route, type ScreenRequest, screen } from '../frame/screen.js';
import { type Place, spacePlace } from '../reading/places.js';
import { crumbsOf } from '../reading/reading-screens.js';
import { spaceTabs } from '../reading/space-tabs.js';
import { fill } from '../words/languages.js';

/** The history of a space: its versions, what each changed, and restoring one. */
export const historyScreens = (): Route[] => [historyList, revisionChanges, restoring];

const perScreen = 30;

const historyList = screen({
  path: '/s/{space}/~/history',
  async show(request) {
    const { call, words, path, query } = request;
    const after = query.get('after');
    const place = await spacePlace(request, path.space);
    const { items, next } = await call(contentContract.listRevisions, {
      path: { spaceId: path.space },
      query: { limit: perScreen, ...(after ? { page: after } : {}) },
    });
    return {
      title: words.history.title,
      organization: place.space.organization,
      crumbs: crumbsOf(request, place),
      sidebar: spaceTabs(request, place),
      main: (
        <>
          <Heading title={words.history.title} lead={words.history.lead} />
          {items.length === 0 && <Empty>{words.history.none}</Empty>}
          <Rows label={words.history.title}>{items.map((item) => versionRow(request, place, item))}</Rows>
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
  const { revision, type, author, subject, createdAt } = item;
  const isCurrent = revision === space.revision;
  return (
    <Row
      href={to.revisionChanges(space.id, revision)}
      title={subject ?? words.history[type]}
      lead={sign(icons[type])}
      about={
        <>
          {author?.displayName ?? words.history.bySystem} · <Time iso={createdAt} locale={locale} />
        </>
      }
    >
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

/** Changes that a screen lists. */
const maxChanges = 500;

/** Shows what a version changed, compared with the one that it was made from. */
const revisionChanges = screen({
  path: '/s/{space}/~/history/{revision}',
  async show(request) {
    const { words, path, to } = request;
    const place = await spacePlace(request, path.space);
    const at = { spaceId: path.space, revisionId: path.revision };
    const changes = await changesOf(request, at);
    return {
      title: words.history.changesOf,
      organization: place.space.organization,
      crumbs: [...crumbsOf(request, place), { title: words.history.title, href: to.history(path.space) }],
      sidebar: spaceTabs(request, place),
      main: (
        <>
          <Heading title={words.history.changesOf}>
            <a class="button" href={to.revision(path.space, path.revision)}>
              {sign('book-open')} {words.history.read}
            </a>
            {place.space.permissions.merge && path.revision !== place.space.revision && (
              <a class="button" href={to.restore(path.space, path.revision)}>
                {words.history.restore}
              </a>
            )}
          </Heading>
          {changes?.mergedFrom && (
            <p>
              <a href={to.changeRequest(path.space, changes.mergedFrom.number)}>
                {fill(words.history.changeRequest, changes.mergedFrom.number)}
              </a>
            </p>
          )}
          {changes ? (
            <ChangedPages request={request} place={{ ...place, revision: path.revision }} changes={changes} />
          ) : (
            <Notice>{words.history.notKept}</Notice>
          )}
        </>
      ),
    };
  },
});

/** Undefined where the version before is no longer kept. */
const changesOf = (
  { call }: ScreenRequest,
  path: { spaceId: string; revisionId: string },
): Promise<SemanticChanges | undefined> =>
  call(contentContract.getRevisionSemanticChanges, { path, query: { limit: maxChanges } }).catch((error) => {
    if (failureOf(error).reason === 'revision_not_kept') return undefined;
    throw error;
  });

/** Asks before a version becomes the content of the space again. */
const restoring = screen({
  path: '/s/{space}/~/history/{revision}/restore',
  async show(request) {
    const { words, path, to, formToken } = request;
    const place = await spacePlace(request, path.space);
    return {
      title: words.history.restoreTitle,
      organization: place.space.organization,
      crumbs: [...crumbsOf(request, place), { title: words.history.title, href: to.history(path.space) }],
      sidebar: spaceTabs(request, place),
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
