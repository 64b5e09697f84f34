import { resolveAccess } from '../../shared/contract/access.js';
import { invalid } from '../../shared/errors.js';
import { decodeCursor, encodeCursor, type Page, type PageRequest } from '../../shared/paging.js';
import { searchSpaces } from '../content/contract.js';
import { spaceKind } from '../content/resources.js';
import type { PublishingRules } from './publishing-rules.js';
import type { SearchSpaceResult } from './resources.js';
import type { Looking } from './rules.js';
import { siteOf } from './sites.js';
import { type Placed, siteSpacesOf } from './structure.js';

/** The forms of a search: `scope`, and the older ones that name a mode. */
export interface SiteSearch {
  query: string;
  scope?: { mode: string; includedSiteSpaces?: string[] | undefined; siteSpaceIds?: string[] | undefined } | undefined;
  mode?: string | undefined;
  siteSpaceIds?: string[] | undefined;
  siteSpaceId?: string | undefined;
}

/** Which site spaces are searched; ids that are not there find nothing. */
function isWanted({ scope, mode = scope?.mode, siteSpaceId, ...search }: SiteSearch): (placed: Placed) => boolean {
  if (mode === 'all') return () => true;
  const ids = new Set(scope?.siteSpaceIds ?? scope?.includedSiteSpaces ?? search.siteSpaceIds ?? []);
  if (siteSpaceId !== undefined) ids.add(siteSpaceId);
  const withDefaults = mode === 'default' || mode === 'current';
  return ({ variant, isDefault }) => ids.has(variant.id) || (withDefaults && isDefault);
}

/** Spaces of a site with pages that hold every word: those that a visitor sees, or that a user reads itself. */
export async function searchSite(
  rules: PublishingRules,
  looking: Looking,
  id: string,
  search: SiteSearch,
  request: PageRequest,
): Promise<Page<SearchSpaceResult>> {
  const { call, caller } = looking;
  const site = await siteOf(rules.store, id);
  const visitor = caller.kind === 'content' ? caller : undefined;
  const structure = visitor
    ? (await rules.visible.seenBy(site, visitor.claims)).structure
    : await rules.structures.of(site);
  const wanted = siteSpacesOf(structure).filter(isWanted(search));
  const spaces = [...new Set(wanted.map(({ variant }) => variant.space))];
  const readable = visitor ? spaces : await readableBy(looking, spaces);
  const offset = request.page === undefined ? 0 : positionOf(request.page);
  if (readable.length === 0) return { count: 0, items: [] };
  const { query } = search;
  const { limit } = request;
  const claims = visitor ? { claims: visitor.claims } : {};
  const { count, items } = await call(searchSpaces, { spaces: readable, query, limit, offset, ...claims });
  const shown = items.map(({ space, title, pages }) => ({ id: space, title, pages }));
  const end = offset + shown.length;
  return end < count && shown.length > 0
    ? { next: { page: encodeCursor([end]) }, count, items: shown }
    : { count, items: shown };
}

async function readableBy({ call, caller }: Looking, ids: string[]): Promise<string[]> {
  const access = await call(resolveAccess(spaceKind), { caller, ids });
  return ids.filter((_, at) => {
    const role = access[at]?.state === 'active' ? access[at]?.role : null;
    return role !== null && role !== undefined;
  });
}

function positionOf(page: string): number {
  const [position] = decodeCursor(page, 1);
  if (typeof position !== 'number' || !Number.isInteger(position) || position < 0)
    throw invalid('page: not a page of this search; use next.page of the previous answer');
  return position;
}
