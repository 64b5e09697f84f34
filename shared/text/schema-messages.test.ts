import { z } from 'zod';
import { messageOf, pathText, problemsOf } from './schema-messages.js';

function said(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value, { error: messageOf });
  return problemsOf(error?.issues ?? []).map(({ path, message }) => `${pathText(path)}: ${message}`);
}

const target = z.union([
  z.object({ kind: z.literal('page'), page: z.string() }),
  z.object({ kind: z.literal('space'), space: z.string(), page: z.string() }),
]);

it.each<[z.ZodType, unknown, string[]]>([
  [z.string(), undefined, ['required']],
  [z.string(), 1, ['must be a string']],
  [z.string().min(1).max(5), [], ['must be a string']],
  [z.string().min(2), 'a', ['at least 2 characters']],
  [z.string().max(1), 'ab', ['at most 1 character']],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], ['at most 2 items']],
  [z.number().int().max(9), 10, ['must be at most 9']],
  [z.number().int(), 1.5, ['must be an integer']],
  [z.boolean(), 'yes', ['must be true or false']],
  [z.enum(['open', 'resolved']), 'shut', ['must be one of open, resolved']],
  [z.enum(['open', 'resolved']), undefined, ['required (one of open, resolved)']],
  [z.literal('open'), 'shut', ['must be open']],
  [z.email(), 'a', ['must be an e-mail address']],
  [z.string().regex(/^a$/, 'must be an a'), 'b', ['must be an a']],
  [z.strictObject({}), { b: 1, c: 2 }, ['unknown fields: b, c']],
  [z.union([z.string(), z.array(z.string())]), 1, ['must be a string, or must be an array']],
  [z.record(z.string().max(2), z.number()), { abc: 1 }, ['its name: at most 2 characters']],
  [z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })]), { kind: 'b' }, ['must be a']],
])('%# is said in plain words', (schema, value, messages) => {
  const expected = messages.map((message) =>
    expect.stringMatching(new RegExp(`^value(\\.\\w+)?: ${message.replace(/[()]/g, '\\$&')}$`)),
  );
  expect(said(z.object({ value: schema }), { value })).toEqual(expected);
});

it.each<[unknown, string[]]>([
  [{ kind: 'page' }, ['target.page: required']],
  [{ kind: 'space', page: 'a' }, ['target.space: required']],
  [{ kind: 'other' }, ['target.kind: must be one of page, space']],
  [{}, ['target.kind: required (one of page, space)']],
  ['page', ['target: must be an object']],
])('of a value with several forms (%j) it says what the closest one lacks', (value, messages) => {
  expect(said(z.object({ target }), { target: value })).toEqual(messages);
});

it('reports one problem for each place, and shortens long names', () => {
  expect(said(z.strictObject({ a: z.string().min(3).startsWith('b') }), { a: '' })).toHaveLength(1);
  const [unknown = ''] = said(z.strictObject({}), { ['x'.repeat(10_000)]: 1 });
  expect(unknown.length).toBeLessThan(200);
});
