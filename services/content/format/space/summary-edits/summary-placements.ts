import type { ListedPage } from '../summary/listed-pages.js';
import type { EntryPiece } from '../summary/summary-pieces.js';

/** A page and where it is to be listed. */
export interface Placement {
  page: ListedPage;
  /** The document that holds it. */
  parent: ListedPage | undefined;
  /** The number of documents that it is below. */
  depth: number;
  inGroup: boolean;
  /** Its entry, with the lines that it is to have; undefined for a page that is new. */
  entry?: { piece: EntryPiece; lines: string[]; isKept: boolean } | undefined;
}

/** The pages in the order of their lines. */
export function listPlacements(pages: ListedPage[]): Placement[] {
  const placements: Placement[] = [];
  const addLevel = (level: ListedPage[], above: Omit<Placement, 'page'>): void => {
    for (const page of level) {
      placements.push({ page, ...above });
      const isGroup = page.type === 'group';
      const { depth, inGroup } = above;
      addLevel(page.pages, isGroup ? { ...above, inGroup: true } : { parent: page, depth: depth + 1, inGroup });
    }
  };
  addLevel(pages, { parent: undefined, depth: 0, inGroup: false });
  return placements;
}
