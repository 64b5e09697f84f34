import type { ArchiveTaking } from '../../../shared/contract/archive.js';
import { type Collection, type Write, write } from '../../../shared/store/port.js';
import { type IntegrationDocument, integrations } from '../catalogue/model.js';
import { queueEvents } from '../deliveries/queue/queue.js';
import { checkChosen } from '../installations/configurations/check-configuration.js';
import { statusOf } from '../installations/configurations/configuration.js';
import { configurationWrite } from '../installations/configurations/stored-configurations.js';
import type { InstallationDependencies } from '../installations/find.js';
import { countWrite } from '../installations/installing.js';
import { setupEvent } from '../installations/lifecycle-events.js';
import {
  type ContentInstallationDocument,
  contentInstallations,
  type InstallationDocument,
  type InstalledDocument,
  installations,
} from '../installations/model.js';
import type { InstallationConfiguration } from '../installations/resources.js';
import { scriptsTold } from '../installations/script-changes.js';
import { keptConfiguration } from './kept-configuration.js';
import { problemIn } from './problem-in.js';

type Dependencies = Pick<InstallationDependencies, 'store' | 'secrets' | 'deliveries' | 'outbox' | 'allowCidrs'>;

/** An installation of an archive, and the configuration that its line has. */
interface Archived<D> {
  document: D;
  configuration: InstallationConfiguration;
}

/** Installs integrations as an archive has them: those that are here. Answers which ones are not. */
export async function takeInstallations(
  deps: Dependencies,
  { organization }: ArchiveTaking,
  archived: Archived<InstallationDocument>[],
): Promise<string[]> {
  const leftOut: string[] = [];
  for (const each of archived) {
    const { integration: name, publication } = each.document;
    const integration = await deps.store.get(integrations, name);
    const isOpen = integration?.visibility !== 'private' || integration.organization === organization;
    if (integration?.publication === publication && isOpen)
      leftOut.push(...(await storeInstalled(deps, integration, each)));
    else leftOut.push(`the installation of ${name} is left out: this integration is not here`);
  }
  return leftOut;
}

/** Installs them on spaces and sites; without words on those of an installation that was left out. */
export async function takeContentInstallations(
  deps: Dependencies,
  archived: Archived<ContentInstallationDocument>[],
): Promise<string[]> {
  const leftOut: string[] = [];
  for (const { document, configuration } of archived) {
    const installation = await deps.store.get(installations, document.installation);
    const integration = installation && (await deps.store.get(integrations, installation.integration));
    if (!integration) continue;
    const { _id: name, publication } = integration;
    const installed = { ...document, integration: name, publication };
    leftOut.push(...(await storeInstalled(deps, integration, { document: installed, configuration })));
  }
  return leftOut;
}

/** Stores an installation unless it is here, with the event about it. Its status follows from the configuration, unless it is paused. */
async function storeInstalled<D extends InstalledDocument>(
  deps: Dependencies,
  { publication, configurations }: IntegrationDocument,
  { document, configuration }: Archived<D>,
): Promise<string[]> {
  const collection = (isOnPlace(document)
    ? contentInstallations
    : installations) as unknown as Collection<InstalledDocument>;
  if (await deps.store.get(collection, document._id, { fields: [] })) return [];
  const schema = configurations[isOnPlace(document) ? document.kind : 'account'];
  const kept = keptConfiguration(schema, configuration);
  const problem = problemIn(() => checkChosen(deps, { publication, schema, configuration: kept }));
  const chosen = problem === undefined ? kept : {};
  const stored = configurationWrite(deps, { _id: document._id, publication }, chosen);
  const status = document.status === 'paused' ? document.status : statusOf(schema, chosen);
  const made = { ...document, status, bytes: stored.bytes };
  await deps.store.batch([
    write.insert(collection, made),
    ...(stored.bytes > 0 ? [stored.write] : []),
    ...countWrites(made),
    ...(await queueEvents(deps, [setupEvent(made)])),
    ...scriptsTold(deps, made),
  ]);
  return problem === undefined ? [] : [`the configuration of ${document.integration} is left out: ${problem}`];
}

const isOnPlace = (document: InstalledDocument): document is ContentInstallationDocument => 'kind' in document;

const countWrites = (document: InstalledDocument): Write[] =>
  isOnPlace(document) ? [countWrite(document.installation, document.kind, 1)] : [];
