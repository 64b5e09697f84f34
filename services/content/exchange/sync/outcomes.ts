import { type Write, write } from '../../../../shared/store/port.js';
import { spaces } from '../../core/nodes/model.js';
import { GitFailure } from '../git/command/failure.js';
import { summarizeInstallation } from './installations/present.js';
import type { GitInstallationDocument } from './model.js';

/** Whether and how a connection is broken by an error, and the words for its people. */
export function failureFields(error: Error): Required<Pick<GitInstallationDocument, 'ended' | 'error'>> {
  const known = error instanceof GitFailure || (error as { type?: string }).type !== undefined;
  const text = known ? error.message : 'the sync failed on our side; it is tried again';
  const reason = error instanceof GitFailure ? error.reason : undefined;
  if (error.name === 'TimeoutError') return { ended: 'broken', error: 'the repository did not answer in time' };
  if (reason === 'priority') return { ended: 'pending', error: text };
  return { ended: reason === 'authentication' ? 'unauthenticated' : 'broken', error: text };
}

/** The write that has the space of a connection show it as it is. */
export const summaryWrite = (item: GitInstallationDocument): Write =>
  write.update(
    spaces,
    { _id: item.space, 'gitInstallation.id': item._id },
    { $set: { gitInstallation: summarizeInstallation(item) } },
  );
