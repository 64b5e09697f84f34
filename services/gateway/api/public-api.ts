import type { Method } from '../../../shared/contract/operation.js';
import { apiError } from '../../../shared/errors/errors.js';

export interface PublicOperation {
  id: string;
  method: Method;
  /** Relative to `/v1`. */
  path: string;
}

/** Reads a line of `publicOperations`. */
export function publicOperation(line: string): PublicOperation {
  const [id = '', method = '', path = ''] = line.split(' ');
  return { id, method: method as Method, path };
}

/** `page`: the address of the page that lists the implemented operations. */
export const notImplemented = (id: string, page: string) =>
  apiError('NOT_IMPLEMENTED', `Bindery does not implement the operation ${id} yet; ${page} lists those it implements`);
