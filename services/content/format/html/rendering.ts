import type { ComponentChild } from 'preact';
import type { IconStyle } from '../../../../shared/icons/icons.js';
import type { DocumentNode } from '../document/document-model.js';
import type { ContentRef } from '../resources.js';
import type { DrawDiagram } from './diagrams/drawing.js';
import { marks } from './marks.js';
import { textIn } from './read-data.js';
import type { LateBlock, RenderedBody, Surroundings, UpdateEntry } from './rendered-body.js';

export type Child = ComponentChild;

export interface Note {
  id: string;
  number: number;
  content: Child;
}

/** The state of rendering one document. */
export interface Rendering {
  surroundings: Surroundings;
  icons: IconStyle;
  drawDiagram: DrawDiagram | undefined;
  /** For writers: conditions are shown with their content, and what is filled later or opened by a click as what the source says. */
  asWritten: boolean;
  /** Begins the number of each generated name. */
  namePrefix: string;
  /** Renders the nodes in an inline: it is passed here because the renderers of blocks and inlines need each other. */
  renderBlocks: (rendering: Rendering, nodes: DocumentNode[]) => Child[];
  outline: RenderedBody['outline'];
  outside: ContentRef[];
  /** The positions of outside references by their JSON. */
  outsidePositions: Map<string, number>;
  late: LateBlock[];
  updates: UpdateEntry[];
  unknown: Set<string>;
  notes: Note[];
  /** The ids that elements have, and how many more wanted each. */
  ids: Map<string, number>;
  /** The number of generated names so far. */
  names: number;
  images: number;
  diagrams: number;
  /** Characters left for formulas and for highlighted code. */
  formulaBudget: number;
  codeBudget: number;
  nodesLeft: number;
  depth: number;
  cut: boolean;
  /** Whether headings here belong to the outline. */
  outlined: boolean;
  inLink: boolean;
  /** Feeds list no update within another one. */
  inUpdate: boolean;
  /** The reusable contents being rendered, which must not contain themselves. */
  open: Set<string>;
}

/** Deeper blocks are left out, so that no document exhausts the stack. */
const maxDepth = 100;
const maxUnknown = 50;

/** Counts one node; false when the document has more than may be shown. */
export function spendNode(rendering: Rendering): boolean {
  if (rendering.nodesLeft > 0) {
    rendering.nodesLeft--;
    return true;
  }
  rendering.cut = true;
  return false;
}

/** Renders a level deeper; `none` where that is too deep. */
export function renderDeeper<T>(rendering: Rendering, none: T, render: () => T): T {
  if (rendering.depth >= maxDepth) {
    rendering.cut = true;
    return none;
  }
  rendering.depth++;
  const made = render();
  rendering.depth--;
  return made;
}

/** Renders with the headings inside left out of the outline. */
export function renderUnlisted<T>(rendering: Rendering, render: () => T): T {
  const before = rendering.outlined;
  rendering.outlined = false;
  const made = render();
  rendering.outlined = before;
  return made;
}

export function noteUnknown(rendering: Rendering, type: unknown): void {
  if (rendering.unknown.size < maxUnknown) rendering.unknown.add(textIn(type).slice(0, 100));
}

/** The id that an element gets: another one when an element of the page has it already. */
export function claimId(rendering: Rendering, wanted: unknown): string | undefined {
  const id = textIn(wanted).slice(0, 300);
  if (id === '' || /\s/.test(id)) return undefined;
  let [free, count] = [id, rendering.ids.get(id) ?? 0];
  while (rendering.ids.has(free)) free = `${id}-${++count + 1}`;
  rendering.ids.set(id, count);
  rendering.ids.set(free, 0);
  return free;
}

/** A name that no anchor of a page has: anchors have no colon. */
export const newName = (rendering: Rendering, kind: string): string =>
  `${kind}:${rendering.namePrefix}${++rendering.names}`;

/** The position of a reference out of the space. */
export function outsidePosition(rendering: Rendering, ref: ContentRef): number {
  const key = JSON.stringify(ref);
  const known = rendering.outsidePositions.get(key);
  if (known !== undefined) return known;
  rendering.outsidePositions.set(key, rendering.outside.length);
  return rendering.outside.push(ref) - 1;
}

/** The place of a block that is filled later; it stands where a block may stand. */
export const leaveLate = (rendering: Rendering, block: LateBlock): string => marks.late(rendering.late.push(block) - 1);

export const classNames = (...names: (string | false | undefined)[]): string | undefined =>
  names.filter((name) => name !== false && name !== undefined && name !== '').join(' ') || undefined;
