import { onOrganization } from '../resources.js';

export const anyUser = { caller: ['user'] } as const;

/** For what the integrations and installations of an organization may read of it too. */
export const onKnownOrganization = {
  ...onOrganization('view'),
  caller: ['user', 'integration', 'installation'],
} as const;

/** On oneself, an operation needs no more than the right to view the organization. */
export const onMember = (need: 'listMembers' | 'admin') => ({ ...onOrganization(need), self: 'userId' }) as const;
