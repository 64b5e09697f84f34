import { permissionsOf } from '../../../../shared/contract/access.js';
import { isShowable } from '../../../../shared/contract/fields.js';
import { collection, type Derivation } from '../../../../shared/store/port.js';
import type { Role } from '../../../identity/resources.js';
import {
  type CollectionResource,
  collectionKind,
  type DefaultLevel,
  type editModes,
  type GitOperation,
  type gitProviders,
  type Space,
  spaceKind,
} from './resources.js';

export interface GitSettings {
  provider?: (typeof gitProviders)[number];
  url?: string;
  repoName?: string;
  updatedAt: string;
  /** The commit that the primary content was imported from or exported as: importing it again changes nothing. */
  commit?: string;
  source?: string;
  /** The last operation applied. */
  operation?: string;
  /** The `timestamp` of the last operation applied. */
  appliedTimestamp?: string;
}

/** The part of a connection with a repository that its space shows. */
export interface GitInstallationSummary {
  id: string;
  status: NonNullable<Space['gitSync']>['installationStatus'];
  provider?: (typeof gitProviders)[number];
  repoName?: string;
  /** The address of the branch, for people. */
  url?: string;
}

export interface GitOperationDocument extends Omit<GitOperation, 'state' | 'queued' | 'skipped' | 'endedAt'> {
  id: string;
  state: GitOperation['state'] | 'queued' | 'skipped';
}

/** The revision that an export writes. Operations of a space take turns, but a later one may be requested while it runs. */
export interface GitExporting {
  operation: string;
  /** The same for every run of the export's job, since an earlier run may have pushed it. */
  revision: string;
  /** The commit that was made of it last, and its parent. */
  commit?: string;
  parent?: string;
}

export interface SpaceDocument {
  _id: string;
  organization: string;
  parent: string | null;
  /** The deleted collection that held the space: the space keeps the access it had there until its level is set. `parent` is null. */
  formerParent?: string;
  /** Its place among what its parent holds, by the order of these texts; its id where it was never moved. */
  orderKey?: string;
  title: string;
  emoji?: string;
  icon?: string;
  language?: string;
  /** The translation settings whose source it is translated from. */
  translationOf?: string;
  editMode: (typeof editModes)[number];
  defaultLevel: DefaultLevel;
  creator: string;
  /** The primary content: one pointer, swapped when a revision is complete. */
  revision: string;
  /** The revision that the search index holds. */
  indexed?: string;
  git?: GitSettings;
  gitInstallation?: GitInstallationSummary;
  gitOperation?: GitOperationDocument;
  /** The last export that began. */
  gitExporting?: GitExporting;
  /** The number of its open comments, as the service of comments told last; absent in documents of earlier releases. */
  openComments?: number;
  /** The numbers of its change requests: all, the open ones, and the drafts. */
  changeRequests?: { all: number; open: number; draft: number };
  createdAt: string;
  updatedAt: string;
  deletedAt: string | null;
}

export interface CollectionDocument {
  _id: string;
  organization: string;
  parent: string | null;
  /** Its place among what its parent holds, by the order of these texts; its id where it was never moved. */
  orderKey?: string;
  title: string;
  description?: string;
  defaultLevel: DefaultLevel;
  creator: string;
  createdAt: string;
  /** When it was deleted. It stays while spaces take their access from it, for nothing else. */
  deletedAt?: string;
}

export const spaces = collection<SpaceDocument>('content_spaces', [
  { on: { organization: 1 } },
  { on: { formerParent: 1 }, where: 'formerParent' },
]);
export const collections = collection<CollectionDocument>('content_collections', [
  { on: { organization: 1 } },
  { on: { parent: 1 }, where: 'parent' },
]);
/** The revision that is the primary content of a space. */
export const currentRevision: Derivation<SpaceDocument, string> = {
  kind: 'revision',
  make: ({ revision }) => revision,
  sizeOf: ({ length }) => 2 * length,
};

/** Parts of a shown space that are not stored with it: the role of the caller, and the number of open comments. */
interface ShownWith {
  role: Role | null;
  comments: number;
}

/** How a space with this parent is shown. */
export const visibilityUnder = (parent: string | null): Space['visibility'] =>
  parent === null ? 'private' : 'in-collection';

export function presentSpace(baseUrl: string, space: SpaceDocument, { role, comments }: ShownWith): Space {
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
    visibility: visibilityUnder(parent),
    createdAt,
    updatedAt,
    ...(deletedAt ? { deletedAt } : {}),
    editMode,
    mergeRules: { type: 'inherit' },
    urls: {
      location: `${baseUrl}/v1/spaces/${id}`,
      app: `${baseUrl}/app/s/${id}`,
      ...(isShowable(space.icon) ? { icon: space.icon } : {}),
    },
    organization,
    ...(parent === null ? {} : { parent }),
    ...(language ? { language } : {}),
    ...(space.git || space.gitInstallation ? { gitSync: presentGitSync(space) } : {}),
    revision,
    defaultLevel,
    comments,
    changeRequests: space.changeRequests?.all ?? 0,
    changeRequestsOpen: space.changeRequests?.open ?? 0,
    changeRequestsDraft: space.changeRequests?.draft ?? 0,
    permissions: permissionsOf(spaceKind, role),
  };
}

export function presentGitSync({
  _id,
  git,
  gitInstallation,
}: Pick<SpaceDocument, '_id' | 'git' | 'gitInstallation'>): NonNullable<Space['gitSync']> {
  const { provider, url, repoName } = gitInstallation ?? git ?? {};
  const { updatedAt } = git ?? {};
  return {
    ...(repoName ? { repoName } : {}),
    installationId: gitInstallation?.id ?? _id,
    installationStatus: gitInstallation?.status ?? (git ? 'active' : 'pending'),
    ...(provider ? { installationProvider: provider } : {}),
    ...(isShowable(url) ? { url } : {}),
    ...(updatedAt ? { updatedAt } : {}),
  };
}

/** Adds flags for the two states that the public API does not have: `queued` and `skipped`. */
export function presentGitOperation({ id: _, state, ...shown }: GitOperationDocument): GitOperation {
  const { completedAt } = shown;
  const ended = completedAt ? { endedAt: completedAt } : {};
  if (state === 'queued') return { ...shown, state: 'running', queued: true };
  if (state === 'skipped') return { ...shown, state: 'success', skipped: true, ...ended };
  return { ...shown, state, ...ended };
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
