import FindMyWay, { type HTTPMethod } from 'find-my-way';
import type { AnyOperation } from '../../shared/contract/operation.js';
import { queryReader } from '../../shared/contract/query.js';
import { apiError, notFound } from '../../shared/errors.js';

export interface Route {
  operation: AnyOperation;
  readQuery: ReturnType<typeof queryReader>;
}

export interface Match extends Route {
  path: Record<string, string>;
}

const methods: HTTPMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const unused = () => {};

/** Finds the operation behind a method and a path; the cost does not grow with the number of operations. */
export interface Router {
  /** Throws 404, or 405 (with `allow`) for a path that other methods have. */
  find(method: string, path: string): Match;
  /** The methods that a path has, HEAD included; empty for an unknown path. */
  allowed(path: string): string[];
}

export function createRouter(operations: AnyOperation[]): Router {
  const tree = FindMyWay({ ignoreTrailingSlash: true, maxParamLength: 1024 });
  for (const operation of operations) {
    const pattern = `/v1${operation.path}`.replace(/\{(\w+)\}/g, ':$1');
    tree.on(operation.method, pattern, unused, { operation, readQuery: queryReader(operation.query) } satisfies Route);
  }
  const lookUp = (method: string, path: string) => {
    const found = tree.find((method === 'HEAD' ? 'GET' : method) as HTTPMethod, path);
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
      if (found?.store) return { ...(found.store as Route), path: found.params as Record<string, string> };
      const allow = allowed(path);
      if (allow.length === 0) throw notFound('Path');
      throw Object.assign(apiError('METHOD_NOT_ALLOWED', `${method} is not possible here; ${allow.join(', ')} is`), {
        allow,
      });
    },
  };
}
