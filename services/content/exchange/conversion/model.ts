import type { LinkPlace } from '../../format/document/links/link-places.js';

/** A file of a source, as it lies on the disk of this machine. */
export interface GivenFile {
  /** Its path in the source, with forward slashes; or its address. */
  path: string;
  /** The file on the disk. */
  file: string;
  /** Bytes. */
  size: number;
  /** The `Content-Type` header that came with it. */
  contentType?: string | undefined;
}

/** A page as it is imported, with the places of its links as the source has them. */
export interface ConvertedPage {
  /** Of the page itself; absent where it names none. */
  title?: string | undefined;
  markdown: string;
  /** Whether the Markdown itself says the title. */
  titled: boolean;
  places: LinkPlace[];
  /** Images that the page itself holds, by the addresses that it has for them. */
  inline: GivenFile[];
  /** Of an HTML page: the addresses it links to, also in its navigation, in order. */
  links: string[];
  /** Of an HTML page: the address it says it is found at. */
  canonical?: string | undefined;
  /** Of an HTML page: what its addresses are relative to, if it says so. */
  base?: string | undefined;
  /** Of an HTML page: the anchors for ids that no heading has; '' for the beginning of the page. */
  ids?: ReadonlyMap<string, string> | undefined;
}

export type PageFormat = 'html' | 'markdown' | 'docx' | 'csv';

/** What a page is part of, where that changes how it is read. */
export type Flavour = 'plain' | 'gitbook' | 'wiki' | 'notion' | 'confluence' | 'docusaurus' | 'mdbook';

/** A place in the tree of pages that an archive is. */
export interface PlannedPage {
  /** The path of its file; absent where it only holds other pages. */
  path?: string;
  /** Goes before the title that the page itself has. */
  title?: string;
  /** The title of a page that has none of its own. */
  name: string;
  /** At the top level, a group. */
  isGroup?: true;
  children: PlannedPage[];
}

export interface PlannedTree {
  flavour: Flavour;
  pages: PlannedPage[];
  /** The folder that links from `/` begin at. */
  root: string;
}
