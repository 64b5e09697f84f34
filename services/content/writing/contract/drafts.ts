import { question, verb } from '../../../../shared/contract/verb.js';

/** A page that somebody writes: of a change request, or of the content of a live space. */
export interface DraftPlace {
  space: string;
  /** Its id or its number. */
  changeRequest?: string | undefined;
  /** The id of a page; `new:` and a name of up to 40 letters and digits for one that is not there yet. */
  page: string;
}

/** A page by its id, or by its path. */
export type ReadSource = Omit<DraftPlace, 'page'> & ({ page: string } | { path: string });

/** A page as its author wrote it. */
export interface PageSource {
  page: string;
  title: string;
  path: string;
  /** Byte for byte. */
  source: string;
  /** The content that it was read from. */
  revision: string;
  /** The id of the change request. */
  changeRequest?: string;
}

/**
 * The source of a page for somebody who may edit the space, to be changed and sent back as an `exact` document. Throws 404 where the content has no such
 * page, 400 for a page that nobody writes.
 */
export const readSource = question<ReadSource, PageSource>('content', 'readSource');

/** Something of the content that a link of a page may lead to. */
export type LinkSuggestion =
  | { kind: 'page'; id: string; title: string; path: string; emoji?: string; icon?: string }
  | { kind: 'file'; id: string; name: string; isImage: boolean };

/**
 * For somebody who may edit the space: pages and files whose title, path or name has each word of a query, the best twenty. Without a query, the first
 * pages.
 */
export const suggestLinks = question<Omit<DraftPlace, 'page'> & { query: string }, LinkSuggestion[]>(
  'content',
  'suggestLinks',
);

export interface MergeDraft extends DraftPlace {
  /** The content that the writer began with. */
  revision: string;
  markdown: string;
  /** `draft`: merges with the draft that another window of the writer kept, in place of the content as it is now. */
  against?: 'draft' | undefined;
}

/** A place of a page that the writer and others changed, each differently. */
export interface DraftConflict {
  /** Where `mine` stands in the merged source, in characters. */
  at: number;
  /** The lines that it stands for, with those beside them that changed as well. */
  base: string;
  mine: string;
  theirs: string;
}

export interface MergedDraft {
  /** The source with the changes of both; with those of the writer in all conflicts. */
  merged: string;
  conflicts: DraftConflict[];
  /** The content that it was merged with: what is saved next begins with it. */
  revision: string;
  /** The version of the draft that it was merged with. */
  version?: string;
}

/**
 * Merges the text of a writer, who may edit the space, with what became of the page since, or of its draft. Without the content that it began with, which is kept for a
 * time only, all that differs is in conflict. Throws 404 where the page is gone, 422 for what takes too much to compare.
 */
export const mergeDraft = question<MergeDraft, MergedDraft>('content', 'mergeDraft');

/** The content that a draft began with. */
export interface DraftBase {
  revision: string;
  /** The page above a new page. */
  into?: string | undefined;
}

/** The text of a page that its writer has not saved yet. Nobody else sees it. */
export interface Draft extends DraftBase {
  page: string;
  /** The id of the change request. */
  changeRequest?: string;
  /** Another one with each change of the text. */
  version: string;
  updatedAt: string;
}

export interface DraftWithText extends Draft {
  markdown: string;
}

export interface KeepDraft extends DraftPlace, DraftBase {
  markdown: string;
  /** The version that the writer saw last; absent where it saw none. */
  version?: string | undefined;
}

/** `conflict`: the draft as another window of the writer changed it meanwhile; nothing was kept. */
export type KeptDraft = { version: string; savedAt: string } | { conflict: DraftWithText };

/**
 * Keeps a draft of the caller, who needs the right to edit the space. It is on disk when the answer comes. Kept text that is equal counts as seen, so
 * that a lost answer makes no conflict. Throws 400 where the change request is closed or the space is locked, 409 for more drafts than one may have.
 */
export const keepDraft = verb<KeepDraft, KeptDraft>('content', 'keepDraft');

/** A draft of the caller; null without one. It can be read as long as the caller may edit the space. */
export const readDraft = question<DraftPlace, DraftWithText | null>('content', 'readDraft');

/** A draft without its text, and where it belongs. */
export interface ListedDraft extends Pick<Draft, 'page' | 'version' | 'updatedAt'> {
  space: { id: string; title: string };
  changeRequest?: { number: number; subject: string };
  /** Names the page; one that is gone as when the draft began, as long as that content is kept. */
  title?: string;
  /** The path of the page; absent where it is gone. */
  path?: string;
}

/** The drafts of the caller in the spaces of an organization that the caller may edit, the latest first. */
export const listDrafts = question<{ organization: string }, ListedDraft[]>('content', 'listDrafts');

/** Removes a draft of the caller; with a `version`, only where it is that one. Returns whether it did. */
export const dropDraft = verb<DraftPlace & { version?: string | undefined }, boolean>('content', 'dropDraft');

export interface SavePage extends DraftPlace {
  markdown: string;
  /** The content that the writer began with. */
  revision: string;
  /** The version of the draft that the text was kept in: it is removed, where it is still that one. */
  version?: string | undefined;
}

/**
 * Saves the source of a page byte for byte, as `updateChangeRequestContent` and `updateSpaceContent` do with an `exact` document: with their checks, audit
 * and events. Returns the revision that it made, or that is so already, and the source there. Throws 409 `revision_outdated` where others changed the page.
 */
export const savePage = verb<SavePage, Pick<PageSource, 'revision' | 'source'>>('content', 'savePage');
