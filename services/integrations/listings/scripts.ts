import type { IntegrationScript } from '../../sites/resources.js';
import type { CatalogueDependencies } from '../catalogue/dependencies.js';
import { policyText } from '../catalogue/policy-text.js';
import { type CoveredPlace, type Covering, coveringInstallations } from '../installations/reach/coverage.js';

/** The scripts that integrations add to the pages of a space or site, first installed first. */
export async function scriptsOnPages(
  deps: Pick<CatalogueDependencies, 'store' | 'endpointsUrl'>,
  place: CoveredPlace,
): Promise<IntegrationScript[]> {
  const covering = await coveringInstallations(deps, place);
  return covering
    .filter(({ integration }) => integration.scopes.includes(`${place.kind}:script:inject`))
    .map((each) => scriptOnPage(deps, place, each));
}

function scriptOnPage(
  { endpointsUrl }: { endpointsUrl: string },
  { kind, target }: CoveredPlace,
  { integration, installation }: Covering,
): IntegrationScript {
  const { _id: name, version, scopes, contentSecurityPolicy } = integration;
  const place = `${endpointsUrl}/integrations/${name}/installations/${installation._id}/${kind}s/${target}`;
  return {
    script: `${place}/script.js?version=${version}`,
    ...(contentSecurityPolicy === undefined ? {} : { contentSecurityPolicy: policyText(contentSecurityPolicy) }),
    cookies: scopes.includes(`${kind}:script:cookies`),
  };
}
