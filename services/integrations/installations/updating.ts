import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../../shared/contract/caller.js';
import { changesOf, type Wanted } from '../../../shared/store/changes.js';
import { type Collection, type Update, type Write, write } from '../../../shared/store/port.js';
import { timestamp } from '../../../shared/values/ids.js';
import type { ConfigurationSchema } from '../catalogue/resources.js';
import { queueEvents } from '../deliveries/queue/queue.js';
import { checkChosen } from './configurations/check-configuration.js';
import { statusOf } from './configurations/configuration.js';
import { configurationWrite, readConfiguration } from './configurations/stored-configurations.js';
import type { InstallationDependencies } from './find.js';
import { setupEvent } from './lifecycle-events.js';
import { contentInstallations, type InstalledDocument, installations } from './model.js';
import type { InstallationConfiguration } from './resources.js';
import { scriptsTold } from './script-changes.js';

type Dependencies = Pick<InstallationDependencies, 'store' | 'secrets' | 'deliveries' | 'outbox' | 'allowCidrs'>;

export interface InstalledUpdate<D extends InstalledDocument> {
  before: D;
  schema: ConfigurationSchema | undefined;
  configuration: InstallationConfiguration | undefined;
  fields: Wanted<D>;
  caller: Caller;
}

export interface InstalledChanges<D> {
  after: D;
  /** The change and the event of it. They fail when it was changed meanwhile. */
  writes: Write[];
  /** For the audit record. */
  details: Record<string, unknown>;
}

/** Changes that an update makes to an installation, also to one on a space or site; null where nothing differs. */
export async function changesOfInstalled<D extends InstalledDocument>(
  deps: Dependencies,
  { before, schema, configuration, fields, caller }: InstalledUpdate<D>,
): Promise<InstalledChanges<D> | null> {
  if (configuration) checkChosen(deps, { publication: before.publication, schema, configuration });
  const previous = await readConfiguration(deps, before);
  const next = configuration ?? previous;
  const isConfigured = !isDeepStrictEqual(next, previous);
  const status = before.status === 'paused' ? before.status : statusOf(schema, next);
  const changes = changesOf<InstalledDocument>(before, { ...fields, status } as Wanted<InstalledDocument>);
  if (!changes && !isConfigured) return null;
  const { _id, version } = before;
  const stored = isConfigured ? configurationWrite(deps, before, next) : undefined;
  const $set = {
    ...changes?.update.$set,
    ...(stored ? { bytes: stored.bytes } : {}),
    updatedAt: timestamp(),
  };
  const after = { ...before, ...$set, version: version + 1 };
  const update = { $set, $inc: { version: 1 } } as Update<InstalledDocument>;
  const event = setupEvent(after, {
    previous: { status: before.status, configuration: previous },
    isEcho: caller.kind !== 'user',
  });
  return {
    after,
    writes: [
      write.update(collectionOf(before), { _id, version }, update, { expect: 1 }),
      ...(stored ? [stored.write] : []),
      ...(await queueEvents(deps, [event])),
      ...(isDeepStrictEqual(showingFields(after), showingFields(before)) ? [] : scriptsTold(deps, after)),
    ],
    details: { ...changes?.details, ...(isConfigured ? { configured: true } : {}) },
  };
}

/** Fields that decide on which sites it works, and with which scopes. */
const showingFields = (installed: InstalledDocument) => ({
  status: installed.status,
  ...('kind' in installed ? {} : { scopes: installed.scopes, siteSelection: installed.siteSelection }),
});

const collectionOf = (document: InstalledDocument): Collection<InstalledDocument> =>
  ('kind' in document ? contentInstallations : installations) as unknown as Collection<InstalledDocument>;
