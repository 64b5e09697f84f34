import { collectionKind, spaceKind } from '../resources.js';

const caller = ['user'] as const;

export const onSpace = (need: keyof typeof spaceKind.rights) =>
  ({ caller, on: spaceKind, id: 'spaceId', need }) as const;
/** Also for visitors of a published site, who call with a content token. */
export const readingSpace = { caller: ['user', 'content'], on: spaceKind, id: 'spaceId', need: 'view' } as const;
export const onCollection = (need: keyof typeof collectionKind.rights) =>
  ({ caller, on: collectionKind, id: 'collectionId', need }) as const;
