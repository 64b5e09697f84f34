import { renderToString } from 'preact-render-to-string';
import type { IconStyle } from '../../../../shared/icons/icons.js';
import type { DocumentNode, JSONDocument } from '../document/document-model.js';
import type { ContentRef } from '../resources.js';
import { renderBlocks } from './blocks/blocks.js';
import { maxHighlightedCode } from './code/code-block.js';
import type { DrawDiagram } from './diagrams/drawing.js';
import { renderNotes } from './inlines/notes.js';
import { marks } from './marks.js';
import { maxFormulas } from './math/math.js';
import { childrenOf, textIn } from './read-data.js';
import type { PlacedDocument, RenderedBody, Surroundings } from './rendered-body.js';
import type { Child, Rendering } from './rendering.js';

export interface RenderOptions {
  /** Blocks, inlines, lines and cells that are shown at most. */
  maxNodes?: number | undefined;
  /** `solid` by default, which alone has every icon. */
  icons?: IconStyle | undefined;
  /** Names each block of the body by its key, with a mark at its end; the keys must be in the document. */
  namesBlocks?: boolean | undefined;
  /** From `loadDiagrams`; without it, diagrams are shown as their source. */
  drawDiagram?: DrawDiagram | undefined;
}

const maxNodes = 200_000;

/** A document as HTML: the same for every site and language, because marks stand for what differs. No document makes it throw. */
export function renderBody(
  document: JSONDocument,
  surroundings: Surroundings,
  options: RenderOptions = {},
): RenderedBody {
  const rendering = newRendering(surroundings, options);
  const nodes = childrenOf(document);
  const blocks = options.namesBlocks ? renderNamedBlocks(rendering, nodes) : renderBlocks(rendering, nodes);
  const notes = renderNotes(rendering);
  const html = renderToString(
    <>
      {blocks}
      {notes}
      {rendering.cut ? <p class="cut">{marks.word('tooLong')}</p> : null}
    </>,
  );
  const { outline, outside, late, updates, unknown } = rendering;
  return { html, outline, outside, late, updates, unknown: [...unknown] };
}

/** Blocks that become others in the document that the API has, so that nobody can name them there. */
const withoutName = new Set(['updates', 'update', 'prompt']);

const renderNamedBlocks = (rendering: Rendering, nodes: DocumentNode[]): Child[] =>
  nodes.map((node) => {
    const made = renderBlocks(rendering, [node]);
    if (node.object !== 'block' || withoutName.has(node.type)) return made;
    return (
      <div class="block" data-block={node.key}>
        {made}
        {marks.block(node.key)}
      </div>
    );
  });
/** A document whose blocks are rendered each alone. */
export interface SeparateBody {
  blocks: { key: string; content: Child }[];
  notes: { number: number; content: Child }[];
  /** Whether a part of it is left out. */
  isCut: boolean;
}

/**
 * Documents whose blocks stand side by side, as their writers see them: with conditions, and with what depends on more than the revision as
 * the source names it. `names` begins the names of their elements. References out of the space have their positions in one list.
 */
export function renderSeparately(
  documents: PlacedDocument[],
  { names = '', ...options }: RenderOptions & { names?: string },
): { bodies: SeparateBody[]; outside: ContentRef[] } {
  const outside: ContentRef[] = [];
  const outsidePositions = new Map<string, number>();
  const bodies = documents.map(({ document, surroundings }, at): SeparateBody => {
    const common = { outside, outsidePositions, asWritten: true, namePrefix: `${names}${at}-` };
    const rendering = { ...newRendering(surroundings, options), ...common };
    const blocks = childrenOf(document).map((node) => ({
      key: node.object === 'block' ? textIn(node.key) : '',
      content: renderBlocks(rendering, [node]),
    }));
    return { blocks, notes: rendering.notes, isCut: rendering.cut };
  });
  return { bodies, outside };
}

function newRendering(surroundings: Surroundings, options: RenderOptions): Rendering {
  return {
    surroundings,
    icons: options.icons ?? 'solid',
    drawDiagram: options.drawDiagram,
    asWritten: false,
    namePrefix: '',
    renderBlocks,
    outline: [],
    outside: [],
    outsidePositions: new Map(),
    late: [],
    updates: [],
    unknown: new Set(),
    notes: [],
    ids: new Map(),
    names: 0,
    images: 0,
    diagrams: 0,
    formulaBudget: maxFormulas,
    codeBudget: maxHighlightedCode,
    nodesLeft: options.maxNodes ?? maxNodes,
    depth: 0,
    cut: false,
    outlined: true,
    inLink: false,
    inUpdate: false,
    open: new Set(),
  };
}
