import { collection } from '../../../../shared/store/port.js';

/** A user and a space: whether it is a favourite, and which content the user has seen. */
export interface VisitDocument {
  _id: string;
  organization: string;
  user: string;
  space: string;
  /** Absent where it is none. */
  favourite?: true;
  revision?: string;
  seenAt?: string;
  updatedAt: string;
}

export const visitId = ({ user, space }: Pick<VisitDocument, 'user' | 'space'>): string => `${user}:${space}`;

export const visits = collection<VisitDocument>('content_visits', [
  { on: { organization: 1, user: 1, seenAt: -1 } },
  { on: { organization: 1, user: 1, favourite: 1, seenAt: -1 }, where: 'favourite' },
  { on: { space: 1 } },
]);
