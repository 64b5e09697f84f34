import type { Collection } from '../../shared/store/port.js';
import { jobCollections } from '../../shared/work/jobs.js';
import { outboxCollection } from '../../shared/work/outbox.js';
import { chunks, pageDocuments, revisions } from './revisions/model.js';
import { collections, grants, spaces, trees } from './tree/model.js';

export const { jobs, locks } = jobCollections('content');
export const outboxEvents = outboxCollection('content');

/** Every collection of the service, to be prepared at start. */
export const allCollections = [
  spaces,
  collections,
  grants,
  trees,
  revisions,
  chunks,
  pageDocuments,
  jobs,
  locks,
  outboxEvents,
] as Collection<never>[];
