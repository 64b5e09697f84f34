/** A part of a JSON Schema, as zod and the reader of types write them. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  prefixItems?: Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minItems?: number;
  maxItems?: number;
}

/** A schema with the document that its references are in. */
export interface Rooted {
  schema: Schema;
  root: Schema;
}

function resolved({ schema, root }: Rooted): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.split('/').at(-1) as string;
  const { $ref: _, ...beside } = schema;
  const target = schema.$ref === '#' ? root : root.$defs?.[name];
  if (!target) throw new Error(`no definition of ${schema.$ref}`);
  return { ...resolved({ schema: target, root }), ...beside };
}

/** One schema for both parts of an intersection of objects. */
const merged = (whole: Schema, part: Schema): Schema => ({
  ...whole,
  ...part,
  properties: { ...whole.properties, ...part.properties },
  required: [...(whole.required ?? []), ...(part.required ?? [])],
});

/** The kinds of value that a schema stands for, each with a single type or with the values that it may have. */
export function alternativesOf({ schema, root }: Rooted): Schema[] {
  const { anyOf, oneOf, allOf, ...own } = resolved({ schema, root });
  const united = anyOf ?? oneOf;
  if (united) return united.flatMap((each) => alternativesOf({ schema: each, root }));
  if (allOf) {
    const parts = allOf.map((each) => alternativesOf({ schema: each, root }));
    return parts.reduce(
      (wholes, more) => wholes.flatMap((whole) => more.map((part) => merged(whole, part))),
      [own as Schema],
    );
  }
  if (own.const !== undefined) return [{ ...own, enum: [own.const] }];
  if (Array.isArray(own.type)) return own.type.map((type) => ({ ...own, type }));
  return [own];
}
