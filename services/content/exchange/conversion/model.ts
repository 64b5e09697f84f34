import type { SourceLink } from '../../format/document/links/link-places.js';

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
  /** The title in the page itself; absent where it names none. */
  title?: string | undefined;
  markdown: string;
  /** Whether the Markdown itself says the title. */
  titled: boolean;
  places: SourceLink[];
  /** Images that the page itself holds, by the addresses that it has for them. */
  inline: GivenFile[];
  /** The addresses that an HTML page links to, also in its navigation, in order. */
  links: string[];
  /** The canonical address that an HTML page states. */
  canonical?: string | undefined;
  /** The address that those of an HTML page are relative to, if it names one. */
  base?: string | undefined;
  /** The anchors in an HTML page for ids that no heading has; '' for the beginning of the page. */
  ids?: ReadonlyMap<string, string> | undefined;
}

export type PageFormat = 'html' | 'markdown' | 'docx' | 'csv';

/** The product that a page comes from, where that changes how it is read. */
export type Flavour = 'plain' | 'gitbook' | 'wiki' | 'notion' | 'confluence' | 'docusaurus' | 'mdbook';

/** A place in the tree of pages that an archive is. */
export interface ArchivePage {
  /** The path of its file; absent where it only holds other pages. */
  path?: string;
  /** Goes before the title that the page itself has. */
  title?: string;
  /** The title of a page that has none of its own. */
  name: string;
  /** At the top level, a group. */
  isGroup?: true;
  children: ArchivePage[];
}

export interface PlannedTree {
  flavour: Flavour;
  pages: ArchivePage[];
  /** The folder that links from `/` begin at. */
  root: string;
}
