import { endpointsPath } from '../../../shared/contract/integration-endpoints.js';
import type { EndpointAddress } from '../../integrations/contract.js';

/** The target of an address below the public endpoints of integrations. */
export type EndpointPath =
  | { kind: 'endpoint'; address: EndpointAddress }
  /** The script that a page loads. */
  | { kind: 'script'; address: EndpointAddress }
  /** Where visitors of a site sign in. */
  | { kind: 'visitor-auth'; site: string };

const id = '([\\w-]{1,100})';
const placed = new RegExp(
  `^/integrations/([\\w.-]{1,100})(?:/installations/${id}(?:/(spaces|sites)/${id})?)?(/script\\.js$)?(?=/|$)`,
);
const visitors = new RegExp(`^/sites/${id}/visitor-auth$`);

export const isEndpointPath = (path: string): boolean => path.startsWith(`${endpointsPath}/`);

/** Reads such a path; undefined for one that leads nowhere. */
export function endpointAt(path: string): EndpointPath | undefined {
  const below = path.slice(endpointsPath.length);
  const [, site] = visitors.exec(below) ?? [];
  if (site !== undefined) return { kind: 'visitor-auth', site };
  const [, integration, installation, places, target, script] = placed.exec(below) ?? [];
  if (integration === undefined) return undefined;
  const address = {
    integration,
    ...(installation === undefined ? {} : { installation }),
    ...(target === undefined ? {} : { [places === 'spaces' ? 'space' : 'site']: target }),
  };
  // Scripts of pages belong to a place; elsewhere the name is the integration's own.
  return { kind: script !== undefined && target !== undefined ? 'script' : 'endpoint', address };
}
