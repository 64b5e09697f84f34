import { compareBodies } from '../../differences/compare-bodies.js';
import { compareLines } from '../../differences/compare-lines.js';
import { type BodyDifference, maxDifferenceParts } from '../../differences/difference.js';
import { diagramsFor, type HtmlReading, readWholeBody } from './page-html.js';

/** Two bodies to be compared; a side that has none is empty. */
export interface ComparedReadings {
  before?: HtmlReading | undefined;
  after?: HtmlReading | undefined;
  /** Begins the names of elements, which are those of one screen. */
  names: string;
}

const empty: HtmlReading = { source: '', refs: new Map(), included: new Map(), pages: new Map(), files: new Map() };

/** The difference between two bodies, by lines where it cannot be shown by blocks. */
export async function bodyDifference({
  before = empty,
  after = empty,
  names,
}: ComparedReadings): Promise<BodyDifference> {
  const [was, is] = [readWholeBody(before, { keyed: true }), readWholeBody(after, { keyed: true })];
  const drawDiagram = await diagramsFor([was, is]);
  const byBlocks = compareBodies(was, is, { names, drawDiagram });
  const isShown = byBlocks?.form === 'blocks' && byBlocks.parts.length <= maxDifferenceParts;
  return isShown ? byBlocks : compareLines(before.source, after.source);
}

/** The sources of both sides. */
export interface ComparedSources {
  before: string;
  after: string;
}

export const lineDifference = ({ before, after }: ComparedSources): BodyDifference => compareLines(before, after);
