import type { SchemaShape, SchemaShapes } from './schema-shapes.js';
import { isSpecObject, ownValue, type SpecObject, specList, specText } from './spec-values.js';

interface Sampling {
  shapes: SchemaShapes;
  /** Values that may still be made. */
  left: number;
  side: 'request' | 'response';
  around: Set<SchemaShape>;
}

const maxSampled = 200;
const maxLevels = 6;
const maxSampledProperties = 40;

/** Makes an example of what a schema describes: from its own examples and defaults, else from its types. */
export function sampleOf(shapes: SchemaShapes, schema: unknown, side: 'request' | 'response'): unknown {
  return sample(schema, { shapes, left: maxSampled, side, around: new Set() });
}

function sample(schema: unknown, sampling: Sampling): unknown {
  const shape = sampling.shapes.of(schema);
  const { keywords, types, around } = { ...shape, around: sampling.around };
  const [given] = [
    keywords.example,
    ...specList(keywords.examples, 1),
    keywords.const,
    keywords.default,
    ...specList(keywords.enum, 1),
  ].filter((value) => value !== undefined);
  if (given !== undefined) return given;
  if (around.has(shape) || around.size >= maxLevels || sampling.left-- <= 0) return undefined;
  around.add(shape);
  const made = sampleOfType(shape, types[0] ?? '', sampling);
  around.delete(shape);
  return made;
}

function sampleOfType(shape: SchemaShape, type: string, sampling: Sampling): unknown {
  const { keywords, properties, variants } = shape;
  if (type === 'array') {
    const tuple = specList(keywords.prefixItems, 5);
    const items = tuple.length > 0 ? tuple : keywords.items === undefined ? [] : [keywords.items];
    return items.map((item) => sample(item, sampling)).filter((item) => item !== undefined);
  }
  if (properties.size > 0 || (type === 'object' && variants.length === 0)) return sampleOfObject(shape, sampling);
  if (type === '' || type === 'object') {
    const [choice] = variants;
    return choice ? sample(choice.schemas[0], sampling) : undefined;
  }
  if (type === 'integer' || type === 'number') return sampleNumber(keywords);
  if (type === 'boolean') return true;
  return type === 'string' ? sampleText(keywords) : undefined;
}

function sampleOfObject({ properties, keywords, variants }: SchemaShape, sampling: Sampling): SpecObject {
  const hidden = sampling.side === 'request' ? 'readOnly' : 'writeOnly';
  const made: [string, unknown][] = [];
  for (const [name, property] of properties) {
    if (made.length === maxSampledProperties) break;
    if (ownValue(property, hidden) === true || ownValue(property, 'deprecated') === true) continue;
    const value = sample(property, sampling);
    if (value !== undefined) made.push([name, value]);
  }
  const chosen = variants[0] ? sample(variants[0].schemas[0], sampling) : undefined;
  const others = isSpecObject(keywords.additionalProperties) && made.length === 0;
  const other = others ? sample(keywords.additionalProperties, sampling) : undefined;
  if (other !== undefined) made.push(['key', other]);
  // `fromEntries` makes own properties, also of `__proto__`.
  return Object.fromEntries([...made, ...Object.entries(isSpecObject(chosen) ? chosen : {})]);
}

function sampleNumber({ minimum, maximum, exclusiveMinimum }: SpecObject): number {
  if (typeof minimum === 'number') return minimum;
  if (typeof exclusiveMinimum === 'number') return Math.floor(exclusiveMinimum) + 1;
  return typeof maximum === 'number' && maximum < 1 ? maximum : 1;
}

const formats: Record<string, string> = {
  'date-time': '2026-01-31T09:30:00Z',
  date: '2026-01-31',
  time: '09:30:00Z',
  duration: 'P1D',
  email: 'name@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com',
  url: 'https://example.com',
  'uri-reference': '/path',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  byte: 'dGV4dA==',
  binary: 'binary',
  password: '********',
};

function sampleText({ format, contentMediaType }: SpecObject): string {
  if (typeof format === 'string' && Object.hasOwn(formats, format)) return formats[format] ?? 'text';
  return specText(contentMediaType) === 'application/octet-stream' ? 'binary' : 'text';
}
