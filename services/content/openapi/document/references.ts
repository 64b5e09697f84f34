import { isObject, type JsonObject } from './plain-json.js';

/** An object with a `$ref`. */
export interface Reference {
  holder: JsonObject & { $ref: string };
  /** Whether it stands where a schema does. */
  inSchema: boolean;
}

const schemaKeys = new Set(
  'schema schemas definitions $defs properties patternProperties additionalProperties items allOf anyOf oneOf not'.split(
    ' ',
  ),
);
/** What these hold are names that the author chose, unless they are names themselves. */
const mapsOfNames = new Set(
  (
    'properties patternProperties dependentSchemas definitions $defs schemas responses parameters examples requestBodies ' +
    'headers securitySchemes links callbacks pathItems paths webhooks content'
  ).split(' '),
);
/** What these hold is data. */
const dataKeys = new Set(['example', 'default', 'const', 'enum', 'value']);

/** Yields the references of a document in their order, but not what looks like one in its examples. */
export function* referencesIn(document: unknown): Generator<Reference> {
  const open: { value: unknown; inSchema: boolean; names: boolean }[] = [
    { value: document, inSchema: false, names: false },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, inSchema, names } = next;
    if (Array.isArray(value)) for (const item of value.toReversed()) open.push({ value: item, inSchema, names: false });
    if (!isObject(value)) continue;
    if (!names && typeof value.$ref === 'string') yield { holder: value as Reference['holder'], inSchema };
    for (const [key, inner] of Object.entries(value).reverse()) {
      const isData = !names && (dataKeys.has(key) || (key === 'examples' && Array.isArray(inner)));
      if (isData || typeof inner !== 'object' || inner === null) continue;
      open.push({
        value: inner,
        inSchema: inSchema || (!names && schemaKeys.has(key)),
        names: !names && mapsOfNames.has(key) && isObject(inner),
      });
    }
  }
}

/** What a JSON pointer such as `#/components/schemas/Pet` leads to; undefined for anything else. */
export function pointedAt(document: unknown, pointer: string): unknown {
  if (pointer === '#') return document;
  if (!pointer.startsWith('#/')) return undefined;
  let value = document;
  for (const part of pointer.slice(2).split('/')) {
    const key = unescaped(part);
    if (key === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
      return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}

function unescaped(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
