import type { Blobs } from '../../../../shared/blobs/port.js';
import { notFound } from '../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { groupBy } from '../../../../shared/values/group-by.js';
import { sha256 } from '../../../../shared/values/ids.js';
import { KeyedCache } from '../../../../shared/work/keyed-cache.js';
import { unlessTaskFailed } from '../../../../shared/workers/workers.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import type { RenderedSpecBlock } from '../../format/html/openapi/render-openapi.js';
import type { ShownSpecBlock } from '../../openapi/document/spec-html.js';
import type { SpecWork } from '../../openapi/document/spec-work.js';
import { specs, specVersions } from '../../openapi/specs/model.js';

/** Bytes of all kept blocks together. */
const maxKeptBytes = 32 * 1024 * 1024;
/** Milliseconds after which blocks that took too much are tried again. */
const retryMs = 60_000;
/** Bytes of a file of a space that is read as a specification. */
const maxFileBytes = 16 * 1024 * 1024;

interface Place {
  view: RevisionView;
  organization: string;
}

/** A specification with its version: that of the organization by its slug, or a file of the space. */
interface FoundSpec {
  version: string;
  blob: string;
  isStored: boolean;
}

/** Keeps the HTML of blocks about specifications by the version of these. */
export class SpecBlocks {
  private readonly kept = new KeyedCache<RenderedSpecBlock[]>({
    maxSize: maxKeptBytes,
    sizeOf: (blocks) => blocks.reduce((sum, { html }) => sum + 2 * html.length + 200, 300),
  });

  constructor(private readonly deps: HasStore & { blobs: Blobs; specWork: SpecWork }) {}

  /** Blocks as HTML, in their order. */
  async htmlOf(place: Place, blocks: readonly ShownSpecBlock[]): Promise<RenderedSpecBlock[]> {
    const made = new Map<ShownSpecBlock, RenderedSpecBlock | undefined>();
    const bySpec = [...groupBy(blocks, ({ spec }) => JSON.stringify(spec)).values()];
    for (const [number, ofOne] of bySpec.entries()) {
      const prefix = number === 0 ? '' : `api-${number + 1}-`;
      const rendered = await this.htmlOfOne(place, ofOne, prefix);
      for (const [at, block] of ofOne.entries()) made.set(block, rendered[at]);
    }
    return blocks.map((block) => made.get(block) ?? { html: '' });
  }

  /** Blocks of one page about the same specification: how far schemas are opened depends on how many there are. */
  private async htmlOfOne(place: Place, blocks: ShownSpecBlock[], prefix: string): Promise<RenderedSpecBlock[]> {
    const found = await this.find(place, (blocks[0] as ShownSpecBlock).spec);
    const key = sha256(`${place.organization} ${found?.version} ${JSON.stringify([prefix, blocks])}`);
    return this.kept.get(key, async (keepFor) => {
      const bytes = found ? await this.bytesOf(found) : new Uint8Array();
      const reading = { bytes, isStored: found?.isStored === true, blocks, prefix };
      const rendered = await this.deps.specWork.html(reading, place.organization).catch(unlessTaskFailed);
      if (!rendered) keepFor(retryMs);
      return rendered ?? [];
    });
  }

  private async find({ view, organization }: Place, spec: ShownSpecBlock['spec']): Promise<FoundSpec | undefined> {
    if ('file' in spec) {
      const file = view.fileById.get(spec.file);
      if (!file || file.size > maxFileBytes) return undefined;
      return { version: file.blob, blob: file.blob, isStored: false };
    }
    const { store } = this.deps;
    const found = await store.findOne(specs, { organization, slug: spec.slug });
    const version = found?.lastVersion === undefined ? null : await store.get(specVersions, found.lastVersion);
    return version ? { version: version._id, blob: version.file, isStored: true } : undefined;
  }

  private async bytesOf({ blob }: FoundSpec): Promise<Uint8Array> {
    const bytes = await this.deps.blobs.read(blob);
    if (!bytes) throw notFound('Specification');
    return bytes;
  }
}

export type HasSpecBlocks = { specBlocks: SpecBlocks };
