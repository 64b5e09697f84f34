import FindMyWay, { type HTTPMethod } from 'find-my-way';
import { z } from 'zod';
import type { AnyOperation, QuerySchema } from '../../../shared/contract/operation.js';
import { invalid, methodNotAllowed, notFound } from '../../../shared/errors/errors.js';
import { notImplemented, type PublicOperation } from './public-api.js';

export interface Route {
  operation: AnyOperation;
  readQuery: ReturnType<typeof queryReader>;
}

export interface Match extends Route {
  path: Record<string, string>;
}

const methods: HTTPMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const noHandler = () => {};

/** Finds the operation behind a method and a path; the cost does not grow with the number of operations. */
export interface Router {
  /** Throws 404 for an unknown path, 405 (with `allow`) for a path with other methods, 501 for a missing operation of the public API. */
  find(method: string, path: string): Match;
  /** The methods of a path, including HEAD; empty for an unknown path. */
  allowed(path: string): string[];
}

/** A parameter at the end that is named as a path takes the rest, with its slashes: its name. */
const restParameter = (path: string): string | undefined => /\{(\w+Path)\}$/.exec(path)?.[1];
const routePattern = (path: string) => `/v1${path}`.replace(/\{\w+Path\}$/, '*').replace(/\{(\w+)\}/g, ':$1');

/** The parameters of a path by their names. */
function namedParameters({ path }: AnyOperation, { '*': rest, ...others }: Record<string, string | undefined>) {
  const name = restParameter(path);
  return { ...others, ...(name === undefined ? {} : { [name]: rest }) } as Record<string, string>;
}

/** Operations of the public API that are not implemented, and the address of the page that lists those that are. */
export interface Lacking {
  missing: PublicOperation[];
  page: string;
}

export function createRouter(
  operations: AnyOperation[],
  { missing, page }: Lacking = { missing: [], page: '' },
): Router {
  const tree = FindMyWay({ ignoreTrailingSlash: true, maxParamLength: 1024 });
  const elsewhere = FindMyWay({ ignoreTrailingSlash: true, maxParamLength: 1024 });
  for (const operation of operations) {
    const route: Route = { operation, readQuery: queryReader(operation.query) };
    tree.on(operation.method, routePattern(operation.path), noHandler, route);
  }
  for (const operation of missing) elsewhere.on(operation.method, routePattern(operation.path), noHandler, operation);
  const lookUp = (method: string, path: string, routes = tree) => {
    const found = routes.find((method === 'HEAD' ? 'GET' : method) as HTTPMethod, path);
    return found && Object.values(found.params).includes('') ? null : found;
  };
  const allowed = (path: string) => {
    const own: string[] = methods.filter((method) => lookUp(method, path)?.store);
    return own.includes('GET') ? [...own, 'HEAD'] : own;
  };
  return {
    allowed,
    find(method, path) {
      const found = lookUp(method, path);
      if (found?.store) {
        const route = found.store as Route;
        return { ...route, path: namedParameters(route.operation, found.params) };
      }
      const lacking = lookUp(method, path, elsewhere);
      if (lacking) throw notImplemented((lacking.store as PublicOperation).id, page);
      const allow = allowed(path);
      throw allow.length === 0 ? notFound('Path') : methodNotAllowed(method, allow);
    },
  };
}

type Coerce = (values: string[], name: string) => unknown;

const coerceOne = (values: string[], name: string): string => {
  if (values.length > 1) throw invalid(`${name}: given ${values.length} times; give it once`);
  return values[0] as string;
};

const coerceNumber: Coerce = (values, name) => {
  const text = coerceOne(values, name);
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
};

const coerceBoolean: Coerce = (values, name) => {
  const text = coerceOne(values, name);
  return { true: true, false: false, '1': true, '0': false }[text] ?? text;
};

const coerceArray: Coerce = (values) => values.flatMap((value) => value.split(',')).filter((value) => value !== '');

function unwrapSchema(schema: z.ZodType): z.ZodType {
  const wrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable;
  return wrapped ? unwrapSchema(schema.unwrap() as z.ZodType) : schema;
}

function coercionOf(schema: z.ZodType): Coerce {
  const core = unwrapSchema(schema);
  if (core instanceof z.ZodNumber) return coerceNumber;
  if (core instanceof z.ZodBoolean) return coerceBoolean;
  if (core instanceof z.ZodArray) return coerceArray;
  return coerceOne;
}

/** Reads query strings by a schema: numbers, booleans, arrays (repeated or comma-separated). Unknown keys are ignored. */
export function queryReader(schema: QuerySchema | undefined): (search: string) => Record<string, unknown> {
  const fields = Object.entries(schema?.shape ?? {}).map(
    ([name, field]) => [name, coercionOf(field as z.ZodType)] as const,
  );
  return (text) => {
    const query: Record<string, unknown> = {};
    if (text === '') return query;
    const search = new URLSearchParams(text);
    for (const [name, coerce] of fields) {
      const values = search.getAll(name);
      if (values.length > 0) query[name] = coerce(values, name);
    }
    return query;
  };
}
