import { conflict, invalid } from '../../../shared/errors/errors.js';
import { type Store, StoreDuplicate, type Write } from '../../../shared/store/port.js';
import type { RedirectDocument } from './model.js';
import { hasWildcard } from './redirect-keys.js';

/** Redirects of a site. */
export const maxRedirects = 10_000;

/** The condition that a redirect still has the fields that a change of others depends on. */
export const asRead = ({ _id, source, draft, captureWildcard }: RedirectDocument) => ({
  _id,
  source,
  draft: draft ?? null,
  captureWildcard: captureWildcard ?? null,
});

/** Throws 400 for a redirect that is to capture a wildcard which its source does not have. */
export function checkCapture({ source, captureWildcard }: RedirectDocument): void {
  if (captureWildcard && !hasWildcard(source)) throw invalid('captureWildcard: the source does not end with *');
}

/** Writes a redirect. Throws 409 when another one of the site has its source. */
export async function writeRedirect(store: Store, writes: Write[]): Promise<void> {
  await store.batch(writes).catch((error: unknown) => {
    if (error instanceof StoreDuplicate) throw conflict('source: another redirect of this site has it', 'taken');
    throw error;
  });
}
