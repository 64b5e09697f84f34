import type { AdaptiveSchema, ClaimSchema } from './resources.js';

/** Facts about a visitor, by name. */
export type Claims = Record<string, unknown>;

/** The claims that a schema declares, in the form that it declares; all claims while it declares nothing. */
export function declaredClaims(schema: AdaptiveSchema | undefined, claims: Claims): Claims {
  if (!schema || Object.keys(schema.properties).length === 0) return claims;
  return declaredValues(schema.properties, claims);
}

function declaredValues(properties: Record<string, ClaimSchema>, values: Claims): Claims {
  const entries = Object.entries(properties).flatMap(([name, schema]) => {
    const value = Object.hasOwn(values, name) ? fitting(schema, values[name]) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** The part of a value that its schema allows; undefined when there is none. */
function fitting(schema: ClaimSchema, value: unknown): unknown {
  switch (schema.type) {
    case 'object':
      return isObject(value) ? declaredValues(schema.properties, value) : undefined;
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
