import type { HasLinks } from '../../../../shared/blobs/links.js';
import { type Encoded, encodeInSlices, objectJson } from '../../../../shared/contract/encoded.js';
import type { Answer, Contract } from '../../../../shared/contract/operation.js';
import type { Context, HandlersOf } from '../../../../shared/contract/service.js';
import { notFound } from '../../../../shared/errors/errors.js';
import { type PageRequest, slicePage } from '../../../../shared/lists/paging.js';
import type { HasSecrets } from '../../../../shared/secrets/secrets.js';
import type { HasStore, Store } from '../../../../shared/store/port.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import type { linksOperations } from '../contract/links.js';
import { eachJson } from '../pages/pages.js';
import { backlinkKey, LinkCollector, type Links, type LinkUse } from './link-collector.js';
import { answerLinks } from './link-lists.js';
import { Locations } from './locations.js';
import { lackingAnchors } from './missing-anchors.js';
import { type ListedContent, openPlace, type PlaceRequest } from './places.js';
import type { RevisionLinksCache } from './revision-links-cache.js';
import { StoredLinks } from './stored-links.js';
import { VisibleContent } from './visible-content.js';

type Operations = HandlersOf<typeof linksOperations>;
type Backlinks = Encoded<Answer<Contract<typeof linksOperations>['listSpacePageBacklinks']>>;

/** The operations that list links, and what links to pages and files. */
export function linksHandlers(
  deps: HasStore &
    HasLinks &
    HasSecrets &
    HasTrees &
    HasRevisions & { baseUrl: string; revisionLinks: RevisionLinksCache },
): Operations {
  const { revisionLinks } = deps;

  const ofPage = async (request: PlaceRequest & { path: { pageId: string } }, context: Context) => {
    const { pageId } = request.path;
    const place = await openPlace(deps, request, context);
    const linksIn = async (view: RevisionView): Promise<Links> => {
      const page = view.pageById.get(pageId);
      return page ? linksOfPage(deps, view, page) : noLinks;
    };
    if (!place.view.pageById.has(pageId)) throw notFound('Page');
    return answerLinks(deps, { place, query: request.query, linksIn }, context);
  };

  const ofAll = async (request: PlaceRequest, context: Context) => {
    const place = await openPlace(deps, request, context);
    return answerLinks(deps, { place, query: request.query, linksIn: (view) => revisionLinks.of(view) }, context);
  };

  const backlinks = async (
    { place, query, key }: { place: ListedContent; query: PageRequest; key: string },
    context: Context,
    present: (locations: Locations, use: LinkUse) => object,
  ): Promise<Backlinks> => {
    const uses = (await revisionLinks.of(place.view)).backlinks.get(key) ?? [];
    const { items, ...envelope } = slicePage(uses, place.view.revision._id, query, (use) => use);
    const visible = await VisibleContent.for(deps, context);
    const changeRequest = await place.changeRequest();
    const locations = await Locations.for(deps, { ...place, changeRequest, visible, context, targets: [] });
    return encodeInSlices(objectJson(envelope, { items: eachJson(items, (use) => present(locations, use)) }));
  };

  const toPage = async (request: PlaceRequest & { path: { pageId: string } }, context: Context) => {
    const { pageId } = request.path;
    const place = await openPlace(deps, request, context);
    if (!place.view.pageById.has(pageId)) throw notFound('Page');
    const wanted = { place, query: request.query, key: backlinkKey('page', pageId) };
    return backlinks(wanted, context, (locations, use) => locations.ofUse(use));
  };

  const toFile = async (request: PlaceRequest & { path: { fileId: string } }, context: Context) => {
    const place = await openPlace(deps, request, context);
    const file = place.view.fileById.get(request.path.fileId);
    if (!file) throw notFound('File');
    const wanted = { place, query: request.query, key: backlinkKey('file', file.id) };
    return backlinks(wanted, context, (locations, use) => locations.ofFileUse(file, use));
  };

  return {
    listPageLinksInSpace: ofPage,
    listPageLinksInChangeRequest: ofPage,
    listSpaceLinks: ofAll,
    listChangeRequestLinks: ofAll,
    listSpacePageBacklinks: toPage,
    listSpaceFileBacklinks: toFile,
    listChangeRequestPageBacklinks: toPage,
    listChangeRequestFileBacklinks: toFile,
  };
}

const noLinks: Links = { targets: new Map(), lacking: new Set() };

/** Limits for one page. */
const room = { uses: 50_000, bytes: 32 * 1024 * 1024 };

/**
 * The links of a page. Reads its document, and for links with anchors those of their targets: no work for other pages. Throws 422 for
 * more links than a page may have.
 */
export async function linksOfPage(
  { store, baseUrl }: { store: Store; baseUrl: string },
  view: RevisionView,
  page: PageEntry,
): Promise<Links> {
  const stored = new StoredLinks({ store, space: view.revision.space });
  await stored.read(page.document === undefined ? [] : [page.document]);
  const collector = new LinkCollector({ view, baseUrl }, stored, room);
  await collector.collect([{ page }]);
  return { targets: collector.targets, lacking: await lackingAnchors(view, collector.eachTarget(), stored) };
}
