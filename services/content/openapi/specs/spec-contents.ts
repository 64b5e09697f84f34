import type { BlobLinks } from '../../../../shared/blobs/links.js';
import type { Blobs } from '../../../../shared/blobs/port.js';
import { Encoded } from '../../../../shared/contract/encoded.js';
import { apiError } from '../../../../shared/errors/errors.js';
import { KeyedCache } from '../../../../shared/work/keyed-cache.js';
import { KeyedSemaphore } from '../../../../shared/work/semaphore.js';
import type { OpenAPISpecContent, OpenAPISpecRawContent } from '../resources.js';
import type { SpecDocument, SpecVersionDocument } from './model.js';
import { fileURLOf, publishedURLOf, specFileName } from './present.js';

interface Presented {
  spec: Pick<SpecDocument, 'organization' | 'slug' | 'visibility'>;
  version: SpecVersionDocument;
  /** How the files are given: by their names, or as a list. */
  form: 'byName' | 'list';
}

/** Bytes of all kept answers together. */
const maxKeptBytes = 64 * 1024 * 1024;

/** Specifications and the answers that hold them. They are stored as JSON and never read here, however long they are. */
export class SpecContents {
  private readonly turns = new KeyedSemaphore();
  private readonly kept = new KeyedCache<Encoded<never>>({
    maxSize: maxKeptBytes,
    sizeOf: ({ bytes }) => bytes.length + 500,
  });

  constructor(private readonly deps: { baseUrl: string; links: BlobLinks; blobs: Blobs }) {}

  /** The file itself. */
  file({ file }: SpecVersionDocument): Promise<Encoded<Record<string, unknown>>> {
    return this.encode(file, () => this.read(file));
  }

  /** The file as it was given. Throws 404 for a version of which it was not kept. */
  async raw({ raw }: SpecVersionDocument): Promise<Encoded<OpenAPISpecRawContent>> {
    if (raw === undefined) throw apiError('NOT_FOUND', rawNotKept);
    return this.encode(raw, () => this.read(raw, rawNotKept));
  }

  content({ spec, version, form }: Presented): Promise<Encoded<OpenAPISpecContent>> {
    const make = async () => {
      const source = fileURLOf(this.deps, spec, version);
      const urls = { source, public: publishedURLOf(this.deps.baseUrl, spec) };
      const [before, after] = around(form, urls);
      return Buffer.concat([Buffer.from(before), await this.read(version.file), Buffer.from(after)]);
    };
    return this.encode(`${form} ${version._id} ${spec.visibility}`, make);
  }

  private encode(key: string, make: () => Promise<Buffer>): Promise<Encoded<never>> {
    // One after the other: many at once would fill the memory.
    return this.kept.get(key, () => this.turns.run('', async () => Encoded.ofNamedBytes<never>(await make())));
  }

  private async read(file: string, lost = 'Version not found'): Promise<Buffer> {
    const content = await this.deps.blobs.read(file);
    if (!content) throw apiError('NOT_FOUND', lost);
    return content;
  }
}

const rawNotKept = 'The text of this version was not kept, as it is of an earlier release: send the source again';

/** The JSON of a content before and after its specification. */
function around(form: Presented['form'], urls: OpenAPISpecContent['urls']): [before: string, after: string] {
  const own = { filename: specFileName, dir: './', isEntrypoint: true, references: [] };
  const entry = `${JSON.stringify(own).slice(0, -1)},"specification":`;
  const end = `,"url":${JSON.stringify(urls.source)},"urls":${JSON.stringify(urls)}}`;
  return form === 'list'
    ? [`{"filesystem":[${entry}`, `}]${end}`]
    : [`{"filesystem":{${JSON.stringify(specFileName)}:${entry}`, `}}${end}`];
}
