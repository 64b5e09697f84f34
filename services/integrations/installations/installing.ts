import { type Caller, membershipOf } from '../../../shared/contract/caller.js';
import type { BodyOf } from '../../../shared/contract/operation.js';
import type { Context } from '../../../shared/contract/service.js';
import { conflict, forbidden } from '../../../shared/errors/errors.js';
import { again } from '../../../shared/store/again.js';
import { checkBound } from '../../../shared/store/bounds.js';
import { type Collection, StoreDuplicate, type Write, write } from '../../../shared/store/port.js';
import { newId, timestamp } from '../../../shared/values/ids.js';
import { findIntegration } from '../catalogue/find.js';
import { type IntegrationDocument, integrations } from '../catalogue/model.js';
import type { installationOperations } from '../contract/installations.js';
import { queueEvents } from '../deliveries/queue/queue.js';
import { checkChosen } from './configurations/check-configuration.js';
import { defaultsOfSchema, statusOf } from './configurations/configuration.js';
import { configurationWrite } from './configurations/stored-configurations.js';
import {
  type FoundInstallation,
  findInstallation,
  type InstallationDependencies,
  type InstallationPath,
} from './find.js';
import { setupEvent } from './lifecycle-events.js';
import {
  type ContentInstallationDocument,
  contentInstallationId,
  contentInstallations,
  type InstallationDocument,
  type InstalledDocument,
  installations,
  maxPlaces,
  type PlaceKind,
} from './model.js';
import { checkFits, checkMayInstall, placeRule } from './places.js';
import { maxInstalled } from './reach/coverage.js';
import { withGrantedScopes } from './reach/granted-scopes.js';
import type { InstallationConfiguration } from './resources.js';
import { scriptsTold } from './script-changes.js';

type Dependencies = Pick<InstallationDependencies, 'store' | 'secrets' | 'deliveries' | 'outbox' | 'allowCidrs'>;
type By = Pick<Context, 'call' | 'caller' | 'audit'>;
type Selections = Pick<BodyOf<typeof installationOperations.installIntegration>, 'space_selection' | 'site_selection'>;

/** Throws unless it can be installed on all spaces, or all sites, and the caller may do so: it then reads every space of the organization. */
export function checkSelections(
  integration: Pick<IntegrationDocument, 'target'>,
  { space_selection, site_selection }: Selections,
  { caller, organization }: { caller: Caller; organization: string },
): void {
  for (const [kind, selection] of [
    ['site', site_selection],
    ['space', space_selection],
  ] as const) {
    if (selection !== 'all') continue;
    checkFits(integration, kind, `${kind}_selection`);
    if (membershipOf(caller, organization)?.role !== 'admin')
      throw forbidden(
        `${kind}_selection: you need the role "admin" to open all ${kind}s of the organization to an integration`,
        'missing_right',
      );
  }
}

/** Installs an integration in an organization. Throws 409 where it is installed already. */
export async function install(
  deps: Dependencies,
  { name, body }: { name: string; body: BodyOf<typeof installationOperations.installIntegration> },
  { call, caller, audit }: By,
): Promise<InstallationDocument> {
  const { organization } = body;
  await checkMayInstall({ call, caller }, { kind: 'organization', target: organization, organization });
  return again(async () => {
    const integration = await findIntegration(deps, name);
    if (integration.visibility === 'private' && integration.organization !== organization)
      throw forbidden('A private integration is installed in the organization that owns it alone');
    checkSelections(integration, body, { caller, organization });
    await checkBound(
      deps.store,
      installations,
      { organization },
      { max: maxInstalled, what: 'integrations in an organization' },
    );
    const { document, writes } = newInstalled<InstallationDocument>(deps, integration, {
      ...installationFields(body, caller),
      scopes: integration.scopes,
      schema: integration.configurations.account,
      configuration: body.configuration,
    });
    await insertInstallation(deps, integration, document, [
      ...writes,
      audit('installation', document._id, { organization, details: { integration: name, status: document.status } }),
    ]);
    return document;
  });
}

/** Fields of an installation in an organization, besides those that it shares with installations on spaces and sites. */
const installationFields = (
  {
    organization,
    space_selection = 'selected',
    site_selection = 'selected',
  }: BodyOf<typeof installationOperations.installIntegration>,
  caller: Caller,
) => ({
  _id: newId(),
  organization,
  user: caller.kind === 'user' ? caller.user : '',
  spaceSelection: space_selection,
  siteSelection: site_selection,
  spaces: 0,
  sites: 0,
});

const counters = { space: 'spaces', site: 'sites' } as const;

/** The write that counts spaces or sites of an installation. It fails where the installation is gone. */
export const countWrite = (installation: string, kind: PlaceKind, by: 1 | -1): Write =>
  write.update(installations, { _id: installation }, { $inc: { version: 1, [counters[kind]]: by } }, { expect: 1 });

/** Installs an integration on a space or site. Throws 400 with `field` where it is not made for that, 409 where it is installed there already. */
export async function installOnPlace(
  deps: Dependencies,
  { path, kind, target, field }: { path: InstallationPath; kind: PlaceKind; target: string; field: string },
  { call, caller, audit }: By,
): Promise<ContentInstallationDocument> {
  return again(async () => {
    const { integration, installation }: FoundInstallation = await findInstallation(deps, path);
    const { organization } = installation;
    const rule = placeRule(kind, withGrantedScopes(integration, installation));
    await checkMayInstall({ call, caller }, { kind: rule, target, organization });
    checkFits(integration, kind, field);
    if (installation[counters[kind]] >= maxPlaces)
      throw conflict(
        `An integration is installed on at most ${maxPlaces.toLocaleString('en')} ${kind}s`,
        'limit_reached',
      );
    const { document, writes } = newInstalled<ContentInstallationDocument>(deps, integration, {
      _id: contentInstallationId(installation._id, kind, target),
      organization,
      installation: installation._id,
      kind,
      target,
      schema: integration.configurations[kind],
    });
    const details = { integration: integration._id, installation: installation._id, status: document.status };
    await insertInstallation(deps, integration, document, [
      countWrite(installation._id, kind, 1),
      ...writes,
      audit(`${kind}-installation`, target, { details }),
    ]);
    return document;
  });
}

interface Common {
  schema: Parameters<typeof statusOf>[0];
  configuration?: InstallationConfiguration | undefined;
}

type Own<D> = Omit<
  D,
  'integration' | 'publication' | 'status' | 'externalIds' | 'bytes' | 'version' | 'createdAt' | 'updatedAt'
>;

/** A new installation with what it has of its own, and the write of its configuration. Throws a 400 for a configuration that does not fit. */
function newInstalled<D extends InstalledDocument>(
  deps: Dependencies,
  { _id: integration, publication }: IntegrationDocument,
  { schema, configuration, ...own }: Common & Own<D>,
): { document: D; writes: Write[] } {
  if (configuration) checkChosen(deps, { publication, schema, configuration });
  const chosen = configuration ?? defaultsOfSchema(schema);
  const { _id } = own as unknown as { _id: string };
  const stored = configurationWrite(deps, { _id, publication }, chosen);
  const now = timestamp();
  const document = {
    ...own,
    integration,
    publication,
    status: statusOf(schema, chosen),
    externalIds: [],
    bytes: stored.bytes,
    version: 1,
    createdAt: now,
    updatedAt: now,
  } as unknown as D;
  return { document, writes: stored.bytes > 0 ? [stored.write] : [] };
}

/** Inserts an installation with the event of it, as long as the integration is published. */
async function insertInstallation(
  deps: Dependencies,
  { _id, publication }: IntegrationDocument,
  document: InstalledDocument,
  writes: Write[],
): Promise<void> {
  const collection = ('kind' in document
    ? contentInstallations
    : installations) as unknown as Collection<InstalledDocument>;
  try {
    await deps.store.batch([
      write.check(integrations, { _id, publication }, 1),
      write.insert(collection, document),
      ...(await queueEvents(deps, [setupEvent(document)])),
      ...scriptsTold(deps, document),
      ...writes,
    ]);
  } catch (error) {
    if (!(error instanceof StoreDuplicate)) throw error;
    throw conflict(
      `This integration is installed ${'kind' in document ? `on this ${document.kind}` : 'in this organization'} already`,
      'already_installed',
    );
  }
}
