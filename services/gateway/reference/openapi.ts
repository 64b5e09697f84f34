import { z } from 'zod';
import type { AnyOperation } from '../../../shared/contract/operation.js';
import { errorReasons } from '../../../shared/errors/errors.js';
import { linesType } from '../http/lines.js';
import { tagDescriptions } from './tags.js';

type Json = Record<string, unknown>;

const errorSchema = {
  type: 'object',
  description: 'What went wrong.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'reason'],
      properties: {
        code: { type: 'integer', description: 'The HTTP status.' },
        message: { type: 'string', description: 'A text for a person.' },
        reason: {
          description: 'A stable word for programs. Later releases add others: treat an unknown one by `code` alone.',
          anyOf: [{ type: 'string', enum: Object.keys(errorReasons) }, { type: 'string' }],
        },
      },
    },
  },
};

/** A schema in OpenAPI 3.1; schemas with an id move to the components. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const {
    $schema: _,
    $defs = {},
    ...own
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json & { $defs?: Json };
  const relocated = JSON.parse(
    JSON.stringify({ own, defs: $defs }).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as {
    own: Json;
    defs: Json;
  };
  const { id, ...body } = relocated.own;
  for (const [name, definition] of Object.entries(relocated.defs)) components[name] ??= withoutId(definition as Json);
  if (typeof id !== 'string') return body;
  components[id] ??= body;
  return { $ref: `#/components/schemas/${id}` };
}

const withoutId = ({ id: _, ...definition }: Json): Json => definition;

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Names this request: repeated with the same key within 24 hours, it is answered as the first time and does nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function parametersOf({ method, safe, path, query, headers = {} }: AnyOperation): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: `Names the ${String(name).replace(/Id$/, '')}.`,
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries((query?.shape ?? {}) as Record<string, z.ZodType>).map(([name, field]) => {
    const { description, ...schema } = schemaOf(field, 'input', {});
    return {
      name,
      in: 'query',
      required: !field.safeParse(undefined).success,
      ...(description ? { description } : {}),
      schema,
    };
  });
  const inHeader = Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }));
  return [...inPath, ...inQuery, ...inHeader, ...(safe || method === 'GET' ? [] : [idempotencyKey])];
}

const error = { $ref: '#/components/responses/Error' };

function responsesOf(operation: AnyOperation, components: Json): Json {
  const { status, response, lines, accepted } = operation;
  const type = lines ? linesType : 'application/json';
  const sent = lines ?? response;
  const content = sent ? { content: { [type]: { schema: schemaOf(sent, 'output', components) } } } : {};
  const goesOn = accepted && { 'application/json': { schema: schemaOf(accepted, 'output', components) } };
  return {
    [status]: { description: response ? 'The answer.' : 'Done; no content.', ...content },
    ...(goesOn ? { 202: { description: 'It goes on; its address is in `Location`.', content: goesOn } } : {}),
    ...Object.fromEntries(refusalsOf(operation).map((refusal) => [refusal, error])),
    default: error,
  };
}

/** The errors by which an operation may refuse a request that another caller, or another request, might make. */
function refusalsOf({ access, path, query, body }: AnyOperation): number[] {
  return [
    ...(body || query || path.includes('{') ? [400] : []),
    ...(access === 'public' ? [] : [401, 403]),
    ...(path.includes('{') ? [404] : []),
    429,
  ];
}

function bodyOf({ body }: AnyOperation, components: Json): Json {
  if (!body) return {};
  const required = !body.safeParse(undefined).success;
  return {
    requestBody: { required, content: { 'application/json': { schema: schemaOf(body, 'input', components) } } },
  };
}

/** Describes which installations of integrations may call an operation; undefined if none may. */
function forInstallations({ access }: AnyOperation): string | undefined {
  if (access === 'public' || !access.caller.includes('installation')) return undefined;
  return access.scope === undefined
    ? 'Open to installations of integrations.'
    : `Open to installations of integrations with the scope \`${access.scope}\`.`;
}

function describe(operation: AnyOperation, components: Json): Json {
  const { id, summary, tag, access } = operation;
  const description = [operation.description, forInstallations(operation)].filter(Boolean).join(' ');
  return {
    operationId: id,
    summary,
    ...(description ? { description } : {}),
    tags: [tag],
    ...(access === 'public' ? { security: [] } : {}),
    parameters: parametersOf(operation),
    ...bodyOf(operation, components),
    responses: responsesOf(operation, components),
  };
}

/** The OpenAPI 3.1 document of all operations. */
export function openApiDocument(
  operations: AnyOperation[],
  { version, baseUrl }: { version: string; baseUrl: string },
): Json {
  const components: Json = { Error: errorSchema };
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation, components),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bindery',
      version,
      description: 'The HTTP API of a self-hosted documentation platform.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${baseUrl}/v1` }],
    security: [{ token: [] }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: tagDescriptions[name] })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      responses: {
        Error: {
          description: 'An error.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
      schemas: components,
    },
  };
}
