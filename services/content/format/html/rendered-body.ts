import type { JSONDocument } from '../document/document-model.js';
import type { ContentRef } from '../resources.js';

/** A page of the same space that a body links to. */
export interface PageBehindLink {
  /** Within the space, without a leading slash, not encoded. */
  path: string;
  title: string;
  description?: string;
  /** A character. */
  emoji?: string;
  /** The name of an icon. */
  icon?: string;
}

/** A file of the space that a body shows or links to. */
export interface ShownFile {
  name: string;
  contentType: string;
  /** Bytes. */
  size: number;
  /** Its signed path, with a leading slash. */
  path: string;
  /** Pixels. */
  dimensions?: { width: number; height: number };
}

/** Everything that a document shows and that is not in it, by the ids that its references name. */
export interface Surroundings {
  pages: ReadonlyMap<string, PageBehindLink>;
  files: ReadonlyMap<string, ShownFile>;
  /** Documents of reusable content. */
  reusable: ReadonlyMap<string, JSONDocument>;
}

/** A document with everything that it shows. */
export interface PlacedDocument {
  document: JSONDocument;
  surroundings: Surroundings;
}

/** A heading in the outline of a page. */
export interface OutlineEntry {
  id: string;
  title: string;
  /** 1 for the headings below the title of the page, 2 and 3 for those below them. */
  level: 1 | 2 | 3;
}

/** A block that a body leaves a mark for: it depends on more than the revision. */
export type LateBlock =
  | { kind: 'embed'; url: string; fullWidth: boolean }
  | {
      kind: 'integration';
      integration: string;
      block: string;
      props: Record<string, unknown>;
      url?: string;
    }
  | {
      kind: 'openapi';
      /** The slug of a specification of the organization, or the id of a file of the space. */
      spec: { slug: string } | { file: string };
      /** The anchor of the block. */
      id: string | undefined;
      shown:
        | { type: 'operation'; path: string; method: string; expanded: boolean }
        | { type: 'webhook'; name: string; method: string }
        | { type: 'schemas'; schemas: string[]; grouped: boolean };
    };

/** An entry of an `updates` block, for feeds. */
export interface UpdateEntry {
  id: string;
  /** ISO 8601. */
  date: string;
  title: string;
  tags: string[];
  /** HTML with marks. */
  html: string;
}

/** A document as HTML. It holds marks (`marks.ts`) for what depends on more than the revision that it belongs to. */
export interface RenderedBody {
  html: string;
  /** Headings, and the positions of late blocks that may have one. */
  outline: (OutlineEntry | { late: number })[];
  /** References out of the space, which marks name by their position. */
  outside: ContentRef[];
  /** Blocks that marks name by their position. */
  late: LateBlock[];
  updates: UpdateEntry[];
  /** The types of blocks and inlines that are not known, each once. */
  unknown: string[];
}
