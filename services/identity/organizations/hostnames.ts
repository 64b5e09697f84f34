import { conflict } from '../../../shared/errors/errors.js';
import { type Store, StoreDuplicate, type Write, write } from '../../../shared/store/port.js';
import { type OrganizationDocument, organizations, subdomains } from './model.js';

/**
 * Returns the writes that give an organization a host name and free its old one. Throws 409 when another organization
 * uses the name.
 */
export async function hostnameWrites(
  store: Store,
  { organization, hostname }: { organization: OrganizationDocument; hostname: string },
): Promise<Write[]> {
  const { _id, hostname: old } = organization;
  const taking = await takeHostnameWrite(store, { organization: _id, hostname });
  const unchanged = old === undefined ? { hostname: { $exists: false } } : { hostname: old };
  const writes = [taking, write.check(organizations, { _id, ...unchanged }, 1)];
  if (old !== undefined)
    writes.push(write.update(subdomains, { _id: old, organization: _id }, { $set: { active: false } }));
  return writes;
}

/** Returns the write that gives an organization a host name. Throws 409 when another organization uses the name. */
export async function takeHostnameWrite(
  store: Store,
  { organization, hostname: _id }: { organization: string; hostname: string },
): Promise<Write> {
  const held = await store.get(subdomains, _id);
  if (held?.active) throw hostnameTakenError();
  return held
    ? write.update(subdomains, { _id, active: false }, { $set: { organization, active: true } }, { expect: 1 })
    : write.insert(subdomains, { _id, organization, active: true });
}

const hostnameTakenError = () => conflict('hostname: already taken', 'taken');

/** Rethrows an error of a batch with `hostnameWrites`; a lost race for the name becomes a 409. */
export function rethrowHostnameTaken(error: unknown): never {
  throw error instanceof StoreDuplicate ? hostnameTakenError() : error;
}

/** Finds the organization that uses a host name. */
export async function findIdByHostname(store: Store, hostname: string): Promise<string | undefined> {
  const held = await store.get(subdomains, hostname.toLowerCase());
  return held?.active ? held.organization : undefined;
}
