import { pathSegment } from '../../../../../shared/text/path-segment.js';
import { eachInSlices } from '../../../../../shared/work/slices.js';
import type { HasTrees } from '../../../core/access/tree/content-tree-cache.js';
import type { HasRevisions } from '../../../core/revisions/revision-cache.js';
import { hasPath, type PageEntry } from '../../../core/revisions/revision-view.js';
import type { ContentRef } from '../../../format/resources.js';
import { pageUrl } from '../pages.js';
import { appAddresses } from './app-addresses.js';
import { type Follower, maxLookMs, maxSpaces, visibleSpaces } from './visible-spaces.js';

type Dependencies = HasTrees & HasRevisions & { baseUrl: string };

/** The space that a reference names. */
const spaceOf = ({ space }: ContentRef): string | undefined => (typeof space === 'string' ? space : undefined);

const keyOf = (ref: ContentRef) => `${ref.space} ${ref.page ?? ''}`;

/** The addresses in the app of what the links of one answer lead to in other spaces. */
export class ShownAddresses {
  /** By the space and the page; null for what does not exist, or not for this reader. */
  private readonly known = new Map<string, string | null>();
  private readonly left = { spaces: maxSpaces, ms: maxLookMs };

  constructor(
    private readonly deps: Dependencies,
    private readonly reader: Follower,
  ) {}

  /** Whether anything was looked up: the answer then depends on more than the revision that is read. */
  get areUsed(): boolean {
    return this.known.size > 0;
  }

  /** The address, null for a reference to nothing that this reader may view; undefined for one that was not looked up. */
  of(ref: ContentRef): string | null | undefined {
    return this.known.get(keyOf(ref));
  }

  /** Looks up what references lead to: one space after the other, since content is large, and no more than an answer may ask for. */
  async lookUp(refs: Iterable<ContentRef | undefined>): Promise<void> {
    const wanted = new Map<string, ContentRef[]>();
    await eachInSlices(refs, (ref) => {
      const space = ref && spaceOf(ref);
      if (!ref || space === undefined || this.known.has(keyOf(ref))) return;
      const others = wanted.get(space);
      if (others) others.push(ref);
      else if (wanted.size < this.left.spaces) wanted.set(space, [ref]);
    });
    this.left.spaces -= wanted.size;
    const visible = await visibleSpaces(this.deps, this.reader, [...wanted.keys()]);
    const began = Date.now();
    for (const [space, found] of wanted)
      if (Date.now() - began < this.left.ms) await this.note(space, found, visible.has(space));
    this.left.ms -= Date.now() - began;
  }

  private async note(space: string, refs: ContentRef[], isVisible: boolean): Promise<void> {
    const { baseUrl, revisions } = this.deps;
    const namesPage = refs.some(({ page }) => page !== undefined);
    const view = isVisible && namesPage ? await revisions.current(space) : undefined;
    await eachInSlices(refs, (ref) => {
      const page = view?.pageById.get(String(ref.page));
      if (ref.page === undefined) this.known.set(keyOf(ref), isVisible ? appAddresses(baseUrl) + space : null);
      else this.known.set(keyOf(ref), page && hasPath(page) ? pageUrl(baseUrl, space, encodedPath(page)) : null);
    });
  }
}

const encodedPath = ({ path }: PageEntry) => path.split('/').map(pathSegment).join('/');
