import type { HasBlobs } from '../../../../../shared/blobs/port.js';
import type { HasSecrets } from '../../../../../shared/secrets/secrets.js';
import { eachDocument, type HasStore } from '../../../../../shared/store/port.js';
import { omitUndefined } from '../../../../../shared/values/omit-undefined.js';
import type { ArchiveEntry } from '../../../../../shared/zip/zip-stream.js';
import { type SpecDocument, specs, specVersions } from '../../../openapi/specs/model.js';
import { withoutCredentials } from '../../../openapi/specs/present.js';
import { toLines } from '../lines.js';

type Dependencies = HasStore & HasBlobs & HasSecrets;

/** The OpenAPI specifications of an organization, and the latest version of each. */
export async function* specificationEntries(deps: Dependencies, organization: string): AsyncGenerator<ArchiveEntry> {
  const { store, blobs } = deps;
  const found: SpecDocument[] = [];
  for await (const spec of eachDocument(store, specs, { organization })) found.push(spec);
  yield { path: 'openapi.ndjson', content: toLines(found.map((spec) => describeSpec(deps, spec))) };
  for (const { slug, lastVersion } of found) {
    const version = lastVersion === undefined ? null : await store.get(specVersions, lastVersion);
    const content = version && (await blobs.open(version.file));
    if (content) yield { path: `openapi/${slug}.json`, content };
  }
}

/** Addresses go without credentials: whoever imports them gives those anew. */
const describeSpec = (
  { secrets }: HasSecrets,
  { _id: id, slug, visibility, source, createdAt, updatedAt }: SpecDocument,
) =>
  omitUndefined({
    id,
    slug,
    visibility,
    sourceURL: source.kind === 'url' ? withoutCredentials(secrets.decrypt(source.url)) : undefined,
    createdAt,
    updatedAt,
  });
