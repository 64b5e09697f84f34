import { by } from '../../../shared/contract/access.js';
import { operation } from '../../../shared/contract/operation.js';
import { customHostnameResourceSchema } from '../resources.js';

const tag = 'Sites';
const hostname = '/custom-hostnames/{hostname}';
/** The handler finds a site that the caller administers: a host name alone names none. */
const access = by(['user']);

export const customHostnameOperations = {
  getCustomHostname: operation({
    method: 'GET',
    path: hostname,
    summary: 'Get the host name of a site',
    description: 'Of the sites that ask for it and that the caller administers, tells that which it counts for.',
    tag,
    access,
    status: 200,
    response: customHostnameResourceSchema,
  }),
  dnsRevalidateCustomHostname: operation({
    method: 'PATCH',
    path: hostname,
    summary: 'Look the DNS record of a host name up now',
    description: 'As the check of a domain of the organization.',
    tag,
    access,
    status: 204,
  }),
  removeCustomHostname: operation({
    method: 'DELETE',
    path: hostname,
    summary: 'Take the host name from a site',
    description: 'The proof of the domain stays with the organization.',
    tag,
    access,
    status: 205,
  }),
};
