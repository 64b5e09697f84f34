import { isDeepStrictEqual } from 'node:util';
import { sha256, timestamp } from '../../../../shared/ids.js';
import type { ContentDependencies } from '../../dependencies.js';
import { slugClaims } from '../../format/space/paths.js';
import { metaFields } from '../../revisions/page-fields.js';
import { type Computed, dependenciesOf, specOf } from '../../revisions/references.js';
import { eachPageOf, isPlaced, type PageEntry, pathBelow } from '../../revisions/revision-view.js';
import type { Owner } from '../../storage/ledger.js';
import { type LatestOutline, latestOutline } from '../latest-outline.js';
import { type PlannedPage, pageOptions, plannedPages } from './planned-pages.js';
import { type StoredPlan, storePlanned } from './stored-plan.js';

type Dependencies = Pick<ContentDependencies, 'store' | 'blobs' | 'work' | 'ledger'>;

/** The slugs of the specifications that pages are made from. */
export const specsIn = (pages: PageEntry[]): string[] => [
  ...new Set([...eachPageOf(pages)].flatMap((page) => specOf(page) ?? [])),
];

interface Computing extends Owner {
  pages: PageEntry[];
  /** By their ids: the pages as they were made last. */
  before: ReadonlyMap<string, PageEntry>;
}

/**
 * The pages with those that computed pages stand for, made from the latest versions of their specifications; the same array when
 * nothing differs. Stores their documents, which nothing points at yet.
 */
export async function withComputedPages(
  deps: Dependencies,
  { organization, space, pages, before }: Computing,
): Promise<PageEntry[]> {
  const outlines = new Map<string, LatestOutline | null>();
  for (const slug of specsIn(pages)) outlines.set(slug, await latestOutline(deps, { organization, slug }));
  if (outlines.size === 0) return pages;
  return new Generation(deps, { owner: { organization, space }, outlines, before }).siblings(pages, '');
}

interface Given {
  owner: Owner;
  outlines: ReadonlyMap<string, LatestOutline | null>;
  before: Computing['before'];
}

/** A computed page that its pages are made for. */
interface Place {
  slug: string;
  /** What their paths begin with. */
  below: string;
  /** Gives slugs that no sibling has. */
  claim: (slug: string) => string;
}

/** Makes the pages of all computed pages of a space. */
class Generation {
  private readonly now = timestamp();

  constructor(
    private readonly deps: Dependencies,
    private readonly given: Given,
  ) {}

  async siblings(pages: PageEntry[], below: string): Promise<PageEntry[]> {
    const claim = slugClaims();
    for (const page of pages) if (isPlaced(page)) claim(page.slug);
    const after: PageEntry[] = [];
    for (const page of pages) {
      const slug = specOf(page);
      after.push(slug === undefined ? await this.authored(page) : await this.computed(page, { slug, below, claim }));
    }
    return after.every((page, at) => page === pages[at]) ? pages : after;
  }

  private async authored(page: PageEntry): Promise<PageEntry> {
    const pages = await this.siblings(page.pages, pathBelow(page));
    return pages === page.pages ? page : { ...page, pages };
  }

  private async computed(page: PageEntry, { slug, below, claim }: Place): Promise<PageEntry> {
    const { deps, given } = this;
    const found = given.outlines.get(slug) ?? null;
    const computed = resolved(page.computed as Computed, found);
    const last = given.before.get(page.id);
    if (last?.path === page.path && isDeepStrictEqual(last.computed, computed))
      return withPagesOf(page, last, computed);
    const plans = found?.outline ? plannedPages(found.outline, pageOptions(slug, computed.props)) : [];
    const planned = plans.map((plan) => ({ ...plan, slug: claim(plan.slug) }));
    const stored = await storePlanned(deps, given.owner, planned);
    const entries = (list: PlannedPage[], path: string): PageEntry[] =>
      list.map((plan) => ({
        ...this.entry({ plan, page, computed, path: path + plan.slug }, stored),
        pages: entries(plan.pages, `${path}${plan.slug}/`),
      }));
    return { ...page, computed, pages: entries(planned, below) };
  }

  private entry(
    { plan, page, computed, path }: { plan: PlannedPage; page: PageEntry; computed: Computed; path: string },
    stored: StoredPlan,
  ): Omit<PageEntry, 'pages'> {
    const generated = generatedPage(plan, { seed: page.id, computed, path });
    const { document, meta } = stored.get(plan) as { document: string; meta: Parameters<typeof metaFields>[0] };
    const last = this.given.before.get(generated.id);
    const isSame = last?.document === document;
    return {
      ...generated,
      ...metaFields(meta),
      document,
      createdAt: last?.createdAt ?? this.now,
      updatedAt: (isSame ? last.updatedAt : undefined) ?? this.now,
    };
  }
}

/** A page that was made from the same version at the same place. */
const withPagesOf = (page: PageEntry, last: PageEntry, computed: Computed): PageEntry =>
  page === last ? page : { ...page, computed, pages: last.pages };

/** A page of a specification without its document. With the same seed, it has the same id in every version. */
export const generatedPage = (
  { key, title, slug, props }: PlannedPage,
  { seed, computed, path }: { seed: string; computed: Computed; path: string },
): Omit<PageEntry, 'pages'> => ({
  id: sha256(`${seed} ${key}`).slice(0, 24),
  type: 'document',
  title,
  slug,
  path,
  computed: { ...computed, props },
});

/** What a page is made from, with its dependency as it is now. */
export function resolved(computed: Computed, found: LatestOutline | null): Computed {
  const { spec, ...others } = dependenciesOf(computed);
  const value = found && { object: 'openapi-spec', ...found.spec };
  return { ...computed, dependencies: { ...others, spec: { ref: spec?.ref, value } } };
}
