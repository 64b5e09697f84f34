import type { z } from 'zod';
import type { BodyOf } from '../../../../shared/contract/operation.js';
import { invalid } from '../../../../shared/errors/errors.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { type catalogueOperations, publishedSchema } from '../../contract/catalogue.js';
import type { Definition } from '../model.js';
import { type ConfigurationSchema, type configurationPropertySchema, integrationNameSchema } from '../resources.js';
import { blockDomainsOf } from './block-domains.js';
import { parsePolicy } from './policy.js';

export type PublishBody = BodyOf<typeof catalogueOperations.publishIntegration>;

/** Declarations of an integration. */
export const manifestSchema = publishedSchema.omit({
  script: true,
  icon: true,
  previewImages: true,
  organization: true,
  secrets: true,
  runtime: true,
});
export type Manifest = z.output<typeof manifestSchema>;

const maxUnfurled = 1000;
const maxProperties = 100;
const maxSecrets = 100;
/** Bytes, as JSON: lists show them with each integration. */
const maxDefined = 1_000_000;

/** Throws a 400 for a name that no integration can have. */
export function checkName(name: string): void {
  const parsed = integrationNameSchema.safeParse(name);
  if (!parsed.success || /^\.+$/.test(name))
    throw invalid('integrationName: must be 1 to 100 letters, digits, hyphens, underscores and dots');
}

/** Throws a 400 that names what contradicts itself in a manifest. */
export function checkManifest(body: Manifest & Pick<PublishBody, 'secrets'>): void {
  checkIds('blocks', body.blocks);
  checkIds('contentSources', body.contentSources);
  if (body.blocks.reduce((sum, { urlUnfurl = [] }) => sum + urlUnfurl.length, 0) > maxUnfurled)
    throw invalid(`blocks: at most ${maxUnfurled} URL patterns altogether`);
  for (const [place, schema] of Object.entries(body.configurations))
    checkConfiguration(`configurations.${place}`, schema);
  if (Object.keys(body.secrets).length > maxSecrets) throw invalid(`secrets: at most ${maxSecrets} entries`);
  if (body.contentSecurityPolicy !== undefined) parsePolicy(body.contentSecurityPolicy);
  checkSize(body);
}

function checkIds(field: string, items: readonly { id: string }[]): void {
  const seen = new Set<string>();
  for (const [at, { id }] of items.entries()) {
    if (seen.has(id)) throw invalid(`${field}.${at}.id: another one has this id`);
    seen.add(id);
  }
}

/** A dot or a dollar sign in the name of a field means something else to the store. */
const storable = /^[^.$\p{Cc}]+$/u;

function checkConfiguration(place: string, schema: ConfigurationSchema): void {
  if ('componentId' in schema) return;
  const { properties, required = [] } = schema;
  if (Object.keys(properties).length > maxProperties)
    throw invalid(`${place}.properties: at most ${maxProperties} properties`);
  for (const [name, property] of Object.entries(properties)) {
    if (!storable.test(name))
      throw invalid(`${place}.properties: a name must not contain dots, dollar signs or control characters`);
    checkProperty(`${place}.properties.${name}`, property);
  }
  for (const [at, name] of required.entries())
    if (!Object.hasOwn(properties, name)) throw invalid(`${place}.required.${at}: there is no such property`);
}

function checkProperty(place: string, property: z.output<typeof configurationPropertySchema>): void {
  if (property.type !== 'string' || property.enum === undefined || property.default === undefined) return;
  if (!property.enum.includes(property.default)) throw invalid(`${place}.default: must be one of its enum`);
}

/** Names the largest part of a manifest that takes too much. */
function checkSize({ blocks, contentSources, configurations }: Manifest): void {
  const parts = Object.entries({ blocks, contentSources, configurations }).map(([field, value]): [string, number] => [
    field,
    Buffer.byteLength(JSON.stringify(value)),
  ]);
  const [[largest] = ['blocks']] = parts.sort(([, one], [, other]) => other - one);
  if (parts.reduce((sum, [, bytes]) => sum + bytes, 0) > maxDefined)
    throw invalid(`${largest}: blocks, contentSources and configurations take at most 1 MB altogether`);
}

/** The stored form of a manifest. */
export function storedDefinition(name: string, manifest: Manifest): Definition {
  const { title, description, summary, target, visibility, externalLinks } = manifest;
  const policy = manifest.contentSecurityPolicy;
  const contentSecurityPolicy = policy === undefined ? undefined : parsePolicy(policy);
  const { blocks, contentSources, configurations } = manifest;
  return omitUndefined({
    title,
    description,
    summary,
    target,
    visibility,
    scopes: [...new Set(manifest.scopes)],
    categories: [...new Set(manifest.categories)],
    externalLinks,
    contentSecurityPolicy,
    blocks,
    contentSources,
    configurations,
    blockDomains: blockDomainsOf(blocks),
    hasBlocks: blocks.length > 0,
    hasContentSources: contentSources.length > 0,
    searched: [name, title],
    bytes: Buffer.byteLength(JSON.stringify({ blocks, contentSources, configurations, contentSecurityPolicy })),
  });
}
