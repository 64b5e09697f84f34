import { timestamp } from '../../shared/ids.js';
import { write } from '../../shared/store/port.js';
import { publishing } from './model-publishing.js';
import { publishingOf } from './publishing-auth.js';
import type { PublishingRules } from './publishing-rules.js';
import { siteTag } from './renderers.js';
import type { AdaptiveSchema, ClaimSchema, SiteAdaptiveSchema } from './resources.js';
import type { Acting } from './rules.js';
import { siteOf } from './sites.js';
import type { Claims } from './visible.js';

const nothingDeclared: AdaptiveSchema = { type: 'object', properties: {}, additionalProperties: false };

/** One that was never set declares nothing. */
export async function getAdaptiveSchema({ store }: PublishingRules, id: string): Promise<SiteAdaptiveSchema> {
  const [site, found] = await Promise.all([siteOf(store, id), store.get(publishing, id)]);
  return {
    object: 'site-adaptive-schema',
    jsonSchema: found?.schema ?? nothingDeclared,
    updatedAt: found?.schemaUpdatedAt ?? site.createdAt,
  };
}

export async function setAdaptiveSchema(
  rules: PublishingRules,
  { audit }: Pick<Acting, 'audit'>,
  site: string,
  schema: AdaptiveSchema,
): Promise<SiteAdaptiveSchema> {
  await publishingOf(rules, site);
  await rules.store.batch([
    write.update(publishing, { _id: site }, { $set: { schema, schemaUpdatedAt: timestamp() } }, { expect: 1 }),
    ...rules.renderers.told([siteTag(site)]),
    audit('site-adaptive-schema', site, { details: { claims: Object.keys(schema.properties).slice(0, 100) } }),
  ]);
  return getAdaptiveSchema(rules, site);
}

/** The claims that a schema declares, as it declares them; all of them while it declares nothing. */
export function declaredClaims(schema: AdaptiveSchema | undefined, claims: Claims): Claims {
  if (!schema || Object.keys(schema.properties).length === 0) return claims;
  return declaredIn(schema.properties, claims);
}

function declaredIn(properties: Record<string, ClaimSchema>, values: Claims): Claims {
  const entries = Object.entries(properties).flatMap(([name, schema]) => {
    const value = Object.hasOwn(values, name) ? fitting(schema, values[name]) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** The part of a value that its schema allows; undefined where there is none. */
function fitting(schema: ClaimSchema, value: unknown): unknown {
  switch (schema.type) {
    case 'object':
      return isObject(value) ? declaredIn(schema.properties, value) : undefined;
    case 'array':
      return Array.isArray(value) ? value.filter((item) => fitting(schema.items, item) !== undefined) : undefined;
    case 'string':
      return typeof value === 'string' && (schema.enum?.includes(value) ?? true) ? value : undefined;
    default:
      return typeof value === schema.type ? value : undefined;
  }
}

const isObject = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
