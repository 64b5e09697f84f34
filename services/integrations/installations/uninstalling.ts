import type { Context } from '../../../shared/contract/service.js';
import type { JobKind } from '../../../shared/jobs/jobs.js';
import { again } from '../../../shared/store/again.js';
import { type Write, write } from '../../../shared/store/port.js';
import { type NewEvent, queueEvents } from '../deliveries/queue/queue.js';
import { type Formerly, sealFormerState } from './configurations/sealed-before.js';
import {
  findContentInstallation,
  findInstallation,
  type InstallationDependencies,
  type InstallationPath,
} from './find.js';
import { countWrite } from './installing.js';
import { deletedEvent } from './lifecycle-events.js';
import {
  type ContentInstallationDocument,
  configurations,
  contentInstallations,
  type InstallationDocument,
  installations,
  type PlaceKind,
} from './model.js';
import { presentContentInstallations, presentInstallation } from './present.js';
import type { Installation } from './resources.js';
import { scriptsTold } from './script-changes.js';

type Dependencies = Pick<
  InstallationDependencies,
  'store' | 'secrets' | 'baseUrl' | 'endpointsUrl' | 'deliveries' | 'jobs' | 'outbox'
>;

/** Installations on spaces and sites that are removed together, and the characters of the events about them. */
const atOnce = 100;
const maxNotified = 4_000_000;

interface Removal {
  writes: Write[];
  events: NewEvent[];
}

/** Uninstalls an integration: at once, but for what it was installed on where that is a lot. */
export async function uninstall(
  deps: Dependencies,
  path: InstallationPath,
  { audit }: Pick<Context, 'audit'>,
): Promise<void> {
  const { store, jobs } = deps;
  await again(async () => {
    const { installation } = await findInstallation(deps, path);
    const { _id, version, integration } = installation;
    const formerly = await presentInstallation(deps, installation);
    const there = await nextThere(deps, installation);
    const ending = there.isAll
      ? await wholeRemoval(deps, { installation, formerly, there: there.items })
      : [
          jobs.enqueue<Removing>(removeInstallationKind, {
            installation,
            formerly: sealFormerState(deps, { installation: formerly }),
          }),
        ];
    await store.batch([
      write.delete(installations, { _id, version }, { expect: 1 }),
      write.delete(configurations, { _id }),
      ...ending,
      ...scriptsTold(deps, installation),
      audit('installation', _id, { details: { integration } }),
    ]);
  });
}

/** The next installations on spaces and sites to remove; `isAll` where there are no others. */
async function nextThere(
  { store }: Dependencies,
  { _id: installation, bytes }: Pick<InstallationDocument, '_id' | 'bytes'>,
): Promise<{ items: ContentInstallationDocument[]; isAll: boolean }> {
  const { items } = await store.page(contentInstallations, { filter: { installation }, sort: {}, limit: atOnce + 1 });
  const count = countFitting(items, bytes);
  return { items: items.slice(0, count), isAll: count === items.length };
}

/** Number of them that fit into one batch, at least one: each event holds its configuration twice, and that of the installation. */
function countFitting(items: readonly ContentInstallationDocument[], bytesOfInstallation: number): number {
  let payloadBytes = 0;
  for (const [at, { bytes }] of items.entries()) {
    payloadBytes += bytesOfInstallation + 2 * bytes;
    if (at === atOnce || (payloadBytes > maxNotified && at > 0)) return at;
  }
  return items.length;
}

interface Whole {
  installation: InstallationDocument;
  formerly: Installation;
  there: readonly ContentInstallationDocument[];
  /** The id of the last event. */
  id?: string;
}

/** The writes that remove what an installation was installed on, and queue the event about its own end after that. */
async function wholeRemoval(deps: Dependencies, { installation, formerly, there, id }: Whole): Promise<Write[]> {
  const { writes, events } = await contentRemoval(deps, there, formerly);
  return [...writes, ...(await queueEvents(deps, [...events, endEvent(deps, { installation, formerly, id })]))];
}

const endEvent = (
  deps: Pick<Dependencies, 'secrets'>,
  { installation, formerly, id }: Pick<Whole, 'installation' | 'formerly'> & { id?: string | undefined },
): NewEvent =>
  deletedEvent(installation, {
    previous: { status: formerly.status, configuration: formerly.configuration },
    before: sealFormerState(deps, { installation: formerly }),
    ...(id === undefined ? {} : { id }),
  });

/** The writes that remove installations on spaces and sites of one installation, and an event for the integration about each. */
async function contentRemoval(
  deps: Dependencies,
  documents: readonly ContentInstallationDocument[],
  installation: Installation,
): Promise<Removal> {
  const presented = await presentContentInstallations(deps, documents);
  const removals = documents.map((document, at): Removal => {
    const { _id, version, kind } = document;
    const shown = presented[at] as (typeof presented)[number];
    const formerly = { installation, [`${kind}Installation`]: shown } as Formerly;
    return {
      writes: [
        write.delete(contentInstallations, { _id, version }, { expect: 1 }),
        write.delete(configurations, { _id }),
      ],
      events: [
        deletedEvent(document, {
          previous: { status: shown.status, configuration: shown.configuration },
          before: sealFormerState(deps, formerly),
        }),
      ],
    };
  });
  return { writes: removals.flatMap(({ writes }) => writes), events: removals.flatMap(({ events }) => events) };
}

export const removeInstallationKind = 'removeInstallation';
interface Removing {
  installation: InstallationDocument;
  /** Encrypted: as it was, with its configuration. */
  formerly: string;
}

/** Removes what a removed installation was installed on, then queues the event about its end. */
export const removeInstallationJob = (deps: Dependencies): JobKind<Removing> => ({
  kind: removeInstallationKind,
  attempts: 20,
  async run({ job, signal }) {
    const { store, jobs, secrets } = deps;
    const { installation } = job.payload;
    const { installation: formerly } = JSON.parse(secrets.decrypt(job.payload.formerly)) as Formerly;
    for (let isAll = false; !isAll; ) {
      signal.throwIfAborted();
      const there = await nextThere(deps, installation);
      isAll = there.isAll;
      const writes = isAll
        ? await wholeRemoval(deps, { installation, formerly, there: there.items, id: job._id })
        : await partRemoval(deps, there.items, formerly);
      await store.batch([jobs.stillHeld(job), ...writes]);
    }
  },
});

async function partRemoval(
  deps: Dependencies,
  documents: readonly ContentInstallationDocument[],
  formerly: Installation,
): Promise<Write[]> {
  const { writes, events } = await contentRemoval(deps, documents, formerly);
  return [...writes, ...(await queueEvents(deps, events))];
}

/** Uninstalls an integration from a space or site. */
export async function uninstallFromPlace(
  deps: Dependencies,
  { path, kind, target }: { path: InstallationPath; kind: PlaceKind; target: string },
  { audit }: Pick<Context, 'audit'>,
): Promise<void> {
  await again(async () => {
    const { installation, content } = await findContentInstallation(deps, path, { kind, target });
    const details = { integration: installation.integration, installation: installation._id };
    await deps.store.batch([
      ...(await removalWrites(deps, installation, content)),
      audit(`${kind}-installation`, target, { details }),
    ]);
  });
}

/** Removes what is installed on spaces or sites that are gone for good, and notifies the integrations. */
export async function removeFromPlaces(
  deps: Dependencies,
  kind: PlaceKind,
  targets: readonly { target: string; organization?: string }[],
): Promise<void> {
  for (const place of targets)
    for (;;) {
      const found = await deps.store.findOne(contentInstallations, { kind, ...place });
      if (!found) break;
      await again(() => removeFromPlace(deps, found._id));
    }
}

async function removeFromPlace(deps: Dependencies, id: string): Promise<void> {
  const content = await deps.store.get(contentInstallations, id);
  const installation = content && (await deps.store.get(installations, content.installation));
  if (installation) return deps.store.batch(await removalWrites(deps, installation, content));
  // Its installation is removed already, by a job that would also send the event about this one.
  await deps.store.batch([write.delete(contentInstallations, { _id: id }), write.delete(configurations, { _id: id })]);
}

async function removalWrites(
  deps: Dependencies,
  installation: InstallationDocument,
  content: ContentInstallationDocument,
): Promise<Write[]> {
  const { writes, events } = await contentRemoval(deps, [content], await presentInstallation(deps, installation));
  return [
    countWrite(installation._id, content.kind, -1),
    ...writes,
    ...(await queueEvents(deps, events)),
    ...scriptsTold(deps, content),
  ];
}
