import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { eventsIn } from './asking.js';

type Schema = Record<string, unknown>;
type Schemas = Record<string, Schema>;

interface OfficialOperation {
  operationId?: string;
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface OfficialFile {
  paths: Record<string, Record<string, OfficialOperation>>;
  components: { schemas: Schemas };
}

const load = createRequire(import.meta.url);

/** The public API files, as they come with official clients: the one that Bindery was made for, and the newest. */
const files = {
  '0.137': load('@gitbook/api/spec/openapi.json') as OfficialFile,
  '0.202': load('@gitbook/api-next/spec/openapi.json') as OfficialFile,
};
export type OfficialVersion = keyof typeof files;

const operationsIn = ({ paths }: OfficialFile) =>
  new Map(
    Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation): [string, OfficialOperation][] =>
        operation.operationId ? [[operation.operationId, operation]] : [],
      ),
    ),
  );

/** By version and operationId. */
const operationsOf = { '0.137': operationsIn(files['0.137']), '0.202': operationsIn(files['0.202']) };

/** Of the file that Bindery was made for, by operationId. */
export const officialOperations = operationsOf['0.137'];

/** Whether the newest file has an operation, too. */
export const isInNewest = (operationId: string): boolean => operationsOf['0.202'].has(operationId);

/** The statuses that a file gives the answers to an operation; undefined where it has none of that name. */
export function officialStatuses(operationId: string, version: OfficialVersion = '0.137'): number[] | undefined {
  const operation = operationsOf[version].get(operationId);
  return operation && Object.keys(operation.responses).map(Number);
}

/** The values that the newest file gives a named list. */
export const newestValues = (name: string): string[] => files['0.202'].components.schemas[name]?.enum as string[];

/** Names of the fields that the file gives a resource, or a part of one: `Comment.target`. */
export function officialFields(name: string): string[] {
  const [schema = '', ...parts] = name.split('.');
  const { schemas } = files['0.137'].components;
  const found = parts.reduce((within, part) => propertiesOf(within)[part] ?? {}, schemas[schema] ?? {});
  return Object.keys(propertiesOf(found));
}

/** Of a schema, with those that it is made of. */
function propertiesOf({ $ref, properties, allOf = [], oneOf = [] }: Schema): Schemas {
  const { schemas } = files['0.137'].components;
  const named = $ref === undefined ? {} : (schemas[String($ref).split('/').at(-1) ?? ''] ?? {});
  const parts = [...(allOf as Schema[]), ...(oneOf as Schema[]), ...($ref === undefined ? [] : [named])];
  return Object.assign({}, ...parts.map(propertiesOf), properties);
}

/** Where the file cannot be what an answer is held to. */
export interface Exception {
  schema: string;
  reason: string;
  /** The schema to hold answers to instead. */
  instead: (schema: Schema) => Schema;
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const base = 'official';

/** OpenAPI 3.0 as JSON Schema: `nullable` is a choice, a discriminator only a hint, and references lead into the file. */
function asJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJsonSchema);
  if (!isSchema(value)) return value;
  const parts = Object.entries(value)
    .filter(([key, part]) => part !== true || key !== 'nullable')
    .filter(([key, part]) => key !== 'discriminator' || !isSchema(part) || typeof part.propertyName !== 'string')
    .map(([key, part]) => [key, key === '$ref' && typeof part === 'string' ? base + part : asJsonSchema(part)]);
  const schema = Object.fromEntries(parts);
  return value.nullable === true ? { anyOf: [{ type: 'null' }, schema] } : schema;
}

export interface Official {
  /** What the file has against an answer to one of its operations: nothing, or a line a complaint. */
  mismatches(operationId: string, answer: { status: number; body: unknown }): string[];
  /** As `mismatches`, of one of its schemas. */
  mismatchesOf(schema: string, body: unknown): string[];
}

const mostComplaints = 12;

export function officialWithout(exceptions: readonly Exception[], version: OfficialVersion = '0.137'): Official {
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addFormat('emoji', /^(\p{Extended_Pictographic}|[0-9a-f]{1,6}(-[0-9a-f]{1,6})*$)/u);
  ajv.addFormat('icon', /^[a-z0-9-]+$/);
  const schemas = { ...files[version].components.schemas };
  for (const { schema, instead } of exceptions) schemas[schema] = instead(schemas[schema] ?? {});
  ajv.addSchema({ $id: base, components: { schemas: asJsonSchema(schemas) } });
  const compiled = new Map<string, ValidateFunction>();
  const complaints = (key: string, schema: Schema, body: unknown): string[] => {
    const validate = compiled.get(key) ?? ajv.compile(asJsonSchema(schema) as Schema);
    compiled.set(key, validate);
    const errors = validate(body) ? [] : (validate.errors ?? []);
    return errors
      .slice(0, mostComplaints)
      .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  };
  return {
    mismatches(operationId, { status, body }) {
      const answer = operationsOf[version].get(operationId)?.responses[status];
      if (!answer) return [`${status} is not one of its answers`];
      const events = answer.content?.['text/event-stream']?.schema;
      if (events) return eventsIn(String(body)).flatMap((event) => complaints(`${operationId} event`, events, event));
      const schema = answer.content?.['application/json']?.schema;
      if (!schema) return body === '' ? [] : ['its answer has no body'];
      return complaints(`${operationId} ${status}`, schema, body);
    },
    mismatchesOf: (schema, body) => complaints(schema, { $ref: `#/components/schemas/${schema}` }, body),
  };
}
