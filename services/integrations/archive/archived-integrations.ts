import { z } from 'zod';
import { type ArchiveList, archiveList } from '../../../shared/contract/archive.js';
import { readBelow } from '../../../shared/contract/archive-reading.js';
import { timestampSchema } from '../../../shared/contract/fields.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import { type IntegrationDocument, integrations } from '../catalogue/model.js';
import { integrationNameSchema, integrationScopes } from '../catalogue/resources.js';
import { readConfiguration } from '../installations/configurations/stored-configurations.js';
import type { InstallationDependencies } from '../installations/find.js';
import {
  type ContentInstallationDocument,
  contentInstallationId,
  contentInstallations,
  type InstallationDocument,
  type InstalledDocument,
  installations,
} from '../installations/model.js';
import { externalIdsSchema, selections } from '../installations/resources.js';
import { archivedId, archivedIntegrations } from './archived-integration.js';
import { keptConfiguration } from './kept-configuration.js';
import { takeContentInstallations, takeInstallations } from './taken-installations.js';

type Dependencies = InstallationDependencies;

const installedFields = {
  paused: z.literal(true).optional(),
  externalIds: externalIdsSchema,
  configuration: z.record(z.string().max(200), z.union([z.string().max(300_000), z.number(), z.boolean()])),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
};

const installationLine = z.strictObject({
  id: archivedId,
  integration: integrationNameSchema,
  publication: archivedId,
  user: z.string().max(100),
  spaceSelection: z.enum(selections),
  siteSelection: z.enum(selections),
  scopes: z.array(z.enum(integrationScopes)).max(100),
  ...installedFields,
});

const placeLine = z
  .strictObject({
    installation: archivedId,
    space: archivedId.optional(),
    site: archivedId.optional(),
    ...installedFields,
  })
  .refine(({ space, site }) => (space === undefined) !== (site === undefined), {
    error: 'must be on either a `space` or a `site`',
  });

/** The integration of an installation; none that was unpublished since. */
async function publishedOf({ store }: Pick<Dependencies, 'store'>, { integration, publication }: InstalledDocument) {
  const found = await store.get(integrations, integration, { fields: ['publication', 'configurations'] });
  return found?.publication === publication ? found : undefined;
}

/** The fields that installations in an organization share with those on spaces and sites. */
async function describeInstalled(
  deps: Pick<Dependencies, 'store' | 'secrets'>,
  document: InstalledDocument,
  schema: IntegrationDocument['configurations'][keyof IntegrationDocument['configurations']],
) {
  return {
    paused: document.status === 'paused' ? true : undefined,
    externalIds: document.externalIds,
    configuration: keptConfiguration(schema, await readConfiguration(deps, document)),
    createdAt: document.createdAt,
    updatedAt: document.updatedAt,
  };
}

async function describeInstallation(installation: InstallationDocument, deps: Dependencies) {
  const integration = await publishedOf(deps, installation);
  return (
    integration &&
    omitUndefined({
      id: installation._id,
      integration: installation.integration,
      publication: installation.publication,
      user: installation.user,
      spaceSelection: installation.spaceSelection,
      siteSelection: installation.siteSelection,
      scopes: installation.scopes,
      ...(await describeInstalled(deps, installation, integration.configurations.account)),
    })
  );
}

async function describePlace(content: ContentInstallationDocument, deps: Dependencies) {
  const integration = await publishedOf(deps, content);
  return (
    integration &&
    omitUndefined({
      installation: content.installation,
      [content.kind]: content.target,
      ...(await describeInstalled(deps, content, integration.configurations[content.kind])),
    })
  );
}

/** The fields of a line; the integration and the status follow when it is stored. */
const restoreInstalled = (
  { paused, externalIds, createdAt, updatedAt }: Omit<z.output<typeof placeLine>, 'installation' | 'configuration'>,
  organization: string,
) => ({
  organization,
  status: paused ? ('paused' as const) : ('pending' as const),
  externalIds,
  bytes: 0,
  version: 1,
  createdAt,
  updatedAt,
});

const restoreInstallation = (line: z.output<typeof installationLine>, organization: string): InstallationDocument => ({
  _id: line.id,
  integration: line.integration,
  publication: line.publication,
  user: line.user,
  spaceSelection: line.spaceSelection,
  siteSelection: line.siteSelection,
  spaces: 0,
  sites: 0,
  scopes: line.scopes,
  ...restoreInstalled(line, organization),
});

function restorePlace(line: z.output<typeof placeLine>, organization: string): ContentInstallationDocument {
  const { installation, space, site } = line;
  const kind = space === undefined ? 'site' : 'space';
  const target = (space ?? site) as string;
  return {
    _id: contentInstallationId(installation, kind, target),
    installation,
    kind,
    target,
    integration: '',
    publication: '',
    ...restoreInstalled(line, organization),
  };
}

const installationsFile = 'integrations/installations.ndjson';

const archivedInstallations = archiveList({
  file: installationsFile,
  collection: installations,
  describe: describeInstallation,
  line: installationLine,
  unique: ({ publication }) => [{ field: 'publication', value: publication }],
  restore: (line, { organization }) => restoreInstallation(line, organization),
});

const archivedPlaces = archiveList<ContentInstallationDocument, z.output<typeof placeLine>, Dependencies>({
  file: 'integrations/content-installations.ndjson',
  collection: contentInstallations,
  readPage: readBelow(installations, 'installation')(contentInstallations),
  describe: describePlace,
  line: placeLine,
  names: ({ installation, space, site }) => [
    { field: 'installation', file: installationsFile, id: installation },
    space === undefined
      ? { field: 'site', file: 'sites/sites.ndjson', id: site as string }
      : { field: 'space', file: 'spaces', id: space },
  ],
  restore: (line, { organization }) => restorePlace(line, organization),
});

/** The lines of a list with the documents that they describe. */
const archivedOf = <D, L extends { configuration: Record<string, unknown> }>(lines: L[], restore: (line: L) => D) =>
  lines.map((line) => ({ document: restore(line), configuration: line.configuration }));

/** The files of an archive that hold the integrations of an organization and its installations, without secrets. */
export const integrationLists: readonly ArchiveList<Dependencies>[] = [
  archivedIntegrations,
  {
    ...archivedInstallations,
    take: (deps, taking) =>
      takeInstallations(
        deps,
        taking,
        archivedOf(taking.lines as z.output<typeof installationLine>[], (line) =>
          restoreInstallation(line, taking.organization),
        ),
      ),
  },
  {
    ...archivedPlaces,
    take: (deps, taking) =>
      takeContentInstallations(
        deps,
        archivedOf(taking.lines as z.output<typeof placeLine>[], (line) => restorePlace(line, taking.organization)),
      ),
  },
];
