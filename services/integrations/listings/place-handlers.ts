import type { HandlersOf } from '../../../shared/contract/service.js';
import { apiError } from '../../../shared/errors/errors.js';
import type { CatalogueDependencies } from '../catalogue/dependencies.js';
import { integrations } from '../catalogue/model.js';
import type { IntegrationBlock } from '../catalogue/resources.js';
import type { shownIntegrationOperations } from '../contract/content.js';
import { coveringInstallations } from '../installations/reach/coverage.js';
import { coveringPage } from './covering-page.js';
import { scriptsOnPages } from './scripts.js';

type Operations = typeof shownIntegrationOperations;

/** Bytes, as JSON: the answer has no pages. */
const maxBlocks = 8_000_000;

/** Lists what integrations add to spaces and sites. */
export const shownIntegrationHandlers = (deps: CatalogueDependencies): HandlersOf<Operations> => ({
  async listSpaceIntegrationsBlocks({ path: { spaceId: target } }, { access: { organization } }) {
    const covering = await coveringInstallations(deps, { organization, kind: 'space', target });
    const added = covering.map(({ integration }) => integration).filter(({ hasBlocks }) => hasBlocks);
    if (added.reduce((sum, { bytes }) => sum + bytes, 0) > maxBlocks)
      throw apiError(
        'UNPROCESSABLE',
        'The integrations of this space declare more than 8 MB; uninstall some of them',
        'too_complex',
      );
    const names = added.map(({ _id }) => _id);
    const declared = await deps.store.getMany(integrations, names, { fields: ['blocks'] });
    return declared.map(({ _id: name, blocks }) => ({ name, blocks })).sort(byName);
  },

  listSpaceIntegrationScripts: ({ path: { spaceId: target } }, { access: { organization } }) =>
    scriptsOnPages(deps, { organization, kind: 'space', target }),

  listSiteIntegrations: ({ path: { organizationId: organization, siteId: target }, query }, context) =>
    coveringPage(deps, { place: { organization, kind: 'site', target }, query }, context),

  listSiteIntegrationScripts: ({ path: { organizationId: organization, siteId: target } }) =>
    scriptsOnPages(deps, { organization, kind: 'site', target }),
});

const byName = (one: { name: string; blocks: IntegrationBlock[] }, other: { name: string }): number =>
  one.name < other.name ? -1 : 1;
