import { question } from '../../../shared/contract/verb.js';
import { embedOperations } from './contract/embeds.js';
import { linksOperations } from './contract/links.js';
import { organizationSearchOperations } from './contract/organization-search.js';
import { pageOperations } from './contract/pages.js';
import { printingOperations } from './contract/printing.js';
import { searchOperations } from './contract/search.js';
import type { Embed, SearchItem } from './resources.js';

export * from './contract/printing.js';
export * from './contract/shown-pages.js';
export * from './contract/visits.js';

export const readingOperations = {
  ...pageOperations,
  ...embedOperations,
  ...linksOperations,
  ...printingOperations,
  ...searchOperations,
  ...organizationSearchOperations,
};

/** Names a page by its id, and by its path within the space. */
export interface FoundPage {
  id: string;
  path: string;
}

export interface FindPage {
  space: string;
  /** Any revision of the space; the current one by default. */
  revision?: string;
  /** Within the space; the empty path is the first page. */
  path: string;
  /** The claims of a visitor; without them no page is left out. */
  claims?: Record<string, unknown>;
}

export interface PageFinding {
  revision: string;
  /** The page at the path; the first page of a group. */
  page?: FoundPage;
  /** Where the content redirects a path that has no page. */
  redirect?: FoundPage & { anchor?: string };
  /** The first page of the space. */
  first?: FoundPage;
}

/** The page at a path, as a visitor with these claims sees the space. Null when the space or the revision does not exist. */
export const findPage = question<FindPage, PageFinding | null>('content', 'findPage');

export interface SearchSpaces {
  spaces: string[];
  query: string;
  limit: number;
  offset: number;
  /** The claims of a visitor; without them no page is left out. */
  claims?: Record<string, unknown>;
}

/** The best pages of one space, at most ten. */
export interface SpaceHits {
  space: string;
  title: string;
  score: number;
  pages: SearchItem[];
}

/**
 * Spaces with pages that hold every word of a query, as a visitor with these claims sees them; spaces with the best page come
 * first. `count` is the number of spaces with hits. The caller checks access to the spaces.
 */
export const searchSpaces = question<SearchSpaces, { count: number; items: SpaceHits[] }>('content', 'searchSpaces');

/** Has the content of spaces ready that the same asker searches next. The caller checks access to the spaces. */
export const prewarmSearch = question<Pick<SearchSpaces, 'spaces' | 'claims'>, void>('content', 'prewarmSearch');

/** A page as comments show it. */
export interface TargetPage {
  id: string;
  title: string;
  emoji?: string;
  icon?: string;
  createdAt?: string;
  updatedAt?: string;
  path: string;
}

export interface FindTarget {
  space: string;
  /** Its id or its number; without it, the target is in the primary content. */
  changeRequest?: string;
  page?: string;
  /** The key of a block of the page. */
  node?: string;
}

/** Where something in a space or a change request is now. */
export interface FoundTarget {
  /** The id of the change request. */
  changeRequest?: string;
  /** The user who started the change request. */
  createdBy?: string;
  /** The content that it is found in. */
  revision: string;
  page?: TargetPage;
  /** The body of the page at that time. */
  document?: string;
  node?: { id: string; preview: string };
  /** The answer that `showTargets` would give about the page now. Absent without a page, and in answers of the last release. */
  shown?: ShownTarget | null;
  /** The part of the target that does not exist. */
  lacks?: 'page' | 'node';
}

/** Null for a space that does not exist, and for a change request that it does not have. */
export const findTarget = question<FindTarget, FoundTarget | null>('content', 'findTarget');

export interface ShowTargets {
  organization: string;
  space: string;
  /** The id of a change request. */
  changeRequest?: string;
  /** `document`: the body of the page when the node was seen in it. */
  targets: { page: string; node?: string; document?: string }[];
}

/**
 * A page as it is now. `outdated`: the node that was asked for is gone from it, or the page is gone from the primary content that the
 * change request is based on. A node of a page that would take too long to look at counts as there.
 */
export interface ShownTarget {
  page: TargetPage;
  outdated: boolean;
}

/**
 * Targets as they are now, in the order of the question; null for a page that is gone, and where the content of the change request is
 * kept no longer. A merged change request stands for the primary content.
 */
export const showTargets = question<ShowTargets, (ShownTarget | null)[]>('content', 'showTargets');

export interface FindReaders {
  organization: string;
  space: string;
  users: string[];
}

/** Filters the users: only those who may view the space. */
export const findReaders = question<FindReaders, string[]>('content', 'findReaders');

/** Asks integrations for the block of an integration of a space that shows a URL; null without one. */
export const blockForUrl = question<
  { organization: string; space: string; url: string },
  { integration: string; title: string; block: Extract<Embed, { type: 'integration' }>['block'] } | null
>('integrations', 'blockForUrl');
