import { eachInSlices } from '../../../shared/work/slices.js';
import type { ContentDependencies } from '../dependencies.js';
import { anchorNamed } from '../format/document/anchors.js';
import { percentDecoded } from '../format/space/paths.js';
import { type NamedPlace, placeAtLink, placeAtUrl } from '../reading/other-spaces/app-addresses.js';
import { type Follower, mostSpaces, visibleSpaces } from '../reading/other-spaces/visible-spaces.js';
import { documentId, pageDocuments } from '../revisions/model.js';
import { type PageEntry, pageAtPath, type RevisionView, redirectAt } from '../revisions/revision-view.js';

/** Another space, or a page of it, that a link means. */
export interface SpaceTarget {
  space: string;
  place?: { page: string; anchor: string | undefined };
}

type Dependencies = Pick<ContentDependencies, 'store' | 'trees' | 'revisions' | 'baseUrl'>;

/** Pages whose anchors are read at once. */
const readAtOnce = 100;

/** The other spaces that links of a batch may lead to: those that the writer may view. */
export class OtherSpaces {
  constructor(
    private readonly deps: Dependencies,
    private readonly writer: Follower,
  ) {}

  /**
   * What links of a space mean that name a place in another one by its address or by a path, by the link as it is written. Links to
   * nothing that the writer may view are left out, and so are those to more spaces than a batch may ask for.
   */
  async targets(own: string, links: Iterable<string>): Promise<Map<string, SpaceTarget>> {
    const wanted = new Map<string, Map<string, NamedPlace>>();
    await eachInSlices(links, (link) => {
      const place = placeAtUrl(this.deps.baseUrl, link) ?? placeAtLink(link);
      if (!place || place.space === own) return;
      const others = wanted.get(place.space);
      if (others) others.set(link, place);
      else if (wanted.size < mostSpaces) wanted.set(place.space, new Map([[link, place]]));
    });
    const visible = await visibleSpaces(this.deps, this.writer, [...wanted.keys()]);
    const targets = new Map<string, SpaceTarget>();
    // One space after the other: content is large.
    for (const [space, places] of wanted)
      if (visible.has(space))
        for (const [link, target] of await this.targetsIn(space, places)) targets.set(link, target);
    return targets;
  }

  private async targetsIn(space: string, places: Map<string, NamedPlace>): Promise<Map<string, SpaceTarget>> {
    const targets = new Map<string, SpaceTarget>();
    const anchored: Anchored[] = [];
    const namesPage = [...places.values()].some((place) => !isSpace(place));
    const view = namesPage ? await this.deps.revisions.current(space) : undefined;
    await eachInSlices(places, ([link, place]) => {
      const found = view && !isSpace(place) ? pageNamed(view, place) : undefined;
      if (isSpace(place)) targets.set(link, { space });
      else if (found) {
        const named = { page: found.page.id, anchor: found.anchor };
        targets.set(link, { space, place: named });
        if (found.anchor) anchored.push({ place: named, document: documentId(space, found.page.document ?? '') });
      }
    });
    await this.nameAnchors(anchored);
    return targets;
  }

  /** Gives anchors the names that they have. */
  private async nameAnchors(anchored: Anchored[]): Promise<void> {
    for (let start = 0; start < anchored.length; start += readAtOnce) {
      const part = anchored.slice(start, start + readAtOnce);
      const ids = [...new Set(part.map(({ document }) => document))];
      const found = await this.deps.store.getMany(pageDocuments, ids, { fields: ['aliases'] });
      const aliases = new Map(found.map(({ _id, aliases }) => [_id, new Map(aliases)]));
      for (const { place, document } of part)
        place.anchor = anchorNamed(aliases.get(document) ?? new Map(), percentDecoded(place.anchor ?? ''));
    }
  }
}

interface Anchored {
  place: NonNullable<SpaceTarget['place']>;
  document: string;
}

/** Whether it is a space as a whole; with an anchor it is the first page. */
export const isSpace = ({ page, anchor }: NamedPlace): boolean => page === '' && !anchor;

/** The page that a place names in the content of its space, by its id, its path or a former path. */
export function pageNamed(
  view: RevisionView,
  { page, anchor }: NamedPlace,
): { page: PageEntry; anchor: string | undefined } | undefined {
  const found = view.pageById.get(page) ?? pageAtPath(view, page);
  if (found) return { page: found, anchor };
  const redirect = redirectAt(view, page);
  return redirect && { page: redirect.page, anchor: anchor ?? redirect.anchor };
}
