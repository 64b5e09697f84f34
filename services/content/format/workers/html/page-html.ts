import { hasDiagrams, loadDiagrams } from '../../html/diagrams/drawing.js';
import { renderBody } from '../../html/render-body.js';
import type { PageBehindLink, RenderedBody, ShownFile } from '../../html/rendered-body.js';
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

const whole = { blocks: 'all', keyed: false } as const;

/** A body as HTML, for the readers of sites. */
export async function bodyHtml({
  included,
  pages,
  files,
  namesBlocks = false,
  ...reading
}: HtmlReading): Promise<RenderedBody> {
  const reusable = new Map([...included].map(([id, body]) => [id, document({ ...body, ...whole })]));
  const own = document({ ...reading, ...whole, keyed: namesBlocks });
  // It takes long to load, and few pages have diagrams.
  const drawDiagram = [own, ...reusable.values()].some(hasDiagrams) ? await loadDiagrams() : undefined;
  return renderBody(own, { pages, files, reusable }, { drawDiagram, namesBlocks });
}
