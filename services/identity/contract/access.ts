import { organizationKind } from '../resources.js';

export const anyUser = { caller: ['user'] } as const;

export const onOrganization = (need: keyof typeof organizationKind.rights) =>
  ({ caller: ['user'], on: organizationKind, id: 'organizationId', need }) as const;
