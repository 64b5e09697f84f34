import { type Collection, collection } from '../../../shared/store/port.js';
import type { Role } from '../organizations/resources.js';

/** An invite link. Everybody who knows the id may join by it, so the id is a secret. */
export interface InviteDocument {
  _id: string;
  organization: string;
  /** The kind of the target: the organization itself, or one of its collections or spaces. */
  to: 'organization' | 'space' | 'collection';
  target: string;
  role: Role | null;
  /** The id of the user who created or last changed it; absent in invites of earlier versions. */
  by?: string;
  createdAt: string;
  expiresAt?: string;
}

export const invites = collection<InviteDocument>('identity_invites', [
  { on: { organization: 1, to: 1, createdAt: -1 } },
  { on: { expiresAt: 1 }, where: 'expiresAt' },
]);

export const joiningCollections = [invites] as Collection<never>[];
