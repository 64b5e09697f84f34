import type { IntegrationBlock } from '../resources.js';

/** Finds the host in a pattern such as `https://*.example.com/**`. */
const hostPattern = /^(?:https?|\*):\/\/(\*\.)?([a-z0-9.-]+)(?:[:/?#]|$)/i;

/** Longest domain, as in the filter of lists. */
const maxCharacters = 100;

/** Domains above a host, of two labels or more, so that nobody lists all that end in `com`. */
const parentDomains = (host: string): string[] => {
  const labels = host.split('.');
  return labels.slice(1, -1).map((_, at) => labels.slice(at + 1).join('.'));
};

/**
 * The domains under which blocks are found: hosts of the URLs that they unfurl, and the domains above these. A host with a wildcard is also there
 * with a leading dot, which stands for all below it.
 */
export function blockDomainsOf(blocks: readonly Pick<IntegrationBlock, 'urlUnfurl'>[]): string[] {
  const domains = blocks
    .flatMap(({ urlUnfurl = [] }) => urlUnfurl)
    .flatMap((pattern) => {
      const [, wildcard, host] = hostPattern.exec(pattern) ?? [];
      if (host === undefined || host.length > maxCharacters) return [];
      const domain = host.toLowerCase();
      return [domain, ...parentDomains(domain), ...(wildcard === undefined ? [] : [`.${domain}`])];
    });
  return [...new Set(domains)];
}

/** Values to look for in `blockDomains`, which has one of them if a block is for URLs of this domain. */
export function domainsToSearch(asked: string): string[] {
  const domain = asked.toLowerCase();
  return [domain, ...parentDomains(domain).map((parent) => `.${parent}`)];
}
