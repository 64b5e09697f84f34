import { LastUsed } from '../../../../shared/work/last-used.js';
import type { PageDocument } from '../../core/revisions/model.js';

/** The parts of page documents that every export looks at. */
export type ReadDocument = Pick<PageDocument, 'links' | 'meta'>;

/** A source as it goes into the repository. */
export interface RememberedSource {
  source: string;
  oid: string;
  /** Whether it differs from that in the space. */
  isChanged: boolean;
}

/**
 * Keeps what exports of one revision of a space after the other have in common: what did not change between two of them is neither read
 * nor written again.
 */
export class ExportMemory {
  /** By the ids of documents within the space. */
  readonly documents = new LastUsed<ReadDocument>();
  /** Sources as they were written, by what they were written from. */
  readonly sources = new LastUsed<RememberedSource>();
  /** Git's hashes of files, by their blobs. */
  readonly oids = new LastUsed<string>();

  /** Has to be called before each export. */
  beginExport(): void {
    for (const each of [this.documents, this.sources, this.oids]) each.turn();
  }
}
