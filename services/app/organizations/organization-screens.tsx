import type { VNode } from 'preact';
import { listVisits, setFavourite, type Visit } from '../../content/contract.js';
import type { Space } from '../../content/resources.js';
import { identityContract } from '../../identity/contract.js';
import { Emblem, Empty, Heading, Row, Rows, Section, sign, Time } from '../elements/elements.js';
import { Button, Form } from '../elements/forms.js';
import { type Route, type ScreenRequest, screen } from '../frame/screen.js';
import { fill } from '../words/languages.js';
import { catalogueScreens } from './catalogue-screens.js';
import { collection } from './collection-screen.js';
import { drafts, lostDraft } from './drafts-screen.js';
import { home } from './home-screen.js';
import { contentOf, organizationNavigation } from './navigation.js';
import { makeCollection, makeSpace, newContent } from './new-content.js';
import { search } from './search-screen.js';
import { newestFirst, spaceRow } from './space-rows.js';
import { trash } from './trash-screen.js';

/** Where people find what they may read: organizations, spaces, collections, the trash, and the search over all of it. */
export const organizationScreens = (): Route[] => [
  home,
  organization,
  collection,
  search,
  drafts,
  lostDraft,
  trash,
  ...catalogueScreens,
];

const organization = screen({
  path: '/o/{organization}',
  async show(request) {
    const { call, to, words, path } = request;
    const id = path.organization;
    const [shown, content, visits] = await Promise.all([
      call(identityContract.getOrganizationById, { path: { organizationId: id } }),
      contentOf(request, id),
      call(listVisits, { organization: id }),
    ]);
    return {
      title: shown.title,
      organization: id,
      sidebar: organizationNavigation(request, content, { organization: id, here: to.organization(id) }),
      main: (
        <>
          <Heading title={shown.title}>
            {shown.permissions.createContent && newContent(request, content)}
            {shown.permissions.admin && (
              <a class="button" href={to.singleSignOn(id)}>
                {words.singleSignOn.title}
              </a>
            )}
          </Heading>
          {visitsOf(request, content.spaces, visits)}
          {content.spaces.length === 0 ? (
            <Empty>{words.home.noSpaces}</Empty>
          ) : (
            <Section title={words.home.spaces} id="spaces">
              <Rows label={words.home.spaces}>
                {[...content.spaces].sort(newestFirst).map((space) => spaceRow(request, space))}
              </Rows>
            </Section>
          )}
        </>
      ),
    };
  },
  actions: {
    space: (request, fields) => makeSpace(request, request.path.organization, fields),
    collection: (request, fields) => makeCollection(request, request.path.organization, fields),
    async 'not-favourite'({ call, to, path }, fields) {
      await call(setFavourite, { space: fields.text('space'), favourite: false });
      return { to: to.organization(path.organization), done: 'saved' };
    },
  },
});

/** The favourites, and the spaces with other content than the person has seen. */
function visitsOf(request: ScreenRequest, spaces: readonly Space[], visits: readonly Visit[]): VNode {
  const { words } = request;
  const spaceOf = new Map(spaces.map((space) => [space.id, space]));
  const rows = (wanted: readonly Visit[], row: (space: Space, visit: Visit) => VNode) =>
    wanted.flatMap((visit) => {
      const space = spaceOf.get(visit.space);
      return space ? [row(space, visit)] : [];
    });
  const favourites = rows(
    visits.filter(({ favourite }) => favourite),
    (space) => favouriteRow(request, space),
  );
  const changed = rows(
    visits.filter(({ changed }) => changed),
    (space, visit) => changedRow(request, space, visit),
  );
  return (
    <>
      {favourites.length > 0 && (
        <Section title={words.home.favourites} id="favourites">
          <Rows label={words.home.favourites}>{favourites}</Rows>
        </Section>
      )}
      {changed.length > 0 && (
        <Section title={words.home.recentChanges} id="changed">
          <Rows label={words.home.recentChanges}>{changed}</Rows>
        </Section>
      )}
    </>
  );
}

const favouriteRow = ({ to, words, formToken }: ScreenRequest, { id, title, emoji }: Space) => (
  <Row href={to.space(id)} title={title} lead={<Emblem emoji={emoji} fallback="book" />}>
    <Form token={formToken} action="not-favourite">
      <input type="hidden" name="space" value={id} />
      <Button kind="plain" name={`${words.home.notFavourite}: ${title}`}>
        {sign('star')}
      </Button>
    </Form>
  </Row>
);

const changedRow = ({ to, words, locale }: ScreenRequest, { id, title, emoji, updatedAt }: Space, { seen }: Visit) => (
  <Row
    href={to.space(id)}
    title={title}
    lead={<Emblem emoji={emoji} fallback="book" />}
    about={
      <>
        {fill(words.home.changedAt, '')} <Time iso={updatedAt} locale={locale} />
      </>
    }
  >
    {seen !== undefined && (
      <a class="button" href={to.historyFrom(id, seen)} aria-label={`${words.home.changes}: ${title}`}>
        {words.home.changes}
      </a>
    )}
  </Row>
);
