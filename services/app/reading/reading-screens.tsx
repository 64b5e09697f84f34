import { notFound } from '../../../shared/errors/errors.js';
import { decodeShownPage, type PageDetails, type ShownPage, showPage } from '../../content/contract.js';
import { Emblem, Heading, Time } from '../elements/elements.js';
import { type Route, type ScreenRequest, screen, type View } from '../frame/screen.js';
import { fillFromTemplate, templateForm } from '../organizations/templates.js';
import { fill } from '../words/languages.js';
import { crumbsOf } from './around.js';
import { blockLinks } from './block-links.js';
import { Body, pageHtml, textLanguage } from './page-body.js';
import { pageTree, treeOf } from './page-tree.js';
import { changePlace, type Place, pageAddress, spacePlace, visitorOf } from './places.js';
import { spaceActions, spaceTabs } from './space-tabs.js';
import { favouriteButton, favouriteOf, makeFavourite, noteReading } from './visits.js';

/** Reading a space: its current content, a change request, or a revision of its history, page by page. */
export const readingScreens = (): Route[] => [
  screen({
    path: '/s/{space}',
    show: async (request) => pageView(request, await spacePlace(request, request.path.space), ''),
    actions: { favourite: makeFavourite, template: fillFromTemplate },
  }),
  screen({
    path: '/s/{space}/{page...}',
    show: async (request) => pageView(request, await spacePlace(request, request.path.space), request.path.page),
  }),
  screen({
    path: '/s/{space}/~/revisions/{revision}/{page...}',
    show: async (request) => pageView(request, await revisionPlace(request, request.path), request.path.page),
  }),
  screen({
    path: '/s/{space}/~/changes/{number}/~/read/{page...}',
    show: async (request) =>
      pageView(request, await changePlace(request, request.path.space, request.path.number), request.path.page),
  }),
];

const isCurrent = ({ changeRequest, revision }: Place): boolean => !changeRequest && revision === undefined;

const revisionPlace = async (
  request: ScreenRequest,
  { space, revision }: { space: string; revision: string },
): Promise<Place> => ({ ...(await spacePlace(request, space)), revision });

/** A page of a place; its first page where the path is empty. */
async function pageView(request: ScreenRequest, place: Place, path: string): Promise<View> {
  const { call, words } = request;
  const [found, tree, favourite] = await Promise.all([
    call(showPage, { visitor: visitorOf(place), path, namesBlocks: place.revision === undefined }).then(
      decodeShownPage,
    ),
    treeOf(request, place),
    favouriteOf(request, place),
  ]);
  if (!found && path !== '') throw notFound('Page');
  noteReading(request, place);
  const { page, body } = found ?? {};
  const sidebar = (
    <>
      {spaceTabs(request, place)}
      {pageTree(request, tree, { place, current: page?.id })}
    </>
  );
  const around = { organization: place.space.organization, crumbs: crumbsOf(request, place), sidebar };
  if (!page || !body)
    return {
      ...around,
      title: place.space.title,
      main: (
        <>
          <Heading title={place.space.title} lead={words.reading.noPages}>
            {favouriteButton(request, place, { favourite, path })}
            {spaceActions(request, place, undefined)}
          </Heading>
          {isCurrent(place) && templateForm(request, place.space)}
        </>
      ),
    };
  return {
    ...around,
    title: page.title,
    frames: body.frames,
    main: (
      <article {...textLanguage(place)}>
        {heading(request, place, { page, favourite })}
        <Body html={await pageHtml(request, place, body, await blockLinks(request, place, page.id))} />
        {neighbours(request, place, page)}
      </article>
    ),
  };
}

function heading(
  request: ScreenRequest,
  place: Place,
  { page, favourite }: { page: NonNullable<ShownPage['page']>; favourite: boolean | undefined },
) {
  const { words, locale } = request;
  const { title, emoji, icon, description, updatedAt } = page;
  return (
    <>
      <Heading
        title={
          <>
            {(emoji || icon) && <Emblem emoji={emoji} icon={icon} fallback="file-lines" />} {title}
          </>
        }
        lead={description}
        actionsLang={locale}
      >
        {favouriteButton(request, place, { favourite, path: page.path })}
        {spaceActions(request, place, page.path)}
      </Heading>
      {updatedAt && (
        <p class="hint-text" lang={locale}>
          {fill(words.reading.updated, '')} <Time iso={updatedAt} locale={locale} short />
        </p>
      )}
    </>
  );
}

function neighbours(request: ScreenRequest, place: Place, { previous, next }: PageDetails) {
  const { words, locale } = request;
  const link = (rel: 'prev' | 'next', label: string, target: PageDetails['next']) =>
    target && (
      <a class="neighbour" rel={rel} href={pageAddress(request, place, target.path)}>
        <small lang={locale}>{label}</small> {target.title}
      </a>
    );
  return (
    <nav class="neighbours" aria-label={words.reading.neighbours}>
      {link('prev', words.frame.previous, previous)}
      {link('next', words.frame.next, next)}
    </nav>
  );
}
