import { conflict } from '../../../shared/errors/errors.js';
import type { HasConfig } from '../../../shared/settings/config.js';
import { type HasStore, type Write, write } from '../../../shared/store/port.js';
import { timestamp } from '../../../shared/values/ids.js';
import { domainId, domains } from './model.js';
import { trustedOrganizations } from './owners.js';

/** Domains that an organization may have looked up without proof. */
const maxPending = 500;

type Dependencies = HasConfig & HasStore & { operator: () => Promise<string | null> };

interface Claimed {
  organization: string;
  /** Lower case. */
  domains: string[];
}

/**
 * Returns the writes that have domains looked up until they are proven, from now on for a week. Throws 409 for too many
 * domains without proof.
 */
export async function claimWrites(
  { store }: Pick<Dependencies, 'store'>,
  { organization, domains: names }: Claimed,
): Promise<Write[]> {
  if (names.length === 0) return [];
  const ids = names.map((name) => domainId(organization, name));
  const [known, pending] = await Promise.all([
    store.getMany(domains, ids, { fields: ['domain'] }),
    store.count(domains, { organization, proven: { $exists: false } }),
  ]);
  if (known.length < names.length && pending + names.length - known.length > maxPending)
    throw conflict(
      `An organization has at most ${maxPending} domains without proof: prove or delete some`,
      'limit_reached',
    );
  const now = timestamp();
  return names.map((domain) =>
    write.upsert(
      domains,
      { _id: domainId(organization, domain) },
      { $set: { claimedAt: now, checks: 0 }, $setOnInsert: { organization, domain, dueAt: now } },
    ),
  );
}

/** As `claimWrites`, for domains that an organization begins to use: none where it needs no proof. */
export async function claimUsedDomainWrites(deps: Dependencies, claimed: Claimed): Promise<Write[]> {
  const trusted = await trustedOrganizations(deps);
  return trusted.includes(claimed.organization) ? [] : claimWrites(deps, claimed);
}

/** Has domains looked up that an organization begins to use. Throws 409 for too many without proof. */
export async function claimDomains(deps: Dependencies, claimed: Claimed): Promise<void> {
  await deps.store.batch(await claimUsedDomainWrites(deps, claimed));
}
