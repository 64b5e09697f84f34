import type { Inputs } from './expression-inputs.js';

/** Characters: three of four pages of a manual have fewer. */
const maxCharacters = 8192;
/** Signs that may begin a block or an inline: with them, the nodes of a document are bounded. */
const maxSigns = 500;

const signs = /[^\p{L}\p{N}\p{M} .,;'"()/-]/gu;

/**
 * Whether a page is read in a few milliseconds whatever it holds, and so where it is asked for: a process for it would cost more, and waits for
 * its turn where the machine is busy. What is evaluated for a reader is never small, since nothing bounds expressions by the text alone.
 */
export const isSmallPage = ({ source, inputs }: { source: string; inputs?: Inputs | undefined }): boolean =>
  inputs === undefined && source.length <= maxCharacters && (source.match(signs)?.length ?? 0) <= maxSigns;
