import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blobLinks } from '../../../../shared/blobs/links.js';
import { integrationTokens } from '../../../../shared/contract/integration-token.js';
import type { Call } from '../../../../shared/contract/service.js';
import { Jobs } from '../../../../shared/jobs/jobs.js';
import { createLog } from '../../../../shared/monitoring/log.js';
import { createSecrets } from '../../../../shared/secrets/secrets.js';
import { write } from '../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../shared/store/sqlite/store.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import { type IntegrationDocument, integrations } from '../../catalogue/model.js';
import { type IntegrationsDependencies, integrationsCollections } from '../../dependencies.js';
import { configurationWrite } from '../configurations/stored-configurations.js';
import {
  type ContentInstallationDocument,
  contentInstallationId,
  contentInstallations,
  type InstallationDocument,
  installations,
} from '../model.js';
import { administeringOwn } from '../reach/administering.js';
import type { InstallationConfiguration } from '../resources.js';

/** What the room works with, on a store of its own. `answers`: what other services answer, by action. */
export async function openInstallations(answers: Record<string, (parameters: never) => unknown> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-installations-'));
  const store = await openSqliteStore({ path: join(folder, 'integrations.sqlite') });
  await store.prepare(integrationsCollections);
  const log = createLog('silent');
  const baseUrl = 'https://docs.example';
  const secrets = createSecrets([Buffer.alloc(32, 1).toString('base64')]);
  const call = (async ({ action }: { action: string }, parameters: never) => {
    if (!answers[action]) throw new Error(`nobody answers ${action}`);
    return answers[action](parameters);
  }) as unknown as Call;
  const jobsOf = (service: string) => new Jobs({ store, service, log, exclusive: true, pollMs: 10 });
  const deps = {
    baseUrl,
    endpointsUrl: `${baseUrl}/~integrations/v1`,
    apiEndpoint: baseUrl,
    log,
    store,
    secrets,
    links: blobLinks(secrets),
    tokens: integrationTokens(secrets, baseUrl),
    jobs: jobsOf('integrations'),
    deliveries: jobsOf('integrations_deliveries'),
    callAsSystem: () => call,
    callAs: () => call,
    administering: administeringOwn({ store, callAs: () => call }),
  } as unknown as IntegrationsDependencies;
  return {
    deps,
    async close() {
      await deps.jobs.stop();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** A published integration with the name `hello` and nothing declared. */
export const newIntegration = (
  { secrets }: Pick<IntegrationsDependencies, 'secrets'>,
  fields: Partial<IntegrationDocument> = {},
): IntegrationDocument => ({
  _id: 'hello',
  publication: newId(),
  organization: 'publisher',
  version: 1,
  verified: false,
  title: 'Hello',
  description: 'Says hello.',
  target: 'all',
  visibility: 'public',
  scopes: [],
  categories: [],
  externalLinks: [],
  blocks: [],
  contentSources: [],
  configurations: {},
  blockDomains: [],
  hasBlocks: false,
  hasContentSources: false,
  searched: ['hello', 'Hello'],
  bytes: 100,
  previewImages: [],
  format: 'v2',
  script: 'blob',
  secrets: secrets.encrypt(JSON.stringify({ KEY: 'secret' })),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  ...fields,
});

const common = ({ _id, publication }: IntegrationDocument) => ({
  integration: _id,
  publication,
  organization: 'acme',
  status: 'active' as const,
  externalIds: [],
  bytes: 0,
  version: 1,
  createdAt: timestamp(),
  updatedAt: timestamp(),
});

/** An integration that is installed in the organization `acme`. */
export async function stored(
  { store, secrets }: IntegrationsDependencies,
  integration: IntegrationDocument,
  { configuration = {}, ...fields }: Partial<InstallationDocument> & { configuration?: InstallationConfiguration } = {},
): Promise<InstallationDocument> {
  const selections = { spaceSelection: 'selected', siteSelection: 'selected' } as const;
  const own = { _id: newId(), user: 'ada', ...selections, spaces: 0, sites: 0, scopes: integration.scopes };
  const document: InstallationDocument = { ...common(integration), ...own, ...fields };
  const { write: stores, bytes } = configurationWrite({ secrets }, document, configuration);
  await store.insertMany(integrations, [integration], { skipExisting: true });
  await store.batch([write.insert(installations, { ...document, bytes }), stores]);
  return { ...document, bytes };
}

/** An installation on a space or site. */
export async function storedOn(
  { store, secrets }: IntegrationsDependencies,
  integration: IntegrationDocument,
  {
    configuration = {},
    ...fields
  }: Pick<ContentInstallationDocument, 'installation' | 'kind' | 'target'> &
    Partial<ContentInstallationDocument> & { configuration?: InstallationConfiguration },
): Promise<ContentInstallationDocument> {
  const _id = contentInstallationId(fields.installation, fields.kind, fields.target);
  const document: ContentInstallationDocument = { ...common(integration), _id, ...fields };
  const { write: stores, bytes } = configurationWrite({ secrets }, document, configuration);
  await store.batch([
    write.insert(contentInstallations, { ...document, bytes }),
    stores,
    write.update(installations, { _id: fields.installation }, { $inc: { [`${fields.kind}s`]: 1 } }),
  ]);
  return { ...document, bytes };
}
