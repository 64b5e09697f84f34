import { onOrganization } from '../resources.js';

export const anyUser = { caller: ['user'] } as const;

/** On oneself, an operation needs no more than the right to view the organization. */
export const onMember = (need: 'listMembers' | 'admin') => ({ ...onOrganization(need), self: 'userId' }) as const;
