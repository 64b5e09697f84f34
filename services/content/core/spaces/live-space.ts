import { invalid, notFound } from '../../../../shared/errors/errors.js';
import type { SpaceDocument } from '../nodes/model.js';

/** Throws 404 for a space that is gone, 400 for one that is changed through change requests only. */
export function checkLive<S extends Pick<SpaceDocument, 'editMode' | 'deletedAt'>>(
  space: S | null,
): asserts space is S {
  if (!space || space.deletedAt) throw notFound('Space');
  if (space.editMode !== 'live')
    throw invalid('This space is locked: change it through a change request', 'space_locked');
}
