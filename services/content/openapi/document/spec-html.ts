import { type RenderedSpecBlock, renderOpenApi } from '../../format/html/openapi/render-openapi.js';
import type { LateBlock } from '../../format/html/rendered-body.js';
import { isObject } from './plain-json.js';
import { processFiles } from './processed-spec.js';

export type ShownSpecBlock = Extract<LateBlock, { kind: 'openapi' }>;

export interface SpecReading {
  /** A stored specification as JSON, or a file as its author wrote it. */
  bytes: Uint8Array;
  isStored: boolean;
  blocks: ShownSpecBlock[];
  /** Distinguishes the ids of this specification from those of others on the page. */
  prefix: string;
}

/** The blocks of a page about one specification. A file that is no specification is shown as missing. */
export function specHtml({ bytes, isStored, blocks, prefix }: SpecReading): RenderedSpecBlock[] {
  const spec = isStored ? JSON.parse(Buffer.from(bytes).toString()) : readSpec(bytes);
  return renderOpenApi(isObject(spec) ? spec : undefined, blocks, { prefix });
}

function readSpec(bytes: Uint8Array): unknown {
  const made = processFiles([{ url: '', bytes }]);
  return 'file' in made ? JSON.parse(made.file.toString()) : undefined;
}
