import { type Collection, collection } from '../../../shared/store/port.js';
import type { Integration } from './resources.js';

/** A stored image. */
export interface StoredImage {
  /** A blob with a prefix: see `files.ts`. */
  blob: string;
  /** The extension of its file name. */
  extension: string;
}

/** Declarations from the manifest of an integration, and the fields by which lists find it. */
export interface Definition
  extends Pick<
    Integration,
    | 'title'
    | 'description'
    | 'summary'
    | 'target'
    | 'visibility'
    | 'scopes'
    | 'categories'
    | 'externalLinks'
    | 'contentSecurityPolicy'
  > {
  blocks: NonNullable<Integration['blocks']>;
  contentSources: NonNullable<Integration['contentSources']>;
  configurations: NonNullable<Integration['configurations']>;
  /** Domains of the URLs that its blocks unfurl, as `blockDomainsOf` makes them. */
  blockDomains: string[];
  hasBlocks: boolean;
  hasContentSources: boolean;
  /** Name and title, for the search. */
  searched: string[];
  /** Size of its blocks, content sources and configurations, as JSON. */
  bytes: number;
}

/** Where the events of an integration go while somebody develops it. Earlier releases stored some without `id` or `token`: those are closed. */
export interface Tunnel {
  /** Another one each time that it is opened; tokens that are given to the developer name it. */
  id?: string;
  url: string;
  /** Whether events of other organizations go there, too. */
  all: boolean;
  /** The id of the API token that opened it. */
  token?: string;
}

export interface IntegrationDocument extends Definition {
  /** Its name. */
  _id: string;
  /** Its name in lower case; absent for those from before names had to differ by more than case, and for those that come with Bindery. */
  foldedName?: string;
  /** Names what was published until it is unpublished: another organization may use the name after that. */
  publication: string;
  /** The organization that owns it; absent for those that come with Bindery. */
  organization?: string;
  version: number;
  verified: boolean;
  icon?: StoredImage;
  previewImages: StoredImage[];
  format: 'v1' | 'v2' | 'built-in';
  /** The blob of the script; absent for those that come with Bindery. */
  script?: string;
  /** Encrypted, as JSON. */
  secrets: string;
  dev?: Tunnel;
  createdAt: string;
  updatedAt: string;
}

export const integrations = collection<IntegrationDocument>('integrations_integrations', [
  { on: { publication: 1 }, unique: true },
  { on: { foldedName: 1 }, unique: true, where: 'foldedName' },
  { on: { visibility: 1 } },
  { on: { organization: 1 }, where: 'organization' },
  { kind: 'contains', name: 'searched', fields: ['searched'], within: [] },
]);

export const catalogueCollections = [integrations] as unknown as Collection<never>[];
