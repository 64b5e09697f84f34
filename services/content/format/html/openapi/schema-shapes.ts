import { nameOfPointer, type SpecPointers } from './spec-pointers.js';
import { isSpecObject, ownValue, type SpecObject, specEntries, specList, specText } from './spec-values.js';

/** A schema as it is shown: with the parts of its `allOf` and its reference joined. */
export interface SchemaShape {
  /** The name of the model that it refers to. */
  name?: string;
  pointer?: string;
  /** Its own keywords, then those of its parts. */
  keywords: SpecObject;
  /** Without `null`. */
  types: string[];
  nullable: boolean;
  properties: Map<string, unknown>;
  required: ReadonlySet<string>;
  variants: { kind: 'oneOf' | 'anyOf'; schemas: unknown[] }[];
  /** It has more properties or variants than are shown. */
  cut: boolean;
}

const keywordNames = [
  'title description deprecated readOnly writeOnly default const enum examples example format pattern',
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems',
  'minProperties maxProperties items prefixItems additionalProperties not discriminator contentMediaType contentEncoding',
].flatMap((line) => line.split(' '));

const maxParts = 100;
const maxPartDepth = 10;
const maxProperties = 500;
const maxVariants = 50;

interface Making extends SchemaShape {
  required: Set<string>;
  partsLeft: number;
}

/** A reference alone is what it leads to, wherever it stands. */
const keyOf = (schema: unknown): unknown =>
  isSpecObject(schema) && typeof schema.$ref === 'string' && specEntries(schema, 2).length === 1 ? schema.$ref : schema;

/** Makes and keeps the shapes of the schemas of a specification. */
export class SchemaShapes {
  private readonly kept = new Map<unknown, SchemaShape>();

  constructor(private readonly references: SpecPointers) {}

  of(schema: unknown): SchemaShape {
    const key = keyOf(schema);
    const kept = this.kept.get(key);
    if (kept) return kept;
    const shape = this.make(schema);
    this.kept.set(key, shape);
    return shape;
  }

  private make(schema: unknown): SchemaShape {
    const { pointer } = this.references.follow(schema);
    const shape: Making = {
      ...(pointer === undefined ? {} : { pointer, name: specText(nameOfPointer(pointer), 100) }),
      keywords: {},
      types: [],
      nullable: false,
      properties: new Map(),
      required: new Set(),
      variants: [],
      cut: false,
      partsLeft: maxParts,
    };
    if (typeof schema === 'boolean') shape.types = [schema ? 'any' : 'never'];
    else this.add(schema, shape, 0);
    if (shape.types.length === 0) shape.types = guessedTypes(shape);
    return shape;
  }

  private add(schema: unknown, shape: Making, depth: number): void {
    if (!isSpecObject(schema) || depth > maxPartDepth || shape.partsLeft-- <= 0) return;
    this.addKeywords(schema, shape);
    if (typeof schema.$ref === 'string') this.add(this.references.at(schema.$ref), shape, depth + 1);
    for (const part of specList(schema.allOf, maxParts)) this.add(part, shape, depth + 1);
    this.addVariants(schema, shape, depth);
    for (const name of specList(schema.required, maxProperties)) shape.required.add(specText(name));
    for (const [name, property] of specEntries(schema.properties, maxProperties + 1)) {
      if (shape.properties.size < maxProperties || shape.properties.has(name)) shape.properties.set(name, property);
      else shape.cut = true;
    }
  }

  private addKeywords(schema: SpecObject, shape: Making): void {
    for (const name of keywordNames)
      if (Object.hasOwn(schema, name) && !Object.hasOwn(shape.keywords, name)) shape.keywords[name] = schema[name];
    const types = [schema.type].flat().filter((type) => typeof type === 'string');
    if (types.includes('null') || schema.nullable === true) shape.nullable = true;
    if (shape.types.length === 0) shape.types = types.filter((type) => type !== 'null').slice(0, 10);
  }

  /** `anyOf: [<schema>, {type: 'null'}]` is a way to write that a schema is nullable, and a single variant is no choice. */
  private addVariants(schema: SpecObject, shape: Making, depth: number): void {
    for (const kind of ['oneOf', 'anyOf'] as const) {
      const all = specList(schema[kind], maxVariants + 1);
      const schemas = all.filter((variant) => ownValue(variant, 'type') !== 'null');
      if (schemas.length < all.length) shape.nullable = true;
      if (schemas.length > maxVariants) shape.cut = true;
      const [only] = schemas;
      if (schemas.length === 1) {
        const { pointer } = this.references.follow(only);
        if (pointer !== undefined && shape.pointer === undefined) {
          shape.pointer = pointer;
          shape.name = specText(nameOfPointer(pointer), 100);
        }
        this.add(only, shape, depth + 1);
      } else if (schemas.length > 1 && shape.variants.length < 5)
        shape.variants.push({ kind, schemas: schemas.slice(0, maxVariants) });
    }
  }
}

function guessedTypes({ properties, keywords, variants }: SchemaShape): string[] {
  if (properties.size > 0) return ['object'];
  if (keywords.items !== undefined || keywords.prefixItems !== undefined) return ['array'];
  if (variants.length > 0) return [];
  const [value] = Array.isArray(keywords.enum) ? keywords.enum : [keywords.const];
  if (['string', 'number', 'boolean'].includes(typeof value)) return [typeof value];
  return isSpecObject(keywords.additionalProperties) ? ['object'] : [];
}

const maxLabelDepth = 4;
const maxNamedVariants = 4;

/** The type of a schema in a few words: `string (date-time)`, `Pet[]`, `Cat | Dog`. */
export function typeLabel(shapes: SchemaShapes, shape: SchemaShape, depth = 0): string {
  const { name, types, keywords, variants } = shape;
  if (types.includes('array')) {
    const item = depth < maxLabelDepth ? typeLabel(shapes, shapes.of(keywords.items), depth + 1) : 'any';
    return / /.test(item) ? `(${item})[]` : `${item}[]`;
  }
  const isModel = types.length === 0 || types.includes('object');
  if (isModel && name) return name;
  const [choice] = variants;
  if (choice && depth < maxLabelDepth) {
    const named = choice.schemas.slice(0, maxNamedVariants);
    const labels = [...new Set(named.map((schema) => typeLabel(shapes, shapes.of(schema), depth + 1)))];
    return [...labels, ...(named.length < choice.schemas.length ? ['…'] : [])].join(' | ');
  }
  if (isModel && typeof keywords.title === 'string') return specText(keywords.title, 100);
  const format =
    specText(keywords.format, 40) || (keywords.contentMediaType === 'application/octet-stream' ? 'binary' : '');
  return `${types.map((type) => specText(type, 40)).join(' | ') || 'any'}${format === '' ? '' : ` (${format})`}`;
}
