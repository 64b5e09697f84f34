import { permissionsOf } from '../../../shared/contract/access.js';
import type { Caller } from '../../../shared/contract/caller.js';
import { type Comment, spaceKind } from '../../content/resources.js';
import type { TextDocument } from './model.js';

/** A user who asks, with their role in the space. */
export interface Reader {
  /** The id of the user. */
  user: string;
  role: string | null;
}

/** The reader behind a call. Whatever an installation may do with the space, it only reads comments. */
export const readerOf = (caller: Caller, role: string | null): Reader => ({
  user: caller.kind === 'user' ? caller.user : '',
  role: caller.kind === 'installation' ? 'read' : role,
});

/** A reader's permissions on a comment or a reply. */
export function rightsOn({ author }: Pick<TextDocument, 'author'>, { user, role }: Reader): Comment['permissions'] {
  const { view, comment, admin } = permissionsOf(spaceKind, role);
  const edit = comment && author === user;
  return { view, edit, reply: comment, delete: edit || admin };
}
