import { z } from 'zod';
import { invalid } from '../errors/errors.js';
import { pathText, problemsOf, safeParse } from '../text/schema-messages.js';
import { Encoded } from './encoded.js';
import type { AnyOperation, Request } from './operation.js';

function parameterSchema(path: string) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  return z.object(Object.fromEntries(names.map((name) => [name, z.string().min(1).max(512)])));
}

function requestSchema(operation: AnyOperation) {
  return z.object({
    path: parameterSchema(operation.path),
    query: operation.query ?? z.object({}),
    body: operation.body ?? z.unknown().optional(),
  });
}

const placeName = ([place, ...rest]: PropertyKey[]) =>
  rest.length > 0 ? pathText(rest) : place === 'body' ? 'the body' : String(place);

/**
 * Describes for a person what is wrong: each problem names its field and the bound. The first part of a path says where it is (`body`,
 * `query`), and is not named.
 */
export function describeProblems(error: z.ZodError): string {
  const [first, ...others] = problemsOf(error.issues).map(({ path, message }) => `${placeName(path)}: ${message}`);
  return others.length > 2 ? `${first} (and ${others.length} more)` : [first, ...others].join('; ');
}

/** Reads the parameters of an operation by its schemas. Throws a 400 that names what is wrong. */
export function requestReader(operation: AnyOperation): (parameters: unknown) => Request {
  const schema = requestSchema(operation);
  return (parameters) => {
    const parsed = safeParse(schema, parameters);
    if (!parsed.success) throw invalid(describeProblems(parsed.error));
    return parsed.data as Request;
  };
}

/** Throws when an answer does not have the shape that its contract declares. */
export function checkAnswer({ id, response }: AnyOperation, answer: unknown): void {
  const checked = response && safeParse(response, answer instanceof Encoded ? answer.decode() : answer);
  if (checked && !checked.success)
    throw new Error(`the answer of ${id} does not have the shape of its contract: ${describeProblems(checked.error)}`);
}
