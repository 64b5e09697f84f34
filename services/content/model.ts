import { permissionsOf } from '../../shared/contract/access.js';
import { type Collection, collection, type SearchIndex, type Write, write } from '../../shared/store/port.js';
import { jobCollections } from '../../shared/work/jobs.js';
import { outboxCollection } from '../../shared/work/outbox.js';
import type { Role } from '../identity/resources.js';
import {
  type CollectionResource,
  type ContentRef,
  collectionKind,
  type DefaultLevel,
  type editModes,
  type GitOperation,
  type gitProviders,
  type Layout,
  type revisionTypes,
  type Space,
  spaceKind,
} from './resources.js';

export interface GitSettings {
  provider?: (typeof gitProviders)[number];
  url?: string;
  repoName?: string;
  updatedAt: string;
  /** What the primary content came from: a second import of the same changes nothing. */
  commit?: string;
  source?: string;
  /** The operation that was applied last. */
  operation?: string;
  /** The `timestamp` of the last operation that was applied. */
  appliedTimestamp?: string;
}

export interface SpaceDocument {
  _id: string;
  organization: string;
  parent: string | null;
  title: string;
  emoji?: string;
  icon?: string;
  language?: string;
  editMode: (typeof editModes)[number];
  defaultLevel: DefaultLevel;
  creator: string;
  /** The primary content: one pointer, swapped when a revision is whole. */
  revision: string;
  /** The revision that the search index shows. */
  indexed?: string;
  git?: GitSettings;
  gitOperation?: GitOperation & { id: string };
  createdAt: string;
  updatedAt: string;
  deletedAt: string | null;
}

export interface CollectionDocument {
  _id: string;
  organization: string;
  parent: string | null;
  title: string;
  description?: string;
  defaultLevel: DefaultLevel;
  creator: string;
  createdAt: string;
}

/** What a user or a team is given on a space or a collection; `_id` is `<node>:<user|team>:<principal's id>`. */
export interface GrantDocument {
  _id: string;
  organization: string;
  node: string;
  kind: 'space' | 'collection';
  principal: 'user' | 'team';
  /** Of the user or the team. */
  id: string;
  /** Null is an explicit "no access". */
  role: Role | null;
  createdAt: string;
}

/** The version of an organization's content tree; every change of its structure, its levels or its grants counts it up. */
export interface TreeDocument {
  _id: string;
  version: number;
}

export interface GitBlob {
  oid: string;
  path: string;
}

/** A page as a revision's tree holds it; its body is a page document. */
export interface PageNode {
  id: string;
  type: 'document' | 'group' | 'link' | 'computed';
  title: string;
  /** What the navigation calls it. */
  linkTitle?: string;
  slug: string;
  path: string;
  emoji?: string;
  icon?: string;
  description?: string;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
  /** The page document's id within the space. */
  document?: string;
  layout?: Layout;
  cover?: { url: string; urlDark?: string; yPos: number };
  variables?: Record<string, unknown>;
  condition?: string;
  /** The body is the same for every reader: what does not say so is evaluated when it is read. */
  plain?: true;
  /** Other names of its anchors that links of the revision have, with the anchors. */
  aliases?: [alias: string, anchor: string][];
  git?: GitBlob;
  target?: ContentRef;
  href?: string;
  computed?: { type: string; props?: unknown; dependencies?: unknown };
  createdAt?: string;
  updatedAt?: string;
  /** Chunks of child pages. */
  children: string[];
}

export interface FileEntry {
  id: string;
  name: string;
  contentType: string;
  size: number;
  blob: string;
  dimensions?: { width: number; height: number };
  git?: GitBlob;
}

export interface ReusableEntry {
  id: string;
  title: string;
  document: string;
  aliases?: [alias: string, anchor: string][];
  git?: GitBlob;
}

/** An old path of pages, and where it leads. */
export interface RedirectEntry {
  from: string;
  page: string;
  anchor?: string;
}

/** What a tag of updates is called. */
export interface TagName {
  tag: string;
  label: string;
}

/** A content-addressed part of revisions: one parent's children, files or paths, at most `chunkSize` of them. */
export interface ChunkDocument {
  _id: string;
  space: string;
  pages?: PageNode[];
  files?: FileEntry[];
  reusable?: ReusableEntry[];
  redirects?: RedirectEntry[];
  outside?: string[];
}

export interface RevisionDocument {
  _id: string;
  space: string;
  parents: string[];
  type: (typeof revisionTypes)[number];
  pages: string[];
  files: string[];
  reusable: string[];
  redirects?: string[];
  /** Paths of the repository that pages lead to and that are no part of the space. */
  outside?: string[];
  variables?: Record<string, unknown>;
  tags?: TagName[];
  git?: { oid: string; message: string; createdByService: boolean; url?: string; ref?: string };
  /** Prefix of links to files of the repository outside the space. */
  treeURL?: string;
  createdAt: string;
}

export interface Section {
  title?: string;
  anchor?: string;
  text: string;
  /** Under a first heading of level 1, which is no part of the body where the page's title says the same. */
  lead?: true;
}

/** The immutable body of a page: its source byte for byte, and what was read from it. `_id` is `<space>:<git blob oid>`. */
export interface PageDocument {
  _id: string;
  space: string;
  source: string;
  title?: string;
  meta: PageMeta;
  sections: Section[];
  /** Every target, as written. */
  links: { url: string; kind: string }[];
  /** Other names that links may give its anchors. */
  aliases?: [alias: string, anchor: string][];
}

export interface PageMeta {
  emoji?: string;
  icon?: string;
  description?: string;
  hidden: boolean;
  noIndex: boolean;
  noRobotsIndex: boolean;
  layout?: Layout;
  cover?: { url: string; urlDark?: string; yPos: number };
  variables?: Record<string, unknown>;
  condition?: string;
  plain?: true;
  problem?: string;
}

export const chunkSize = 500;

export const spaces = collection<SpaceDocument>('content_spaces', [{ on: { organization: 1 } }]);
export const collections = collection<CollectionDocument>('content_collections', [{ on: { organization: 1 } }]);
export const grants = collection<GrantDocument>('content_grants', [
  { on: { node: 1, principal: 1, createdAt: 1 }, where: 'role' },
  { on: { node: 1 } },
  { on: { organization: 1 } },
  { on: { organization: 1, principal: 1, id: 1, createdAt: 1 } },
]);
export const trees = collection<TreeDocument>('content_trees');
export const revisions = collection<RevisionDocument>('content_revisions', [{ on: { space: 1 } }]);
export const chunks = collection<ChunkDocument>('content_chunks', [{ on: { space: 1 } }]);
export const pageDocuments = collection<PageDocument>('content_page_documents', [{ on: { space: 1 } }]);
export const { jobs, locks } = jobCollections('content');
export const outboxEvents = outboxCollection('content');

export const allCollections = [
  spaces,
  collections,
  grants,
  trees,
  revisions,
  chunks,
  pageDocuments,
  jobs,
  locks,
  outboxEvents,
] as Collection<never>[];

export const pageSearch: SearchIndex = { name: 'content_page_search' };

export const documentId = (space: string, oid: string) => `${space}:${oid}`;

export const grantId = ({ node, principal, id }: Pick<GrantDocument, 'node' | 'principal' | 'id'>) =>
  `${node}:${principal}:${id}`;

/** Goes with every write that changes who reads what. */
export const treeChanged = (organization: string): Write =>
  write.upsert(trees, { _id: organization }, { $inc: { version: 1 } });

export function presentSpace(baseUrl: string, space: SpaceDocument, role: Role | null): Space {
  const {
    _id: id,
    title,
    createdAt,
    updatedAt,
    deletedAt,
    editMode,
    organization,
    parent,
    language,
    revision,
    defaultLevel,
  } = space;
  return {
    object: 'space',
    id,
    title,
    emoji: space.emoji ?? '',
    visibility: parent === null ? 'private' : 'in-collection',
    createdAt,
    updatedAt,
    ...(deletedAt ? { deletedAt } : {}),
    editMode,
    urls: {
      location: `${baseUrl}/v1/spaces/${id}`,
      app: `${baseUrl}/app/s/${id}`,
      ...(space.icon ? { icon: space.icon } : {}),
    },
    organization,
    ...(parent === null ? {} : { parent }),
    ...(language ? { language } : {}),
    ...(space.git ? { gitSync: presentGit(space.git) } : {}),
    revision,
    defaultLevel,
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
    permissions: permissionsOf(spaceKind, role),
  };
}

export function presentGit({ provider, url, repoName, updatedAt }: GitSettings): NonNullable<Space['gitSync']> {
  return {
    ...(repoName ? { repoName } : {}),
    ...(provider ? { installationProvider: provider } : {}),
    ...(url ? { url } : {}),
    updatedAt,
  };
}

export function presentCollection(
  baseUrl: string,
  document: CollectionDocument,
  role: Role | null,
): CollectionResource {
  const { _id: id, title, description, organization, parent, defaultLevel } = document;
  return {
    object: 'collection',
    id,
    title,
    ...(description ? { description } : {}),
    organization,
    ...(parent === null ? {} : { parent }),
    defaultLevel,
    urls: { location: `${baseUrl}/v1/collections/${id}`, app: `${baseUrl}/app/c/${id}` },
    permissions: permissionsOf(collectionKind, role),
  };
}
