import { isObject, type JsonObject } from './plain-json.js';

/** A place that names a part of a specification by its address. */
export interface Reference {
  /** `holder[key]` is the address. */
  holder: JsonObject;
  key: string;
  address: string;
  /** Whether it stands where a schema does. */
  inSchema: boolean;
  /** Whether what it leads to becomes part of the specification. */
  isFollowed: boolean;
}

const schemaKeys = new Set(
  (
    'schema schemas definitions $defs properties patternProperties additionalProperties items allOf anyOf oneOf not itemSchema ' +
    'prefixItems contains if then else propertyNames dependentSchemas unevaluatedItems unevaluatedProperties contentSchema'
  ).split(' '),
);
/** Keys of maps by names that the author chose, except where the key is itself such a name. */
const mapsOfNames = new Set(
  (
    'properties patternProperties dependentSchemas definitions $defs schemas responses parameters examples requestBodies ' +
    'headers securitySchemes links callbacks pathItems paths webhooks content additionalOperations mediaTypes'
  ).split(' '),
);
/** Keys of data, in which nothing is a reference. */
const dataKeys = new Set(['example', 'default', 'const', 'enum', 'value', 'dataValue']);
/** Keys of addresses; the last two may lead to what is no part of the specification. */
const addressKeys = ['$ref', '$dynamicRef', 'operationRef', 'externalValue'];

/** Yields the references of a document in their order, but not what looks like one in its examples. */
export function* referencesIn(document: unknown): Generator<Reference> {
  const open: { value: unknown; inSchema: boolean; names: boolean }[] = [
    { value: document, inSchema: false, names: false },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, inSchema, names } = next;
    if (Array.isArray(value)) for (const item of value.toReversed()) open.push({ value: item, inSchema, names: false });
    if (!isObject(value)) continue;
    if (!names) yield* ownReferences(value, inSchema);
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

function* ownReferences(value: JsonObject, inSchema: boolean): Generator<Reference> {
  const at = (holder: JsonObject, key: string, fields: Pick<Reference, 'inSchema' | 'isFollowed'>): Reference[] =>
    typeof holder[key] === 'string' ? [{ holder, key, address: holder[key], ...fields }] : [];
  for (const key of addressKeys) yield* at(value, key, { inSchema, isFollowed: key.startsWith('$') });
  const { discriminator } = value;
  if (!isObject(discriminator)) return;
  const { mapping } = discriminator;
  const schema = { inSchema: true, isFollowed: true };
  const named = isObject(mapping) ? Object.keys(mapping).flatMap((key) => at(mapping, key, schema)) : [];
  for (const reference of [...named, ...at(discriminator, 'defaultMapping', schema)])
    if (isAddress(reference.address)) yield reference;
}

/** A discriminator names a schema by its name or by its address. */
const isAddress = (text: string): boolean => /[#/]|\.(?:json|ya?ml)$/i.test(text);

/** Resolves a JSON pointer such as `#/components/schemas/Pet`; undefined for anything else. */
export function resolvePointer(document: unknown, pointer: string): unknown {
  if (pointer === '#') return document;
  if (!pointer.startsWith('#/')) return undefined;
  let value = document;
  for (const part of pointer.slice(2).split('/')) {
    const key = unescapePart(part);
    if (key === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
      return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}

function unescapePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
