import { organizationKind } from '../../identity/resources.js';
import { collectionKind, spaceKind } from '../resources.js';

const caller = ['user'] as const;

export const onOrganization = (need: keyof typeof organizationKind.rights) =>
  ({ caller, on: organizationKind, id: 'organizationId', need }) as const;
export const onSpace = (need: keyof typeof spaceKind.rights) =>
  ({ caller, on: spaceKind, id: 'spaceId', need }) as const;
export const onCollection = (need: keyof typeof collectionKind.rights) =>
  ({ caller, on: collectionKind, id: 'collectionId', need }) as const;
