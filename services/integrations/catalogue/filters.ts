import type { z } from 'zod';
import { type Caller, membershipOf } from '../../../shared/contract/caller.js';
import type { Filter } from '../../../shared/store/port.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { integrationFilters } from '../contract/catalogue.js';
import type { IntegrationDocument } from './model.js';
import { domainsToSearch } from './publishing/block-domains.js';

export type IntegrationFilters = Omit<z.output<typeof integrationFilters>, 'owner'>;

/** The integrations that the filters of a list ask for, whoever may see them. */
export function queryFilter(query: IntegrationFilters): Filter<IntegrationDocument> {
  const { search, category, blockDomain, blocks, contentSources, scope, target } = query;
  return omitUndefined({
    $contains: search ? { index: 'searched', text: search } : undefined,
    categories: category,
    blockDomains: blockDomain === undefined ? undefined : { $in: domainsToSearch(blockDomain) },
    hasBlocks: blocks,
    hasContentSources: contentSources,
    scopes: scope,
    target,
  });
}

/** Whether a caller belongs to an organization as more than a guest. */
export const isMember = (caller: Caller, organization: string): boolean =>
  (membershipOf(caller, organization)?.role ?? null) !== null;

/** The public integrations, of one organization if it is named. Its members see all that it has published. */
export function listingFilter(caller: Caller, owner: string | undefined): Filter<IntegrationDocument> {
  if (owner === undefined) return { visibility: 'public' };
  return isMember(caller, owner) ? { organization: owner } : { organization: owner, visibility: 'public' };
}
