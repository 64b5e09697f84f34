import { type Audit, type AuditRecord, auditBySystem } from '../../../shared/contract/audit.js';
import type { Outbox } from '../../../shared/jobs/outbox.js';
import { askNameServers, type NameServersOptions } from '../../../shared/outbound/name-servers.js';
import type { Config } from '../../../shared/settings/config.js';
import { again } from '../../../shared/store/again.js';
import { type Store, type Update, type Write, write } from '../../../shared/store/port.js';
import { timeIn, timestamp } from '../../../shared/values/ids.js';
import { domainChanged } from '../events.js';
import { type DomainDocument, domains, recordName, recordValue } from './model.js';

export interface CheckDependencies {
  store: Store;
  config: Pick<Config, 'DNS_SERVERS'>;
  outbox: Outbox;
  auditWrite: (record: AuditRecord) => Write;
}

const secondMs = 1_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How long a claim without proof is looked up. */
const pendingMs = 7 * dayMs;
/** How long a proven domain counts without its record. */
const graceMs = 7 * dayMs;

const isOlder = (at: string, ms: number) => at < timeIn(-ms);

/** More and more seldom: after 5, 10, 20 seconds and so on, at last each hour. Proven domains: each day. */
const nextCheckTime = ({ proven, checks }: DomainDocument): string =>
  timeIn(proven === undefined ? Math.min(hourMs, 5 * secondMs * 2 ** Math.min(checks, 20)) : dayMs);

interface Check {
  claim: DomainDocument;
  /** The audit of the organization's own operation; that of the house by default. */
  audit?: Audit;
  signal?: AbortSignal;
}

/** Looks the record of a claim up, and acts on what it finds: the lookup that began last counts, whichever ends last. */
export async function checkDomain(deps: CheckDependencies, { claim, audit, signal }: Check): Promise<void> {
  const { organization, domain } = claim;
  const begunAt = timestamp();
  const found = await lookUpTxtRecords(recordName(domain), { servers: deps.config.DNS_SERVERS, signal });
  if (signal?.aborted) return;
  const record = audit ?? systemAudit(deps, { operation: 'checkDomain', organization });
  await again(
    async () => {
      const current = await deps.store.get(domains, claim._id);
      if (!current || (current.checkedAt ?? '') > begunAt) return;
      await deps.store.batch(await outcomeWrites(deps, { claim: current, begunAt, found, audit: record }));
    },
    { duplicates: true },
  );
}

const systemAudit = (
  { auditWrite }: CheckDependencies,
  { operation, organization }: { operation: string; organization: string },
): Audit => auditBySystem(auditWrite, { operation, organization });

interface Outcome {
  claim: DomainDocument;
  begunAt: string;
  found: Found;
  audit: Audit;
}

async function outcomeWrites(deps: CheckDependencies, { claim, begunAt, found, audit }: Outcome): Promise<Write[]> {
  const { organization, domain, proven, claimedAt } = claim;
  const looked = lookupFields(claim, begunAt);
  if (hasProofRecord(found, organization))
    return proven === undefined
      ? handOverWrites(deps, { claim, begunAt, audit })
      : [claimUpdateWrite(claim, { $set: looked, $unset: { missingSince: true, problem: true } })];
  const missed = { ...looked, problem: lookupProblem(found) };
  if (proven === undefined)
    return [isOlder(claimedAt, pendingMs) ? claimDeleteWrite(claim) : claimUpdateWrite(claim, { $set: missed })];
  // A name server that is down says nothing about the domain.
  if ('failure' in found) return [claimUpdateWrite(claim, { $set: missed })];
  const missingSince = claim.missingSince ?? timestamp();
  if (!isOlder(missingSince, graceMs)) return [claimUpdateWrite(claim, { $set: { ...missed, missingSince } })];
  return [
    claimDeleteWrite(claim),
    audit('domain', domain, { organization, details: { status: 'pending', problem: missed.problem } }),
    deps.outbox.add(domainChanged, { domain, organizations: [organization] }),
  ];
}

const hasProofRecord = (found: Found, organization: string) =>
  'values' in found && found.values.includes(recordValue(organization));

function lookupProblem(found: Found): string {
  if ('failure' in found) return `The lookup failed: ${found.failure}`;
  return found.values.length === 0 ? 'There is no TXT record' : 'The TXT records there have other values';
}

/** Writes on the state that was read, so that of two checks at once one begins anew. */
const claimUpdateWrite = (claim: DomainDocument, update: Update<DomainDocument>): Write =>
  write.update(domains, unchangedClaim(claim), update, { expect: 1 });

const unchangedClaim = ({ _id, proven, checkedAt }: DomainDocument) => ({
  _id,
  proven: proven ?? { $exists: false },
  checkedAt: checkedAt ?? { $exists: false },
});

const claimDeleteWrite = (claim: DomainDocument): Write => write.delete(domains, unchangedClaim(claim), { expect: 1 });

const lookupFields = (claim: DomainDocument, begunAt: string) => ({
  checkedAt: begunAt,
  checks: claim.checks + 1,
  dueAt: nextCheckTime(claim),
});

/** Gives the domain to the organization that proved it last. The one that had it has to prove it anew. */
async function handOverWrites(
  deps: CheckDependencies,
  { claim, begunAt, audit }: Omit<Outcome, 'found'>,
): Promise<Write[]> {
  const { organization, domain } = claim;
  const before = await deps.store.findOne(domains, { proven: domain });
  const proven = { ...claim, proven: domain };
  const lost = before && systemAudit(deps, { operation: 'checkDomain', organization: before.organization });
  return [
    ...(before && lost
      ? [
          claimDeleteWrite(before),
          lost('domain', domain, { details: { status: 'pending', problem: 'Proven by another organization' } }),
        ]
      : []),
    claimUpdateWrite(claim, {
      $set: { ...lookupFields(proven, begunAt), proven: domain, provenAt: timestamp() },
      $unset: { problem: true },
    }),
    audit('domain', domain, { organization, details: { status: 'proven' } }),
    deps.outbox.add(domainChanged, {
      domain,
      organizations: [organization, ...(before ? [before.organization] : [])],
    }),
  ];
}

/** The values of the TXT records, none where the name has none; or the code of a failed lookup. */
type Found = { values: string[] } | { failure: string };

/** Looks the TXT records of a name up, each time anew. */
async function lookUpTxtRecords(name: string, options: NameServersOptions): Promise<Found> {
  try {
    const records = await askNameServers(options, (resolver) => resolver.resolveTxt(name));
    return { values: records.map((chunks) => chunks.join('').trim()) };
  } catch (error) {
    const { code = 'UNKNOWN' } = error as NodeJS.ErrnoException;
    return code === 'ENODATA' || code === 'ENOTFOUND' ? { values: [] } : { failure: code };
  }
}
