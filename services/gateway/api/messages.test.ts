import { z } from 'zod';
import type { AnyOperation } from '../../../shared/contract/operation.js';
import { requestReader } from '../../../shared/contract/validation.js';
import { operations } from '../contracts.js';

type Schema = Record<string, any>;

const wrongValues = [
  undefined,
  null,
  true,
  1.5,
  -1,
  1e308,
  '',
  'wrong',
  '\0'.repeat(40_000),
  [],
  [null],
  {},
  { wrong: 1 },
];

/** A value that a schema takes, as far as types go. */
function sample(schema: Schema, defs: Schema): unknown {
  if (schema.$ref) return sample(defs[String(schema.$ref).split('/').at(-1) ?? ''] ?? {}, defs);
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf ?? schema.oneOf) return sample((schema.anyOf ?? schema.oneOf)[0], defs);
  if (schema.type === 'object') {
    const fields = Object.entries((schema.properties ?? {}) as Schema);
    return Object.fromEntries(fields.map(([name, part]) => [name, sample(part, defs)]));
  }
  if (schema.type === 'array') return [sample(schema.items ?? {}, defs)];
  return { string: 'sample', number: 1, integer: 1, boolean: true }[String(schema.type)] ?? null;
}

/** The value with each of its places in turn holding each wrong value. */
function* spoilt(value: unknown): Generator<unknown> {
  yield* wrongValues;
  if (Array.isArray(value)) {
    yield Array(3000).fill(value[0]);
    for (const item of spoilt(value[0])) yield [item];
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, ['unknown'.repeat(100)]: 1 };
    for (const [name, part] of Object.entries(value)) for (const item of spoilt(part)) yield { ...value, [name]: item };
  }
}

/** Each form that a schema may have, as a value. */
function samples(schema: z.ZodType): unknown[] {
  const json: Schema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const forms: Schema[] = json.anyOf ?? json.oneOf ?? [json];
  return forms.map((form) => sample(form, json.$defs ?? {}));
}

function messagesOf(operation: AnyOperation): Set<string> {
  const read = requestReader(operation);
  const path = Object.fromEntries([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'id']));
  const query = operation.query ? samples(operation.query) : [{}];
  const body = operation.body ? samples(operation.body) : [{}];
  const requests = [
    { path: {}, query: query[0], body: body[0] },
    ...query.flatMap((value) => [...spoilt(value)].map((item) => ({ path, query: item, body: body[0] }))),
    ...body.flatMap((value) => [...spoilt(value)].map((item) => ({ path, query: query[0], body: item }))),
  ];
  const messages = new Set<string>();
  for (const request of requests)
    try {
      read(request);
    } catch (error) {
      messages.add((error as Error).message);
    }
  return messages;
}

const validatorWords =
  /invalid |expected|received|too (big|small)|unrecognized|pattern|undefined|\bNaN\b|\/\^|union|\[object/i;
const ourWords = /: (required|must be|at (least|most) \d|unknown fields?:|not supported|needs|has |its name)/;

describe('what is said of a wrong request', () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s names the place and the remedy',
    (_, operation) => {
      const isPlain = (message: string) =>
        !validatorWords.test(message) && ourWords.test(message) && message.length < 3000;
      const messages = [...messagesOf(operation)];
      expect(messages.filter((message) => !isPlain(message))).toEqual([]);
    },
  );
});
