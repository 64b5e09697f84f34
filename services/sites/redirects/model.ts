import { collection, type Write, write } from '../../../shared/store/port.js';
import { pathKey } from '../structure/paths.js';
import { readable, segmentsOf } from '../visiting/locate.js';
import type { RedirectDestination, SiteRedirect } from './resources.js';

export interface RedirectDocument {
  _id: string;
  site: string;
  source: string;
  /** The source in the form in which sources are compared. */
  key: string;
  destination: RedirectDestination;
  createdAt: string;
}

export const redirects = collection<RedirectDocument>('sites_redirects', [
  { on: { site: 1, key: 1 }, unique: true },
  { on: { site: 1, createdAt: 1 } },
]);

/** The form in which sources are compared: in any case, encoded or not. */
export const sourceKey = (source: string): string => pathKey(segmentsOf(source).map(readable).join('/'));

export const presentRedirect = ({
  _id: id,
  source,
  destination,
  createdAt,
}: Pick<RedirectDocument, '_id' | 'source' | 'destination' | 'createdAt'>): SiteRedirect => ({
  object: 'site-redirect',
  id,
  source,
  draft: false,
  captureWildcard: false,
  permanent: false,
  destination,
  createdAt,
});

/** The writes that delete what this room stores of a site. */
export const redirectDeletion = (site: string): Write[] => [write.delete(redirects, { site })];
