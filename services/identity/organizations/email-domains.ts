import type { OrganizationDocument } from './model.js';

/** Returns the domains in lower case, each once. */
export const lowered = (domains: string[]): string[] => [...new Set(domains.map((domain) => domain.toLowerCase()))];

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** Whether an address belongs to one of the organization's e-mail domains, so that its user may join. */
export const opensTo = ({ emailDomains }: Pick<OrganizationDocument, 'emailDomains'>, email: string): boolean =>
  emailDomains.includes(domainOf(email));
