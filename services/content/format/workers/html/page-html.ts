import { type DrawDiagram, hasDiagrams, loadDiagrams } from '../../html/diagrams/drawing.js';
import { renderBody } from '../../html/render-body.js';
import type { PageBehindLink, PlacedDocument, RenderedBody, ShownFile } from '../../html/rendered-body.js';
import { type DocumentReading, document } from '../page-document.js';

/** A body with everything that it shows. */
export interface HtmlReading extends DocumentReading {
  /** The bodies of reusable content, by their ids. */
  included: ReadonlyMap<string, DocumentReading>;
  pages: ReadonlyMap<string, PageBehindLink>;
  files: ReadonlyMap<string, ShownFile>;
  /** Names its blocks by their keys. */
  namesBlocks?: boolean;
}

/** A body as HTML, for the readers of sites. */
export async function bodyHtml({ namesBlocks = false, ...reading }: HtmlReading): Promise<RenderedBody> {
  const body = readWholeBody(reading, { keyed: namesBlocks });
  const drawDiagram = await diagramsFor([body]);
  return renderBody(body.document, body.surroundings, { drawDiagram, namesBlocks });
}

/** A body as a document, with everything that it shows. `keyed`: with the keys of blocks. */
export function readWholeBody(
  { included, pages, files, ...reading }: HtmlReading,
  { keyed }: { keyed: boolean },
): PlacedDocument {
  const whole = { blocks: 'all', keyed } as const;
  const reusable = new Map([...included].map(([id, body]) => [id, document({ ...body, ...whole })]));
  return { document: document({ ...reading, ...whole }), surroundings: { pages, files, reusable } };
}

/** Loads what draws diagrams where bodies have some: it takes long to load, and few pages do. */
export async function diagramsFor(bodies: PlacedDocument[]): Promise<DrawDiagram | undefined> {
  const documents = bodies.flatMap(({ document: own, surroundings }) => [own, ...surroundings.reusable.values()]);
  return documents.some(hasDiagrams) ? loadDiagrams() : undefined;
}
