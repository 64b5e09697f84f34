import { type AccessRule, authorize, resolveAccess } from '../../../shared/contract/access.js';
import type { Context } from '../../../shared/contract/service.js';
import { forbidden, notFound } from '../../../shared/errors/errors.js';
import type { Store } from '../../../shared/store/port.js';
import { spaceKind } from '../../content/resources.js';
import { organizationKind } from '../../identity/resources.js';
import { siteKind } from '../../sites/resources.js';
import type { IntegrationDocument } from '../catalogue/model.js';
import { everybody } from '../contract/access-rules.js';
import { type InstallationDocument, installations } from '../installations/model.js';
import { checkMayInstall, placeRule } from '../installations/places.js';
import { administers } from '../installations/reach/administering.js';
import { coveringInstallation } from '../installations/reach/coverage.js';
import type { Answerer, ServingDependencies } from './ask-script.js';
import type { RenderContext } from './resources.js';

const rules = {
  space: { view: 'view', edit: 'edit', install: 'installIntegration' },
  organization: { install: 'installIntegration' },
  site: { install: 'admin' },
} as const;
const kinds = { space: spaceKind, organization: organizationKind, site: siteKind };

type Kind = keyof typeof kinds;
type Asking = Pick<Context, 'call' | 'caller'>;

/** The organization of a resource. Throws 404 where the caller does not see it, 403 where it lacks the right. */
async function authorizeOn<K extends Kind>(
  { call, caller }: Asking,
  kind: K,
  id: string,
  right: keyof (typeof rules)[K],
): Promise<string> {
  const need = String(rules[kind][right]);
  const rule: AccessRule = { caller: everybody, on: kinds[kind], id: 'id', need };
  const { organization } = await authorize(rule, { id }, caller, (resource, question) =>
    call(resolveAccess(resource), question),
  );
  return kind === 'organization' ? id : organization;
}

/**
 * Finds who renders a component in a context. Readers see components in documents; only those who configure an integration see the
 * components of its configuration, which act with the integration's rights. Throws 403, or 404 where the integration is not installed.
 */
export async function findRenderer(
  deps: ServingDependencies,
  asking: Asking,
  { integration, context }: { integration: IntegrationDocument; context: RenderContext },
): Promise<Answerer> {
  switch (context.type) {
    case 'document':
      return inDocument(deps, asking, { integration, space: context.spaceId, editable: context.editable });
    case 'configuration_account': {
      const organization = await authorizeOn(asking, 'organization', context.organizationId, 'install');
      const found = await findInstallation(deps, integration, organization);
      if (!(await administers(deps, asking.caller, found)))
        throw forbidden('You need the right "configure" on the installation', 'missing_right');
      return found;
    }
    case 'configuration_space': {
      const organization = await authorizeOn(asking, 'space', context.spaceId, 'install');
      return { ...(await findInstallation(deps, integration, organization)), place: { space: context.spaceId } };
    }
    case 'configuration_site': {
      const organization = await authorizeOn(asking, 'site', context.siteId, 'install');
      await checkMayInstall(asking, { kind: placeRule('site', integration), target: context.siteId, organization });
      return { ...(await findInstallation(deps, integration, organization)), place: { site: context.siteId } };
    }
    case 'configuration_contentsource': {
      const organization = await authorizeOn(asking, 'organization', context.organizationId, 'install');
      const { spaceId: space } = context;
      if (space === undefined) return findInstallation(deps, integration, organization);
      if ((await authorizeOn(asking, 'space', space, 'view')) !== organization) throw notFound('Space');
      return { ...(await findInstallation(deps, integration, organization)), place: { space } };
    }
  }
}

async function inDocument(
  deps: ServingDependencies,
  asking: Asking,
  { integration, space, editable }: { integration: IntegrationDocument; space: string; editable: boolean },
): Promise<Answerer> {
  const organization = await authorizeOn(asking, 'space', space, 'view');
  // Not even an installation that may edit: it is no person in front of an editor.
  if (editable && asking.caller.kind !== 'user')
    throw forbidden('context.editable: only people edit documents', 'token_kind_not_allowed');
  if (editable) await authorizeOn(asking, 'space', space, 'edit');
  const found = await coveringInstallation(deps, integration._id, { organization, kind: 'space', target: space });
  if (!found) throw notFound('Installation');
  return { ...found, place: { space } };
}

/** Finds an installation whatever its status: configuring is what makes it active. */
async function findInstallation(
  { store }: { store: Store },
  integration: IntegrationDocument,
  organization: string,
): Promise<Answerer & { installation: InstallationDocument }> {
  const { publication } = integration;
  const installation = await store.findOne(installations, { publication, organization });
  if (!installation) throw notFound('Installation');
  return { integration, installation };
}
