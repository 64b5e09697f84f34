import { type Collection, collection, type Document, type Write } from '../../../../shared/store/port.js';
import type { SearchIndex } from '../../../../shared/store/search-port.js';
import type { PageMeta, PageSection, PageTag, StoredLink } from '../../format/document/stored-page.js';
import type { ContentRef } from '../../format/resources.js';
import type { MetaLinks, PageLayout } from '../../format/space/front-matter/front-matter.js';
import { spaces } from '../nodes/model.js';
import type { revisionTypes } from './resources.js';

export interface GitBlob {
  oid: string;
  path: string;
}

/** A page in the tree of a revision; its body is a page document. */
export interface PageNode {
  id: string;
  type: 'document' | 'group' | 'link' | 'computed';
  title: string;
  /** The title as the first heading of its source says it, where the page was renamed since. */
  heading?: string;
  /** Its title in the navigation. */
  linkTitle?: string;
  slug: string;
  path: string;
  emoji?: string;
  icon?: string;
  description?: string;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
  /** Names the last time that a writer put it where it is. */
  placed?: string;
  /** The page document's id within the space. */
  document?: string;
  layout?: PageLayout;
  cover?: { url: string; urlDark?: string; yPos: number };
  metaLinks?: MetaLinks;
  variables?: Record<string, unknown>;
  tags?: PageTag[];
  condition?: string;
  /** The body is the same for every reader. Other pages are evaluated when they are read. */
  plain?: true;
  /** Other names that links of the revision use for its anchors, with the anchors. */
  aliases?: [alias: string, anchor: string][];
  git?: GitBlob;
  target?: ContentRef;
  href?: string;
  computed?: { type: string; props?: unknown; dependencies?: unknown };
  createdAt?: string;
  updatedAt?: string;
  /** Chunks of child pages. */
  children: string[];
}

/** The text of a first heading that only repeats the title; such a heading is left out of the body. */
export const headingOrTitle = ({ heading, title }: Pick<PageNode, 'heading' | 'title'>): string => heading ?? title;

export interface FileEntry {
  id: string;
  name: string;
  contentType: string;
  size: number;
  blob: string;
  dimensions?: { width: number; height: number };
  git?: GitBlob;
}

export interface ReusableEntry {
  id: string;
  title: string;
  document: string;
  aliases?: [alias: string, anchor: string][];
  git?: GitBlob;
}

/** An old path of a page, and the page it leads to. */
export interface RedirectEntry {
  from: string;
  page: string;
  anchor?: string;
  /** It was noted when the page moved, and no author wrote it: imports keep it. */
  moved?: true;
}

/** A tag of pages and updates. Revisions of earlier versions have its label only. */
export interface TagName {
  tag: string;
  label: string;
  icon?: string;
  color?: string;
}

/** A file of the repository that says how the space is built, such as its table of contents. */
export interface SettingFile extends GitBlob {
  text: string;
}

/** A content-addressed part of revisions: the children of one parent, files or paths, at most `chunkSize` of them. */
export interface ChunkDocument {
  _id: string;
  space: string;
  pages?: PageNode[];
  files?: FileEntry[];
  reusable?: ReusableEntry[];
  redirects?: RedirectEntry[];
  outside?: string[];
  settings?: SettingFile[];
}

export interface RevisionDocument {
  _id: string;
  space: string;
  parents: string[];
  type: (typeof revisionTypes)[number];
  pages: string[];
  files: string[];
  reusable: string[];
  redirects?: string[];
  /** Paths of the repository that pages link to and that do not belong to the space. */
  outside?: string[];
  variables?: Record<string, unknown>;
  tags?: TagName[];
  git?: { oid: string; message: string; createdByService: boolean; url?: string; ref?: string };
  /** Prefix of links to files of the repository outside the space. */
  treeURL?: string;
  /** Where in a repository the content lies, and the chunk with the settings that it was read with. */
  repository?: { directory: string; settings: string };
  /** The user who made it; absent for the system. */
  author?: string;
  /** Set if it is, or was, the primary content of the space: it belongs to the history. */
  primary?: true;
  /** The change request that was merged; only for a merge. */
  mergedFrom?: string;
  /** Describes the revision in words. */
  subject?: string;
  createdAt: string;
}

/** The immutable body of a page: its source byte for byte, and what was parsed from it. `_id` is `<space>:<git blob oid>`. */
export interface PageDocument {
  _id: string;
  space: string;
  source: string;
  title?: string;
  meta: PageMeta;
  sections: PageSection[];
  /** Every link target, as written. */
  links: StoredLink[];
  /**
   * Its anchors: of its headings in their order, then all others. Absent in documents that earlier versions stored; the anchors of
   * their headings are those of the sections.
   */
  anchors?: string[];
  /** Other names that links may use for its anchors, with the anchors. */
  aliases?: [alias: string, anchor: string][];
}

export const chunkSize = 200;

export const revisions = collection<RevisionDocument>('content_revisions', [
  { on: { space: 1 } },
  { on: { space: 1, primary: 1, createdAt: -1 }, where: 'primary' },
]);
export const chunks = collection<ChunkDocument>('content_chunks', [{ on: { space: 1 } }]);
export const pageDocuments = collection<PageDocument>('content_page_documents', [{ on: { space: 1 } }]);

/** The words of pages; the scope is the space. */
/** Its scopes are spaces; those of an organization are searched together. */
export const pageSearch: SearchIndex = {
  name: 'content_page_search',
  groups: { collection: spaces as unknown as Collection<never>, field: 'organization' },
};

export const documentId = (space: string, oid: string) => `${space}:${oid}`;

/** Counts what a space stores in revisions. Storage stands on revisions, so its ledger is declared here as far as they need it. */
export type HasMeter = {
  ledger: {
    addDocuments<D extends Document>(
      owner: { organization: string; space: string },
      collection: Collection<D>,
      documents: D[],
    ): Promise<void>;
    commitCheck(space: string, sweeps?: number): Write;
  };
};
