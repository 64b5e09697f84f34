import type { Write } from '../../../../shared/store/port.js';
import type { ContentDependencies } from '../../dependencies.js';
import { spaceVisibilityChanged } from '../events.js';
import { visibilityOf } from '../nodes/model.js';

/** The write of the event that a space left its collection, for the batch that moves it. */
export const leftCollection = (
  { outbox }: Pick<ContentDependencies, 'outbox'>,
  { organization, space, from }: { organization: string; space: string; from: string },
): Write =>
  outbox.add(spaceVisibilityChanged, {
    organization,
    space,
    before: visibilityOf(from),
    after: visibilityOf(null),
  });
