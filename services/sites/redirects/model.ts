import { collection, type Write, write } from '../../../shared/store/port.js';
import type { RedirectDestination, SiteRedirect } from './resources.js';

export interface RedirectDocument {
  _id: string;
  site: string;
  source: string;
  /** The source in the form in which sources are compared. */
  key: string;
  destination: RedirectDestination;
  /** No path leads to it. */
  draft?: true;
  /** Appends to the target what the wildcard of the source stands for. */
  captureWildcard?: true;
  permanent?: true;
  createdAt: string;
  updatedAt?: string;
}

export const redirects = collection<RedirectDocument>('sites_redirects', [
  { on: { site: 1, key: 1 }, unique: true },
  { on: { site: 1, draft: 1, createdAt: 1 } },
  { on: { site: 1, draft: 1, source: 1 } },
]);

export const presentRedirect = ({
  _id: id,
  source,
  destination,
  draft,
  captureWildcard,
  permanent,
  createdAt,
  updatedAt,
}: Omit<RedirectDocument, 'site' | 'key'>): SiteRedirect => ({
  object: 'site-redirect',
  id,
  source,
  draft: draft ?? false,
  captureWildcard: captureWildcard ?? false,
  permanent: permanent ?? false,
  destination,
  createdAt,
  ...(updatedAt ? { updatedAt } : {}),
});

/** The writes that delete what this room stores of a site. */
export const redirectDeletion = (site: string): Write[] => [write.delete(redirects, { site })];
