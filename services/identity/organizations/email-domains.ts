import type { HasConfig } from '../../../shared/settings/config.js';
import type { HasStore } from '../../../shared/store/port.js';
import { isDomainOwner } from '../domains/owners.js';
import type { OrganizationDocument } from './model.js';

/** Returns the domains in lower case, each once. */
export const lowerCaseDomains = (domains: string[]): string[] => [
  ...new Set(domains.map((domain) => domain.toLowerCase())),
];

export const domainOfEmail = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** Whether an address belongs to an e-mail domain that counts for the organization, so that its user may join. */
export async function isOpenToEmail(
  deps: HasConfig & HasStore & { operator: () => Promise<string | null> },
  { organization: { _id, emailDomains }, email }: { organization: OrganizationDocument; email: string },
): Promise<boolean> {
  const domain = domainOfEmail(email);
  return emailDomains.includes(domain) && isDomainOwner(deps, { organization: _id, domain });
}
