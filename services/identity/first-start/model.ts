import { type Collection, collection } from '../../../shared/store/port.js';

/** The one document about the first start: what it created, and whether it was announced. */
export interface FirstStartDocument {
  _id: 'bootstrap';
  user: string;
  organization: string;
  /** The id of the handbook's space, which exists once `handbook` is set. */
  space: string;
  handbook?: true;
  /** The site of the handbook was made; it is not made again, whatever becomes of it. */
  site?: true;
  /** SHA-256 of the latest `BOOTSTRAP_TOKEN`. */
  tokenHash?: string;
  /** The first start was announced. */
  told?: true;
}

export const firstStarts = collection<FirstStartDocument>('identity_bootstraps');

/** The filter of the one document. */
export const theFirstStart = { _id: 'bootstrap' } as const;

/** The id of the site of the handbook, by that of its space. */
export const handbookSite = (space: string): string => `site_${space}`;

/** The label of the API tokens that the first start creates. */
export const tokenLabel = 'First start';

export const firstStartCollections = [firstStarts] as Collection<never>[];
