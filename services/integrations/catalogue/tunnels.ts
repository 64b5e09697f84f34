import { authenticate } from '../../identity/contract.js';
import { standingOf } from './access.js';
import type { CatalogueDependencies } from './dependencies.js';
import type { IntegrationDocument, Tunnel } from './model.js';

type Developed = Pick<IntegrationDocument, '_id' | 'organization' | 'publication' | 'visibility' | 'scopes' | 'dev'>;

/** The tunnel of an integration that stands; undefined without one, and once whoever opened it may not publish the integration any more. */
export async function standingTunnel(
  deps: Pick<CatalogueDependencies, 'callAsSystem' | 'administering'>,
  integration: Developed,
): Promise<(Tunnel & { id: string }) | undefined> {
  const { dev } = integration;
  if (!dev?.token || dev.id === undefined) return undefined;
  const known = await deps.callAsSystem()(authenticate, { id: dev.token });
  return known && (await standingOf(deps, known.caller, integration)) === 'owner' ? { ...dev, id: dev.id } : undefined;
}
