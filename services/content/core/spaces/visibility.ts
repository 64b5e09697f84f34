import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import type { Write } from '../../../../shared/store/port.js';
import { spaceVisibilityChanged } from '../events.js';
import { visibilityUnder } from '../nodes/model.js';

/** The write of the event that a space left its collection, or came into one, for the batch that moves it. */
export const visibilityEventWrite = (
  { outbox }: HasOutbox,
  {
    organization,
    space,
    from,
    to = null,
  }: { organization: string; space: string; from: string | null; to?: string | null },
): Write =>
  outbox.add(spaceVisibilityChanged, {
    organization,
    space,
    before: visibilityUnder(from),
    after: visibilityUnder(to),
  });
