import { resolveAccess } from '../../../shared/contract/access.js';
import type { InstallationCaller } from '../../../shared/contract/caller.js';
import type { Call } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import { spaceKind } from '../../content/resources.js';
import { siteKind } from '../../sites/resources.js';
import { findIntegration } from '../catalogue/find.js';
import type { IntegrationDocument } from '../catalogue/model.js';
import type { EndpointAddress } from '../contract.js';
import { findInstallation } from '../installations/find.js';
import {
  contentInstallationId,
  contentInstallations,
  type InstallationDocument,
  type PlaceKind,
} from '../installations/model.js';
import { selectionOf } from '../installations/reach/coverage.js';
import { withGrantedScopes } from '../installations/reach/granted-scopes.js';
import type { Answerer, ServingDependencies } from './ask-script.js';

/** The integration that answers at an address. Private ones have public endpoints too: other programs call them. */
export interface EndpointAnswerer extends Answerer {
  /** Whether the integration works on the space or site that the address names. */
  covers: boolean;
}

const kinds = { space: spaceKind, site: siteKind };

/** Throws 404 for an integration without a script, and for an installation or a place that it does not have. */
export async function answererAt(
  deps: ServingDependencies,
  call: Call,
  { integration: name, installation: id, space, site }: EndpointAddress,
): Promise<EndpointAnswerer> {
  if (id === undefined) return { integration: withScript(await findIntegration(deps, name)), covers: false };
  const { integration, installation } = await findInstallation(deps, { integrationName: name, installationId: id });
  const found = { integration: withGrantedScopes(withScript(integration), installation), installation };
  const [kind, target] = space === undefined ? (['site', site] as const) : (['space', space] as const);
  if (target === undefined) return { ...found, covers: false };
  const there = await deps.store.get(contentInstallations, contentInstallationId(id, kind, target));
  const isOnAll = selectionOf(installation, kind) === 'all';
  if (!there && !(isOnAll && (await hasPlace(call, installation, { kind, target })))) throw notFound('Installation');
  const covers = installation.status === 'active' && (isOnAll || there?.status === 'active');
  return { ...found, place: { [kind]: target }, covers };
}

/** Whether the organization of an installation has a space or site. */
async function hasPlace(
  call: Call,
  { _id: installation, integration, organization, user }: InstallationDocument,
  { kind, target }: { kind: PlaceKind; target: string },
): Promise<boolean> {
  const named = { installation, integration, organization, user };
  const caller: InstallationCaller = { kind: 'installation', ...named, scopes: [], spaces: 'all', sites: 'all' };
  const [access = null] = await call(resolveAccess(kinds[kind]), { caller, ids: [target] });
  return access?.organization === organization && access.state === 'active';
}

function withScript(integration: IntegrationDocument): IntegrationDocument {
  if (integration.format === 'built-in') throw notFound('Endpoint');
  return integration;
}
