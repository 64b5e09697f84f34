import type { HandlersOf } from '../../../shared/contract/service.js';
import type { CatalogueDependencies } from '../catalogue/dependencies.js';
import type { spaceIntegrationOperations } from '../contract/catalogue.js';
import { coveringPage } from './covering-page.js';

type Operations = typeof spaceIntegrationOperations;

/** The integrations of a space. */
export const spaceIntegrationHandlers = (deps: CatalogueDependencies): HandlersOf<Operations> => ({
  listSpaceIntegrations({ path: { spaceId: target }, query }, context) {
    const { organization } = context.access;
    return coveringPage(deps, { place: { organization, kind: 'space', target }, query }, context);
  },
});
