import { methodNotAllowed } from '../../../shared/errors/errors.js';
import type { ReaderAnswer, ReaderRequest } from '../contract.js';
import type { SiteRequest } from './reader-context.js';

export const isRead = ({ method }: Pick<ReaderRequest, 'method'>): boolean => method === 'GET' || method === 'HEAD';

/** Throws 405 for a request that is no read. */
export function checkRead(request: Pick<ReaderRequest, 'method'>): void {
  if (!isRead(request)) throw methodNotAllowed(request.method, ['GET', 'HEAD']);
}

/** Leads elsewhere; browsers ask again each time. */
export const redirect = (status: 302 | 303 | 307 | 308, location: string): ReaderAnswer => ({
  status,
  headers: { Location: location, 'Cache-Control': 'no-cache' },
  kind: 'redirect',
});

/** Public pages may be kept, and are asked for again; those of known visitors are for nobody else. */
export function cacheControlOf({ visitor, visit }: Pick<SiteRequest, 'visitor' | 'visit'>): string {
  const { preview, shareKey, signedBy } = visit.visitor;
  const isPublic = visitor.isAnonymous && !preview && shareKey === undefined && signedBy === undefined;
  return isPublic ? 'public, max-age=0, must-revalidate' : 'private, no-cache';
}
