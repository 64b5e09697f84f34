import type { Caller } from '../../../shared/contract/caller.js';
import { forbidden } from '../../../shared/errors/errors.js';
import type { HasSecrets } from '../../../shared/secrets/secrets.js';
import type { HasStore } from '../../../shared/store/port.js';
import type { VisitorSigning } from '../contract.js';
import { isSiteOf } from '../site/access.js';
import { publishingOf } from './publishing-auth.js';

/** The private key of a site, for the system alone. Throws 403 for all other callers. */
export async function visitorSigningOf(
  deps: HasStore & HasSecrets,
  { organization, site }: { organization: string; site: string },
  caller: Caller,
): Promise<VisitorSigning | null> {
  if (caller.kind !== 'system') throw forbidden('Only the system asks for the private key of a site');
  if (!(await isSiteOf(deps.store, { organization, site }))) return null;
  const { backend, integration, sealed } = await publishingOf(deps, site);
  const signs = backend === 'integration' && integration !== undefined;
  return { ...(signs ? { integration } : {}), key: deps.secrets.decrypt(sealed) };
}
