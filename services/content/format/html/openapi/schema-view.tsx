import type { ComponentChild, VNode } from 'preact';
import { marks } from '../marks.js';
import { constraints, description, flags, maxShownValues, tooLong } from './field-facts.js';
import { RowShares, type Rows } from './row-shares.js';
import { type SchemaShape, typeLabel } from './schema-shapes.js';
import { anchorPart, type SpecPage } from './spec-page.js';
import { nameOfPointer } from './spec-pointers.js';
import { isSpecObject, ownValue, specEntries, specList, specText } from './spec-values.js';

/** The state of writing out a schema. */
export interface SchemaPlace {
  /** 0 for the fields of the body itself. */
  depth: number;
  /** Pointers of the models around. */
  around: ReadonlySet<string>;
  /** Rows that may still be written; shared fairly among those with fields of their own. */
  rows: Rows;
  /** Fields that only the other side sends are left out. */
  side?: 'request' | 'response' | undefined;
}

export const schemaPlace = (rows: Rows, side?: SchemaPlace['side']): SchemaPlace => ({
  depth: 0,
  around: new Set(),
  rows,
  side,
});

interface Field {
  name: string;
  /** Shown in place of the name. */
  label?: string;
  schema: unknown;
  isRequired?: boolean;
  /** Shown for that of the schema. */
  text?: unknown;
  isDeprecated?: boolean;
  /** Values that are shown beside those of the schema. */
  example?: unknown;
}

/** A parameter, a header or a property. */
export const fieldItem = (page: SpecPage, field: Field, place: SchemaPlace): VNode => (
  <li class="field">{fieldContent(page, field, place)}</li>
);

export function fieldContent(page: SpecPage, field: Field, place: SchemaPlace): VNode {
  const shape = page.shapes.of(field.schema);
  const { keywords } = shape;
  const isSameText = field.text === undefined || field.text === keywords.description;
  return (
    <>
      <div class="field-line">
        <code class="field-name">{field.label ?? specText(field.name, 200)}</code>
        <span class="field-type">{typeLabel(page.shapes, shape)}</span>
        {field.isRequired ? <span class="field-required">{marks.word('required')}</span> : null}
        {flags(shape, field.isDeprecated ?? false)}
      </div>
      {description(page, isSameText ? keywords.description : field.text)}
      {constraints(page, shape, field.example)}
      {nestedFields(page, field.schema, { ...place, depth: place.depth + 1 })}
    </>
  );
}

/** A schema with more fields than that is cut. */
const maxWholeRows = 200;

/** The fields of a schema in a closed part; nothing for a plain value. */
function nestedFields(page: SpecPage, schema: unknown, place: SchemaPlace): ComponentChild {
  const inner = innerSchema(page, schema);
  if (!hasFields(inner)) return null;
  const { pointer, name } = inner;
  if (pointer !== undefined && place.around.has(pointer))
    return (
      <p class="recursive">
        {marks.word('recursive')} <code>{name}</code>
      </p>
    );
  const known = pointer === undefined ? undefined : page.models.get(pointer);
  if (known !== undefined) return modelLink(known, name);
  const count = rowsOf(inner);
  // Some of the fields alone would mislead.
  if (place.depth > page.levels || place.rows.left < Math.min(count, maxWholeRows)) return null;
  const id = modelId(page, inner);
  return (
    <details class="fields-of" id={id}>
      <summary>
        {inner.variants.length > 0 && inner.properties.size === 0
          ? marks.word(inner.variants[0]?.kind ?? 'oneOf')
          : marks.word('properties')}{' '}
        <span class="count">{count}</span>
      </summary>
      {shapeFields(page, inner, place)}
    </details>
  );
}

/** The id under which a compact page writes out a model; undefined where models are not linked. */
function modelId(page: SpecPage, { pointer, name }: SchemaShape): string | undefined {
  if (!page.compact || pointer === undefined) return undefined;
  const id = `${page.prefix}model-${anchorPart(name ?? '')}-${page.models.size}`;
  page.models.set(pointer, id);
  return id;
}

const modelLink = (id: string, name: string | undefined): VNode => (
  <p class="model-link">
    <a href={`#${id}`}>{name}</a>
  </p>
);

const maxArrays = 5;

/** The schema whose fields a value has: that of the items, for lists. */
function innerSchema(page: SpecPage, schema: unknown): SchemaShape {
  let shape = page.shapes.of(schema);
  for (let level = 0; level < maxArrays && isList(shape); level++) shape = page.shapes.of(shape.keywords.items);
  return shape;
}

const isList = ({ keywords, properties }: SchemaShape) =>
  isSpecObject(keywords.items) && !Array.isArray(keywords.prefixItems) && properties.size === 0;

const rowsOf = ({ properties, variants, keywords }: SchemaShape): number =>
  properties.size +
  variants.reduce((sum, { schemas }) => sum + schemas.length, 0) +
  (isSpecObject(keywords.additionalProperties) ? 1 : 0) +
  specList(keywords.prefixItems, maxShownValues).length;

const hasFields = (shape: SchemaShape) => rowsOf(shape) > 0;

/** A schema at the top of a body, a response or a model: its fields are open. */
export function schemaBody(page: SpecPage, schema: unknown, place: SchemaPlace): ComponentChild {
  const shape = page.shapes.of(schema);
  const inner = innerSchema(page, schema);
  const label = typeLabel(page.shapes, shape);
  const known = inner.pointer === undefined ? undefined : page.models.get(inner.pointer);
  return (
    <div class="schema">
      <p class="schema-type">
        <span class="field-type">{label}</span>
        {flags(shape, false)}
      </p>
      {description(page, shape.keywords.description)}
      {constraints(page, shape)}
      {!hasFields(inner) ? null : known !== undefined ? (
        modelLink(known, inner.name)
      ) : (
        <div id={modelId(page, inner)}>{shapeFields(page, inner, place)}</div>
      )}
    </div>
  );
}

/** The properties, the variants and the other values of a schema. */
function shapeFields(page: SpecPage, shape: SchemaShape, place: SchemaPlace): ComponentChild {
  const around = shape.pointer === undefined ? place.around : new Set([...place.around, shape.pointer]);
  const fields = fieldsOf(shape, place);
  const shown = fields.slice(0, Math.max(0, Math.min(place.rows.left, page.rowsLeft)));
  page.rowsLeft -= shown.length;
  const share = new RowShares(
    place.rows,
    shown.length,
    shown.filter(({ schema }) => hasFields(innerSchema(page, schema))).length + shape.variants.length,
  );
  const items = shown.map((field) =>
    share.within(
      (rows) => fieldItem(page, field, { ...place, around, rows }),
      hasFields(innerSchema(page, field.schema)),
    ),
  );
  const choices = shape.variants.map(({ kind, schemas }) =>
    share.within((rows) => variantsView(page, { kind, schemas, shape }, { ...place, around, rows }), true),
  );
  return (
    <>
      {items.length === 0 ? null : <ul class="fields">{items}</ul>}
      {choices}
      {shown.length < fields.length || shape.cut ? tooLong() : null}
    </>
  );
}

function fieldsOf({ properties, required, keywords }: SchemaShape, { side }: SchemaPlace): Field[] {
  const isOthers = (schema: unknown) =>
    (side === 'request' && ownValue(schema, 'readOnly') === true) ||
    (side === 'response' && ownValue(schema, 'writeOnly') === true);
  const own = [...properties].flatMap(([name, schema]): Field[] =>
    isOthers(schema) ? [] : [{ name, schema, isRequired: required.has(specText(name)) }],
  );
  const tuple = specList(keywords.prefixItems, maxShownValues).map((schema, at) => ({ name: `[${at}]`, schema }));
  const more = keywords.additionalProperties;
  const others = isSpecObject(more) ? [{ name: '', label: marks.word('additionalProperties'), schema: more }] : [];
  return [...own, ...tuple, ...others];
}

interface Choice {
  kind: 'oneOf' | 'anyOf';
  schemas: unknown[];
  shape: SchemaShape;
}

function variantsView(page: SpecPage, { kind, schemas, shape }: Choice, place: SchemaPlace): ComponentChild {
  const shown = schemas.slice(0, Math.max(0, place.rows.left));
  const share = new RowShares(place.rows, shown.length, shown.length);
  return (
    <div class="variants">
      <p class="variants-title">{marks.word(kind)}</p>
      {shown.map((schema) =>
        share.within(
          (rows) => variantView(page, { schema, value: discriminated(shape, schema) }, { ...place, rows }),
          true,
        ),
      )}
      {shown.length < schemas.length ? tooLong() : null}
    </div>
  );
}

/** `kind: "dog"`, where a discriminator chooses a variant by a value. */
function discriminated({ keywords: { discriminator } }: SchemaShape, schema: unknown): string {
  const pointer = ownValue(schema, '$ref');
  if (!isSpecObject(discriminator) || typeof pointer !== 'string') return '';
  const [value] =
    specEntries(discriminator.mapping, maxShownValues).find(
      ([, to]) => to === pointer || to === nameOfPointer(pointer),
    ) ?? [];
  return value === undefined
    ? ''
    : `${specText(discriminator.propertyName, 100)}: ${JSON.stringify(specText(value, 100))}`;
}

function variantView(page: SpecPage, { schema, value }: { schema: unknown; value: string }, place: SchemaPlace): VNode {
  const shape = page.shapes.of(schema);
  const inner = innerSchema(page, schema);
  const title = specText(shape.keywords.title, 100);
  const label = typeLabel(page.shapes, shape);
  const head = (
    <>
      <span class="field-type">{label}</span>
      {title === '' || title === label ? null : <span class="variant-title"> {title}</span>}
      {value === '' ? null : <code class="variant-value">{value}</code>}
    </>
  );
  const isCut = place.depth >= page.levels || place.rows.left < Math.min(rowsOf(inner), maxWholeRows);
  const isAround = inner.pointer !== undefined && place.around.has(inner.pointer);
  const known = inner.pointer === undefined ? undefined : page.models.get(inner.pointer);
  if (!isAround && !isCut && known !== undefined && hasFields(inner))
    return (
      <p class="variant">
        {head} <a href={`#${known}`}>{inner.name}</a>
      </p>
    );
  const about = [description(page, shape.keywords.description), constraints(page, shape)].filter(
    (part) => part !== null,
  );
  const hasMore = hasFields(inner) && !isCut && !isAround;
  if (!hasMore && about.length === 0) return <p class="variant">{head}</p>;
  return (
    <details class="variant" id={hasMore ? modelId(page, inner) : undefined}>
      <summary>{head}</summary>
      {about}
      {hasMore ? shapeFields(page, inner, { ...place, depth: place.depth + 1 }) : null}
    </details>
  );
}
