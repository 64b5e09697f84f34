import type { ContentRef } from '../resources.js';

/** A block, or a run of lines, of two bodies that are shown as one. HTML is that of `format/html`, with its marks. */
export type DifferencePart = {
  /** The key of the block: of the later body where it has the block, else of the earlier one. */
  key: string;
} & (
  | { kind: 'same'; html: string }
  /** `moved`: the other body has an equal block elsewhere. */
  | { kind: 'added' | 'removed'; html: string; moved?: true }
  /**
   * One block for both bodies: `<ins>`, and elements of the class `added`, hold what the earlier one lacks; `<del>`, and elements of the
   * class `removed`, what the later one lacks.
   */
  | { kind: 'changed'; html: string }
  /** Two blocks to be seen beside each other. */
  | { kind: 'changed'; before: string; after: string }
);

/**
 * The difference between two bodies, in their order: by `blocks`, or by the `lines` of their sources where they are too large or too deep
 * for that. Without parts where even this is too much.
 */
export type BodyDifference =
  | { form: 'blocks' | 'lines'; parts: DifferencePart[]; outside: ContentRef[] }
  | { form: 'tooLarge' };

/** Characters of HTML that a difference has at most. */
export const maxDifferenceHtml = 8_000_000;
/** Parts that it has at most: each is elements of its own on a screen. */
export const maxDifferenceParts = 5000;
