import { z } from 'zod';
import { defineContract, operation } from '../../shared/contract/operation.js';

export const gatewayContract = defineContract('gateway', {
  getApiInformation: operation({
    method: 'GET',
    path: '/',
    summary: 'Get the version of the API',
    tag: 'System',
    access: 'public',
    status: 200,
    response: z.object({ version: z.string(), build: z.string() }).meta({ id: 'ApiInformation' }),
  }),
});
