import type { HasStore, Store } from '../../../shared/store/port.js';
import type { OfferedProvider } from '../contract/single-sign-on.js';
import { domains } from '../domains/model.js';
import { domainOfEmail } from '../organizations/email-domains.js';
import { organizations } from '../organizations/model.js';
import { findActiveProviders, signInStartURL } from '../organizations/single-sign-on.js';

type Dependencies = HasStore & { baseUrl: string; operator: () => Promise<string | null> };

/**
 * Lists the providers that people are offered who are not signed in: those of the operator's own organization, and with an address those of the
 * organization that has proven its domain. A domain that nobody has proven reveals nobody.
 */
export async function listSignInProviders(
  { store, baseUrl, operator }: Dependencies,
  { email }: { email?: string },
): Promise<OfferedProvider[]> {
  const ids = [await operator(), email === undefined ? null : await provenOwner(store, domainOfEmail(email))];
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  const found = await store.getMany(organizations, wanted, { fields: ['title'] });
  const offered = found.map(async ({ _id, title: organization }) =>
    (await findActiveProviders(store, _id)).map(({ kind, id, label }) => ({
      kind,
      label,
      organization,
      startURL: signInStartURL(baseUrl, { kind, id }),
    })),
  );
  return (await Promise.all(offered)).flat();
}

const provenOwner = async (store: Store, domain: string): Promise<string | null> =>
  domain.length > 253 ? null : ((await store.findOne(domains, { proven: domain }))?.organization ?? null);
