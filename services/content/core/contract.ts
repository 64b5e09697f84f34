import { question } from '../../../shared/contract/verb.js';
import type { User } from '../../identity/resources.js';
import { changeRequestOperations } from './contract/change-requests.js';
import { collectionOperations } from './contract/collections.js';
import { fontOperations } from './contract/fonts.js';
import { memberSpaceOperations } from './contract/member-spaces.js';
import { movingOperations } from './contract/moving.js';
import { permissionOperations } from './contract/permissions.js';
import { spaceOperations } from './contract/spaces.js';
import { storageOperations } from './contract/storage.js';
import { glossaryOperations, translationOperations } from './contract/translations.js';
import { uploadOperations } from './contract/uploads.js';
import type { Space, spaceKind } from './resources.js';

export * from './contract/comments.js';
export { fontDefinitions } from './contract/fonts.js';
export * from './contract/sites.js';
export * from './contract/trash.js';
export { findUpload, receiveUpload } from './contract/uploads.js';

export const coreOperations = {
  ...spaceOperations,
  ...collectionOperations,
  ...movingOperations,
  ...permissionOperations.operations,
  ...memberSpaceOperations,
  ...changeRequestOperations,
  ...storageOperations,
  ...uploadOperations,
  ...fontOperations,
  ...translationOperations,
  ...glossaryOperations,
};

export interface PresentSpaces {
  organization: string;
  ids: string[];
}

/**
 * Spaces in the order of the ids, with the permissions of the caller: all false where it has no role. Deleted spaces carry
 * `deletedAt`; null for an id that does not exist or belongs to another organization.
 */
export const presentSpaces = question<PresentSpaces, (Space | null)[]>('content', 'presentSpaces');

export interface FindChangeRequest {
  space: string;
  /** Its id or its number. */
  changeRequest: string;
}

export interface FoundChangeRequest {
  id: string;
  /** Absent in answers of the release before, as are `subject` and `createdBy`. */
  number?: number;
  subject?: string;
  /** The id of a user. */
  createdBy?: string;
  /** Its content. */
  revision: string;
}

/** A change request of a space; null for one that the space does not have. */
export const findChangeRequest = question<FindChangeRequest, FoundChangeRequest | null>('content', 'findChangeRequest');

export interface FindPeople {
  organization: string;
  space: string;
  /** The right that they have. */
  right: keyof typeof spaceKind.rights;
  /** A part of their names. */
  search?: string;
  /** At most 100. */
  limit: number;
}

/** Members who have a right on a space, by their names. Nobody has one on a space in the trash. The caller checks who may see them. */
export const findPeople = question<FindPeople, User[]>('content', 'findPeople');
