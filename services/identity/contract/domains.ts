import { operation } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/lists/paging.js';
import { domainResourceSchema, onOrganization } from '../resources.js';

const tag = 'Organizations';
const domain = '/orgs/{organizationId}/domains/{domain}';

export const domainOperations = {
  listDomainsInOrganization: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/domains',
    summary: 'List the domains of an organization',
    description: 'Those that it has proven, and those that are looked up until they are proven.',
    tag,
    access: onOrganization('createContent'),
    query: pageQuery,
    status: 200,
    response: listOf(domainResourceSchema),
  }),
  getDomainInOrganization: operation({
    method: 'GET',
    path: domain,
    summary: 'Get a domain of an organization',
    description: 'Answers for any domain whether it counts for the organization, and by which DNS record to prove it.',
    tag,
    access: onOrganization('createContent'),
    status: 200,
    response: domainResourceSchema,
  }),
  checkDomainInOrganization: operation({
    method: 'POST',
    path: `${domain}/check`,
    summary: 'Check a domain now',
    description:
      'Looks the DNS record up, at most once in two seconds, and answers the result. A domain that is not proven is looked up for a week from then on.',
    tag,
    access: onOrganization('createContent'),
    status: 200,
    response: domainResourceSchema,
  }),
  deleteDomainInOrganization: operation({
    method: 'DELETE',
    path: domain,
    summary: 'Give up a domain',
    description: 'It no longer counts for the organization until it is proven again.',
    tag,
    access: onOrganization('admin'),
    status: 204,
  }),
};
