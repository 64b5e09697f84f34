import type { SourceShape } from './source-text.js';

/** An entry of the menu of blocks. */
export interface EditorBlock {
  name: string;
  label: string;
  /** In small letters below. */
  about: string;
  /** Other words that find it. */
  keywords: string;
  text: string;
  /** The part of the text that is selected when it is inserted, to be typed over. */
  select: [from: number, to: number];
}

/** Names the texts that the script of the editor shows. In a text, `{0}` and `{1}` stand for what it is about. */
export type EditorWord =
  | 'text'
  | 'previewFailed'
  | 'kept'
  | 'changed'
  | 'keeping'
  | 'waiting'
  | 'signedOut'
  | 'saving'
  | 'saved'
  | 'saveFailed'
  | 'merged'
  | 'blocks'
  | 'found'
  | 'links'
  | 'searching'
  | 'nothingFound'
  | 'uploading'
  | 'uploadFailed'
  | 'tooLarge'
  | 'pasting'
  | 'title'
  | 'description'
  | 'icon'
  | 'cover'
  | 'hidden'
  | 'wide'
  | 'showCover'
  | 'showTitle'
  | 'showDescription'
  | 'showTableOfContents'
  | 'showOutline'
  | 'showPagination'
  | 'showMetadata'
  | 'inText'
  | 'conflicts'
  | 'conflictsLead'
  | 'draftConflictLead'
  | 'place'
  | 'before'
  | 'mine'
  | 'theirs'
  | 'useMine'
  | 'useTheirs'
  | 'useBoth'
  | 'nothing'
  | 'apply'
  | 'cancel';

/** All that the script of the editor is given by its screen. */
export interface EditorSetup {
  /** The content that the text began with. */
  revision: string;
  /** The version of the draft that the text began with; absent without one. */
  draft?: string | undefined;
  /** How the text that is shown differs from its source. */
  shape: SourceShape;
  urls: Record<'draft' | 'save' | 'merge' | 'preview' | 'links' | 'files' | 'paste', string>;
  /** Bytes. */
  maxFile: number;
  blocks: EditorBlock[];
  words: Record<EditorWord, string>;
  /** The texts of CodeMirror. */
  phrases: Record<string, string>;
}

/** The answer to a text that was saved. */
export interface SavedText {
  revision: string;
  savedAt: string;
  /** The text as it was saved, where that differs from what was sent. */
  markdown?: string;
}

/** The address of an endpoint with further parameters. */
export const withQuery = (url: string, query: Record<string, string>): string =>
  `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`;
