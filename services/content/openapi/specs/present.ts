import type { BlobLinks } from '../../../../shared/blobs/links.js';
import { permissionsOf } from '../../../../shared/contract/access.js';
import type { Secrets } from '../../../../shared/secrets/secrets.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { type OpenAPISpec, type OpenAPISpecVersion, specKind } from '../resources.js';
import type { SpecDocument, SpecVersionDocument } from './model.js';

/** The name of the one file that a specification is. */
export const specFileName = 'openapi.json';

type Named = Pick<SpecDocument, 'organization' | 'slug'>;

const locationOf = (baseUrl: string, { organization, slug }: Named) =>
  `${baseUrl}/v1/orgs/${organization}/openapi/${slug}`;

/** Where anyone can read the latest version; null for a private specification. */
export const publishedURLOf = (baseUrl: string, spec: Named & Pick<SpecDocument, 'visibility'>): string | null =>
  spec.visibility === 'public' ? `${locationOf(baseUrl, spec)}/published` : null;

export function presentSpec(
  { baseUrl, secrets }: { baseUrl: string; secrets: Secrets },
  spec: SpecDocument,
  role: string | null,
): OpenAPISpec {
  const { _id: id, slug, source, visibility, processingState, lastProcessError } = spec;
  const { lastVersion, lastProcessedAt, createdAt, updatedAt } = spec;
  const location = locationOf(baseUrl, spec);
  const published = publishedURLOf(baseUrl, spec);
  return omitUndefined({
    object: 'openapi-spec',
    id,
    createdAt,
    updatedAt,
    slug,
    sourceURL: source.kind === 'url' ? withoutCredentials(secrets.decrypt(source.url)) : undefined,
    processingState,
    visibility,
    lastVersion,
    lastProcessedAt,
    ...(lastProcessError
      ? { lastProcessErrorCode: lastProcessError.code, lastProcessErrorMessage: lastProcessError.message }
      : {}),
    lastProcessedErrorCount: lastProcessError ? 1 : 0,
    permissions: permissionsOf(specKind, role),
    urls: {
      location,
      app: `${baseUrl}/app/o/${spec.organization}/openapi/${slug}`,
      ...(published === null ? {} : { published }),
    },
  });
}

export function withoutCredentials(url: string): string {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare.href;
}

export const presentVersion = (
  { baseUrl, links }: { baseUrl: string; links: BlobLinks },
  spec: Named,
  version: SpecVersionDocument,
): OpenAPISpecVersion => ({
  object: 'openapi-spec-version',
  id: version._id,
  createdAt: version.createdAt,
  url: fileURLOf({ baseUrl, links }, spec, version),
  urls: { location: `${locationOf(baseUrl, spec)}/versions/${version._id}` },
});

export const fileURLOf = (
  { baseUrl, links }: { baseUrl: string; links: BlobLinks },
  { slug }: Pick<Named, 'slug'>,
  { file: id }: Pick<SpecVersionDocument, 'file'>,
): string => baseUrl + links.signedPathOf({ id, name: `${slug}.json` });
