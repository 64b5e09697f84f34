import type { JobKind } from '../../../shared/jobs/jobs.js';
import type { Collection } from '../../../shared/store/port.js';
import type { CatalogueDependencies } from '../catalogue/dependencies.js';
import { type RemovePublicationPayload, removePublicationKind } from '../catalogue/publishing/unpublishing.js';
import { removeEvents } from '../deliveries/queue/kept-events.js';
import { lanes } from '../deliveries/queue/model.js';
import { configurations, contentInstallations, installations } from '../installations/model.js';
import { tellScripts } from '../installations/script-changes.js';

interface OfPublication {
  _id: string;
  publication: string;
}

/** Installations go first: without them, nothing adds events. */
const ofPublication = [installations, contentInstallations, configurations] as unknown as Collection<OfPublication>[];

const atOnce = 500;

/** Removes the installations, events and files of an integration that was unpublished, and notifies sites that lose its scripts. */
export const removePublicationJob = (
  deps: Pick<CatalogueDependencies, 'store' | 'blobs' | 'outbox'>,
): JobKind<RemovePublicationPayload> => ({
  kind: removePublicationKind,
  attempts: 20,
  async run({ job, signal }) {
    const { store, blobs } = deps;
    const { publication, blobs: files, scripts } = job.payload;
    if (scripts) await tellScripts(deps, { publication, signal });
    for (const collection of ofPublication) {
      for (;;) {
        signal.throwIfAborted();
        const { items } = await store.page(collection, {
          filter: { publication },
          sort: {},
          limit: atOnce,
          fields: [],
        });
        if (items.length === 0) break;
        const ids = items.map(({ _id }) => _id);
        await store.deleteMany(collection, { _id: { $in: ids } });
        // The lane of an installation has its id.
        if (collection.name === installations.name) await store.deleteMany(lanes, { _id: { $in: ids } });
      }
    }
    while (await removeEvents(store, { filter: { publication }, sort: {} })) signal.throwIfAborted();
    await store.deleteMany(lanes, { _id: publication });
    for (const file of files) await blobs.delete(file);
  },
});
