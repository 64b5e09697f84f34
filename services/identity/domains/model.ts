import { type Collection, collection } from '../../../shared/store/port.js';
import { sha256 } from '../../../shared/values/ids.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { Domain, domainStatuses } from './resources.js';

/** The claim of an organization to a domain. Any number of organizations may claim one; only one at a time has proven it. */
export interface DomainDocument {
  _id: string;
  organization: string;
  domain: string;
  /** When it was claimed, or last checked on demand. */
  claimedAt: string;
  /** The domain once more, while this organization has proven it. */
  proven?: string;
  provenAt?: string;
  /** Since when the record of a proven domain is not found. */
  missingSince?: string;
  /** When the record is looked up next. */
  dueAt: string;
  /** Lookups since then. */
  checks: number;
  /** When the last lookup began. */
  checkedAt?: string;
  problem?: string;
}

export const domains = collection<DomainDocument>('identity_domains', [
  { on: { organization: 1, domain: 1 } },
  { on: { proven: 1 }, unique: true, where: 'proven' },
  { on: { dueAt: 1 } },
]);

export const domainCollections = [domains] as Collection<never>[];

export const domainId = (organization: string, domain: string): string => `${organization}:${domain}`;

/** The name of the TXT record that proves a domain. The underscore keeps it out of what providers hand out as host names. */
export const recordName = (domain: string): string => `_bindery.${domain}`;

/** The value of the record: a hash that stands for the organization without revealing its id. */
export const recordValue = (organization: string): string =>
  `bindery-verification=${sha256(`bindery-verification ${organization}`).slice(0, 40)}`;

interface Presented {
  organization: string;
  domain: string;
  status: (typeof domainStatuses)[number];
  /** Null for a domain that is not looked up. */
  claim: DomainDocument | null;
}

export function presentDomain(baseUrl: string, { organization, domain, status, claim }: Presented): Domain {
  const { provenAt, missingSince, checkedAt, dueAt, problem } = claim ?? {};
  return omitUndefined({
    object: 'domain',
    domain,
    status,
    record: { type: 'TXT', name: recordName(domain), value: recordValue(organization) },
    provenAt: provenAt || undefined,
    missingSince: missingSince || undefined,
    checkedAt: checkedAt || undefined,
    nextCheckAt: dueAt || undefined,
    problem: problem || undefined,
    urls: { location: `${baseUrl}/v1/orgs/${organization}/domains/${domain}` },
  });
}
