import { z } from 'zod';
import type { AnyOperation } from '../../../shared/contract/operation.js';
import { errorReasons } from '../../../shared/errors/errors.js';
import { inSlices } from '../../../shared/work/slices.js';
import { eventsType, linesType } from '../http/lines.js';
import { zipType } from '../http/zip.js';

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
function openApiSchema(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
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

function openApiParameters({ method, safe, path, query, headers = {} }: AnyOperation): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: `Names the ${String(name).replace(/Id$/, '')}.`,
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries((query?.shape ?? {}) as Record<string, z.ZodType>).map(([name, field]) => {
    const { description, ...schema } = openApiSchema(field, 'input', {});
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

function openApiResponses(operation: AnyOperation, components: Json): Json {
  const { status, response, lines, events, zip, accepted } = operation;
  const type = events ? eventsType : lines ? linesType : 'application/json';
  const sent = events ?? lines ?? response;
  const typed = zip ? { [zipType]: {} } : sent && { [type]: { schema: openApiSchema(sent, 'output', components) } };
  const content = typed ? { content: typed } : {};
  const goesOn = accepted && { 'application/json': { schema: openApiSchema(accepted, 'output', components) } };
  return {
    [status]: { description: response ? 'The answer.' : 'Done; no content.', ...content },
    ...(goesOn ? { 202: { description: 'It goes on; its address is in `Location`.', content: goesOn } } : {}),
    ...Object.fromEntries(refusalStatuses(operation).map((refusal) => [refusal, error])),
    default: error,
  };
}

/** The errors by which an operation may refuse a request that another caller, or another request, might make. */
function refusalStatuses({ access, path, query, body }: AnyOperation): number[] {
  return [
    ...(body || query || path.includes('{') ? [400] : []),
    ...(access === 'public' ? [] : [401, 403]),
    ...(path.includes('{') ? [404] : []),
    429,
  ];
}

function openApiBody({ body }: AnyOperation, components: Json): Json {
  if (!body) return {};
  const required = !body.safeParse(undefined).success;
  return {
    requestBody: { required, content: { 'application/json': { schema: openApiSchema(body, 'input', components) } } },
  };
}

/** Describes which installations of integrations may call an operation; undefined if none may. */
function forInstallations({ access }: AnyOperation): string | undefined {
  if (access === 'public' || !access.caller.includes('installation')) return undefined;
  return access.scope === undefined
    ? 'Open to installations of integrations.'
    : `Open to installations of integrations with the scope \`${access.scope}\`.`;
}

function describeOperation(operation: AnyOperation, components: Json): Json {
  const { id, summary, tag, access } = operation;
  const description = [operation.description, forInstallations(operation)].filter(Boolean).join(' ');
  return {
    operationId: id,
    summary,
    ...(description ? { description } : {}),
    tags: [tag],
    ...(access === 'public' ? { security: [] } : {}),
    parameters: openApiParameters(operation),
    ...openApiBody(operation, components),
    responses: openApiResponses(operation, components),
  };
}

interface Published {
  version: string;
  baseUrl: string;
}

/** The OpenAPI 3.1 document of all operations. It takes long: others get their turn. */
export const openApiDocument = (operations: AnyOperation[], published: Published): Promise<Json> =>
  inSlices(describeInSteps(operations, published));

function* describeInSteps(operations: AnyOperation[], { version, baseUrl }: Published): Generator<void, Json> {
  const components: Json = { Error: errorSchema };
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describeOperation(operation, components),
    };
    yield;
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

/** The subject of the operations of each tag. */
const tagDescriptions: Record<string, string> = {
  Ask: 'Questions that the model of the installation answers from pages, with the pages that it cites.',
  Audit: 'Who did what in an organization, and when.',
  'Change request comments': 'Comments on change requests, their replies, and who commented.',
  'Change requests': 'Drafts of a space: their content, reviews and merging.',
  Collections: 'Folders of spaces and of other collections.',
  Content: 'The current content of a space: pages, files, search, imports and changes.',
  'Git sync': 'Import of a space from a Git repository, and export to one.',
  Insights: 'Events of visitors of sites, and what they add up to.',
  'Integration events': 'What integrations are told, with the log of each delivery.',
  'Integration installations': 'Integrations that are installed in organizations, on spaces and on sites.',
  Integrations: 'Programs that are published to extend Bindery, and what they show.',
  Invites: 'Ways into an organization: invites by mail and by link, and e-mail domains.',
  Links: 'Links between pages, spaces and sites: their targets, broken ones, and backlinks.',
  Members: 'The members of an organization and their roles.',
  'OpenAPI specifications': 'Specifications that pages refer to, with their versions.',
  Organizations: 'Organizations, their settings, domains and storage.',
  Permissions: 'The roles of members and teams on spaces and collections.',
  'Published content': 'What a published site shows at a URL, to one visitor.',
  Revisions: 'The content of a space as it was, its history, and restoring it.',
  'Sign-in': 'Signing in by a link in a mail.',
  'Single sign-on': 'Identity providers of an organization, by SAML and by OpenID Connect.',
  'Site customization': 'How a site looks.',
  'Site external links': 'Links that lead elsewhere, among the sections of a site.',
  Fonts: 'Fonts of an organization, for the look of its sites.',
  'Site MCP servers': 'Tools for programs that answer visitors of a site.',
  'Site permissions': 'Who has which role on a site.',
  'Site publishing': 'Who may open a site, and where: publication, share links and visitor authentication.',
  'Site redirects': 'Addresses of a site that lead elsewhere.',
  'Site section groups': 'Groups of the sections of a site.',
  'Site sections': 'The sections of a site.',
  'Site spaces': 'The spaces that a site shows, alone or in its sections.',
  Sites: 'Sites, which publish spaces.',
  'Space comments': 'Comments on the content of a space, their replies, and who commented.',
  Spaces: 'Spaces, which hold content.',
  System: 'About this server.',
  Teams: 'Teams of an organization and their members.',
  Translations: 'Translations of spaces, and the glossary that they follow.',
  Users: 'The user of a token, other users, and API tokens.',
};
