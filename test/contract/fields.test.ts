import { createRequire } from 'node:module';
import { z } from 'zod';
import { operations } from '../../services/gateway/contracts.js';
import { lackingFields } from '../../services/gateway/reference/lacking-fields.js';

const load = createRequire(import.meta.url);

/** A part of a file, or the one that it refers to. */
const resolved = (file: any, part: any): any =>
  part?.$ref
    ? part.$ref
        .slice(2)
        .split('/')
        .reduce((found: any, name: string) => found[name], file)
    : part;

/** The names of all fields that a JSON schema has at its top, in any of its variants. */
function fieldsOf(file: any, schema: any): string[] {
  const { properties = {}, allOf = [], oneOf = [], anyOf = [] } = resolved(file, schema) ?? {};
  const variants = [...allOf, ...oneOf, ...anyOf];
  return [...Object.keys(properties), ...variants.flatMap((variant) => fieldsOf(file, variant))];
}

const ownFields = (schema: z.ZodType | undefined): string[] => {
  const file = schema ? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) : {};
  return fieldsOf(file, file);
};
const own = new Map(operations.map(({ id, query, body }) => [id, new Set([query, body].flatMap(ownFields))]));

/** What operations that are there do not read of a version of the public API. */
function lacking(packageName: string): [string, string[]][] {
  const file = load(`${packageName}/spec/openapi.json`);
  return Object.values<any>(file.paths).flatMap((methods) =>
    Object.values<any>(methods).flatMap(({ operationId, parameters = [], requestBody }): [string, string[]][] => {
      const read = own.get(operationId);
      if (!read) return [];
      const asked = parameters
        .map((part: any) => resolved(file, part))
        .filter((parameter: any) => parameter.in === 'query');
      const body = resolved(file, requestBody)?.content['application/json']?.schema;
      const fields = [...asked.map(({ name }: any) => name), ...fieldsOf(file, body)];
      return [[operationId, fields.filter((field) => !read.has(field))]];
    }),
  );
}

it('operations read every parameter and field of the public API, but for those that the handbook lists', () => {
  const found: Record<string, string[]> = {};
  for (const [id, fields] of ['@gitbook/api', '@gitbook/api-next'].flatMap(lacking))
    if (fields.length > 0) found[id] = [...new Set([...(found[id] ?? []), ...fields])].sort();
  expect(found).toEqual(lackingFields);
});
