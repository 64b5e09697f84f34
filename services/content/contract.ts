import { defineContract } from '../../shared/contract/operation.js';
import { question, verb } from '../../shared/contract/verb.js';
import type { Principal } from '../identity/contract.js';
import type { Role } from '../identity/resources.js';
import { changeRequestOperations } from './core/contract/change-requests.js';
import { collectionOperations } from './core/contract/collections.js';
import { memberSpaceOperations } from './core/contract/member-spaces.js';
import { permissionOperations } from './core/contract/permissions.js';
import { spaceOperations } from './core/contract/spaces.js';
import { storageOperations } from './core/contract/storage.js';
import { translationOperations } from './core/contract/translations.js';
import { contentImportOperations } from './exchange/contract/content-imports.js';
import { exportOperations } from './exchange/contract/git-exports.js';
import { importOperations } from './exchange/contract/git-imports.js';
import { specContentOperations, specOperations, specVersionOperations } from './openapi/contract/specs.js';
import { linksOperations } from './reading/contract/links.js';
import { organizationSearchOperations } from './reading/contract/organization-search.js';
import { computedOperations, embedOperations, readingOperations } from './reading/contract/pages.js';
import { searchOperations } from './reading/contract/search.js';
import type { PageBody, SearchItem, Space } from './resources.js';
import { writingOperations } from './writing/contract/changes.js';
import { historyOperations } from './writing/contract/history.js';
import { mergingOperations } from './writing/contract/merging.js';

export const contentContract = defineContract('content', {
  ...spaceOperations,
  ...collectionOperations,
  ...permissionOperations,
  ...memberSpaceOperations,
  ...readingOperations,
  ...computedOperations,
  ...embedOperations,
  ...linksOperations,
  ...searchOperations,
  ...organizationSearchOperations,
  ...changeRequestOperations,
  ...writingOperations,
  ...mergingOperations,
  ...historyOperations,
  ...importOperations,
  ...exportOperations,
  ...contentImportOperations,
  ...storageOperations,
  ...specOperations,
  ...specVersionOperations,
  ...specContentOperations,
  ...translationOperations,
});

export interface ImportHandbook {
  organization: string;
  /** The user who gets the space. */
  creator: string;
  /** The id of the space. */
  space: string;
}

/** Makes a space of the handbook that ships with the product; an existing space of this id is left as it is. */
export const importHandbook = verb<ImportHandbook, void>('content', 'importHandbook');

export interface CountSpaces {
  organization: string;
  members: Pick<Principal, 'user' | 'role' | 'teams' | 'disabled'>[];
  teams: string[];
}

/** The number of spaces that each member has access to, and that are granted to each team, in the order of the question. */
export const countSpaces = question<CountSpaces, { members: number[]; teams: number[] }>('content', 'countSpaces');

export interface GrantByInvite {
  organization: string;
  kind: 'space' | 'collection';
  /** The id of the space or collection. */
  id: string;
  user: string;
  level: Role | null;
}

/** Gives a member at least this level on a space or a collection; a higher level that it already has stays. */
export const grantByInvite = verb<GrantByInvite, void>('content', 'grantByInvite');

export interface PresentSpaces {
  organization: string;
  ids: string[];
}

/**
 * Spaces in the order of the ids, with the permissions of the caller: all false where it has no role. Deleted spaces carry
 * `deletedAt`; null for an id that does not exist or belongs to another organization.
 */
export const presentSpaces = question<PresentSpaces, (Space | null)[]>('content', 'presentSpaces');

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

export interface FindChangeRequest {
  space: string;
  /** Its id or its number. */
  changeRequest: string;
}

export interface FoundChangeRequest {
  id: string;
  /** Its content. */
  revision: string;
}

/** A change request of a space; null for one that the space does not have. */
export const findChangeRequest = question<FindChangeRequest, FoundChangeRequest | null>('content', 'findChangeRequest');

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

/** A text of another service: in GitHub-flavored Markdown, or as a document. */
export type Text = { markdown: string } | { document: PageBody };

export interface ReadTexts {
  organization: string;
  texts: Text[];
}

/** A text in both forms. Neither runs a script, whoever shows it. */
export interface ReadText {
  /** As it was given, where that is safe. */
  markdown: string;
  document: PageBody;
  /** The ids of the users whom it mentions, each once; they may not exist. */
  mentions: string[];
}

/** Texts in both forms, in the order of the question; `refused` says why a text is not taken. */
export const readTexts = question<ReadTexts, (ReadText | { refused: string })[]>('content', 'readTexts');

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
  /** The content that it is found in. */
  revision: string;
  page?: TargetPage;
  /** The body of the page at that time. */
  document?: string;
  node?: { id: string; preview: string };
  /** What does not exist of what was asked for. */
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

/** Those of the users who may view the space. */
export const findReaders = question<FindReaders, string[]>('content', 'findReaders');
