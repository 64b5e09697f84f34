import { isDeepStrictEqual } from 'node:util';
import type { HasBlobs } from '../../../../shared/blobs/port.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { sha256, timestamp } from '../../../../shared/values/ids.js';
import { pageMetaFields } from '../../core/revisions/page-fields.js';
import { type Computed, computedDependencies, specReplacingPage } from '../../core/revisions/references.js';
import { eachPageOf, hasPath, type PageEntry, pathPrefixBelow } from '../../core/revisions/revision-view.js';
import type { HasLedger, Owner } from '../../core/storage/ledger.js';
import { newSlugClaims } from '../../format/space/paths.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { type LatestOutline, latestOutline } from '../specs/latest-outline.js';
import { type PlannedPage, pageOptions, planPages } from './planned-pages.js';
import { type StoredPlan, storePlanned } from './stored-plan.js';

type Dependencies = HasStore & HasBlobs & HasWork & HasLedger;

/** The slugs of the specifications that pages are made from. */
export const specsIn = (pages: PageEntry[]): string[] => [
  ...new Set([...eachPageOf(pages)].flatMap((page) => specReplacingPage(page) ?? [])),
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
  /** The path prefix of the pages made for it. */
  below: string;
  /** The slugs of its siblings. */
  taken: Set<string>;
}

/** Makes the pages of all computed pages of a space. */
class Generation {
  private readonly now = timestamp();

  constructor(
    private readonly deps: Dependencies,
    private readonly given: Given,
  ) {}

  async siblings(pages: PageEntry[], below: string): Promise<PageEntry[]> {
    const taken = new Set(pages.filter(hasPath).map((page) => page.slug));
    const kept = pages.map((page) => this.reuse(page, taken));
    const after: PageEntry[] = [];
    for (const [at, page] of pages.entries()) {
      const slug = specReplacingPage(page);
      after.push(
        slug === undefined
          ? await this.keepAuthored(page)
          : (kept[at] ?? (await this.compute(page, { slug, below, taken }))),
      );
    }
    return after.every((page, at) => page === pages[at]) ? pages : after;
  }

  /** A computed page as it was made last; undefined where its specification, its place or its siblings' slugs differ. */
  private reuse(page: PageEntry, taken: Set<string>): PageEntry | undefined {
    const slug = specReplacingPage(page);
    const last = this.given.before.get(page.id);
    if (slug === undefined || last?.path !== page.path) return undefined;
    const computed = this.resolve(page, slug);
    if (!isDeepStrictEqual(last.computed, computed)) return undefined;
    if (last.pages.some((each) => taken.has(each.slug))) return undefined;
    for (const each of last.pages) taken.add(each.slug);
    return withPagesOf(page, last, computed);
  }

  private resolve(page: PageEntry, slug: string): Computed {
    return resolveComputed(page.computed as Computed, this.given.outlines.get(slug) ?? null);
  }

  private async keepAuthored(page: PageEntry): Promise<PageEntry> {
    const pages = await this.siblings(page.pages, pathPrefixBelow(page));
    return pages === page.pages ? page : { ...page, pages };
  }

  private async compute(page: PageEntry, { slug, below, taken }: Place): Promise<PageEntry> {
    const { deps, given } = this;
    const outline = given.outlines.get(slug)?.outline;
    const computed = this.resolve(page, slug);
    const plans = outline ? planPages(outline, pageOptions(slug, computed.props)) : [];
    const former = (plan: PlannedPage) => given.before.get(generatedId(page.id, plan))?.slug;
    const planned = claimSlugs(plans, { former, taken });
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
    const { document, meta } = stored.get(plan) as { document: string; meta: Parameters<typeof pageMetaFields>[0] };
    const last = this.given.before.get(generated.id);
    const isSame = last?.document === document;
    return {
      ...generated,
      ...pageMetaFields(meta),
      document,
      createdAt: last?.createdAt ?? this.now,
      updatedAt: (isSame ? last.updatedAt : undefined) ?? this.now,
    };
  }
}

/** Pages with slugs that no sibling has: those that they had, as long as they still say the same. */
function claimSlugs(
  plans: PlannedPage[],
  { former, taken }: { former: (plan: PlannedPage) => string | undefined; taken: Set<string> },
): PlannedPage[] {
  const had = plans.map((plan) => {
    const slug = former(plan);
    if (slug === undefined || !isNumbered(slug, plan.slug) || taken.has(slug)) return undefined;
    taken.add(slug);
    return slug;
  });
  const claim = newSlugClaims(undefined, taken);
  return plans.map((plan, at) => ({ ...plan, slug: had[at] ?? claim(plan.slug) }));
}

const isNumbered = (slug: string, base: string): boolean =>
  slug.startsWith(base) && /^(?:-\d+)?$/.test(slug.slice(base.length));

/** A page that was made from the same version at the same place. */
const withPagesOf = (page: PageEntry, last: PageEntry, computed: Computed): PageEntry =>
  page === last ? page : { ...page, computed, pages: last.pages };

/** A page of a specification without its document. With the same seed, it has the same id in every version. */
export const generatedPage = (
  plan: PlannedPage,
  { seed, computed, path }: { seed: string; computed: Computed; path: string },
): Omit<PageEntry, 'pages'> => ({
  id: generatedId(seed, plan),
  type: 'document',
  title: plan.title,
  slug: plan.slug,
  path,
  computed: { ...computed, props: plan.props },
});

const generatedId = (seed: string, { key }: PlannedPage): string => sha256(`${seed} ${key}`).slice(0, 24);

/** The definition of a computed page with the present state of its dependency. */
export function resolveComputed(computed: Computed, found: LatestOutline | null): Computed {
  const { spec, ...others } = computedDependencies(computed);
  const value = found && { object: 'openapi-spec', ...found.spec };
  return { ...computed, dependencies: { ...others, spec: { ref: spec?.ref, value } } };
}
