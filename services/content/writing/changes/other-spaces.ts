import type { HasStore } from '../../../../shared/store/port.js';
import { eachInSlices } from '../../../../shared/work/slices.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { documentId, pageDocuments } from '../../core/revisions/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import { findRedirect, type PageEntry, pageAtPath, type RevisionView } from '../../core/revisions/revision-view.js';
import { findAnchor } from '../../format/document/context/anchors.js';
import { percentDecode } from '../../format/space/paths.js';
import { type NamedPlace, placeAtLink, placeAtUrl } from '../../reading/pages/other-spaces/app-addresses.js';
import { type Follower, maxLookMs, maxSpaces, visibleSpaces } from '../../reading/pages/other-spaces/visible-spaces.js';

/** Another space, or a page of it, that a link means. */
export interface SpaceTarget {
  space: string;
  place?: { page: string; anchor: string | undefined };
}

type Dependencies = HasStore & HasTrees & HasRevisions & { baseUrl: string };

/** Pages whose anchors are read at once. */
const readAtOnce = 100;

/** The other spaces that links of a batch may lead to: those that the writer may view. */
export class OtherSpaces {
  constructor(
    private readonly deps: Dependencies,
    private readonly writer: Follower,
  ) {}

  /**
   * The targets of links that name a place in another space by its address or by a path, by the link as it is written. Links to
   * nothing that the writer may view are left out, and so are those to more spaces than may be looked into.
   */
  async targets(own: string, links: Iterable<string>): Promise<Map<string, SpaceTarget>> {
    const wanted = new Map<string, Map<string, NamedPlace>>();
    await eachInSlices(links, (link) => {
      const place = placeAtUrl(this.deps.baseUrl, link) ?? placeAtLink(link);
      if (!place || place.space === own) return;
      const others = wanted.get(place.space);
      if (others) others.set(link, place);
      else if (wanted.size < maxSpaces) wanted.set(place.space, new Map([[link, place]]));
    });
    const visible = await visibleSpaces(this.deps, this.writer, [...wanted.keys()]);
    const until = Date.now() + maxLookMs;
    const targets = new Map<string, SpaceTarget>();
    // One space after the other: content is large.
    for (const [space, places] of wanted)
      if (visible.has(space) && Date.now() < until) await this.find(space, places, targets);
    return targets;
  }

  private async find(space: string, places: Map<string, NamedPlace>, targets: Map<string, SpaceTarget>): Promise<void> {
    const anchored = new Map<string, NamedPage[]>();
    const namesPage = [...places.values()].some((place) => !isSpace(place));
    const view = namesPage ? await this.deps.revisions.current(space) : undefined;
    await eachInSlices(places, ([link, place]) => {
      const found = view && !isSpace(place) ? findNamedPage(view, place) : undefined;
      if (isSpace(place)) targets.set(link, { space });
      if (!found) return;
      const named = { page: found.page.id, anchor: found.anchor && percentDecode(found.anchor) };
      targets.set(link, { space, place: named });
      if (!found.anchor) return;
      const document = documentId(space, found.page.document ?? '');
      const others = anchored.get(document);
      if (others) others.push(named);
      else anchored.set(document, [named]);
    });
    await this.nameAnchors(anchored);
  }

  /** Gives the anchors of pages, by their documents, the names that they have. */
  private async nameAnchors(anchored: Map<string, NamedPage[]>): Promise<void> {
    const documents = [...anchored.keys()];
    for (let start = 0; start < documents.length; start += readAtOnce) {
      const ids = documents.slice(start, start + readAtOnce);
      const found = await this.deps.store.getMany(pageDocuments, ids, { fields: ['aliases'] });
      for (const { _id, aliases } of found) {
        const names = new Map(aliases);
        await eachInSlices(anchored.get(_id) ?? [], (place) => {
          place.anchor = findAnchor(names, place.anchor ?? '');
        });
      }
    }
  }
}

type NamedPage = NonNullable<SpaceTarget['place']>;

/** Whether it is a space as a whole; with an anchor it is the first page. */
export const isSpace = ({ page, anchor }: NamedPlace): boolean => page === '' && !anchor;

/** The page that a place names in the content of its space, by its id, its path or a former path. */
export function findNamedPage(
  view: RevisionView,
  { page, anchor }: NamedPlace,
): { page: PageEntry; anchor: string | undefined } | undefined {
  const found = view.pageById.get(page) ?? pageAtPath(view, page);
  if (found) return { page: found, anchor };
  const redirect = findRedirect(view, page);
  return redirect && { page: redirect.page, anchor: anchor ?? redirect.anchor };
}
