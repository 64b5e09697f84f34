import { by } from '../../../../shared/contract/access.js';
import { collectionKind, spaceKind } from '../resources.js';

/** With a `scope`, installations that have it may call the operation too. */
export const onSpace = (need: keyof typeof spaceKind.rights, scope?: string) =>
  ({ ...by(['user'], scope), on: spaceKind, id: 'spaceId', need }) as const;
/** Also for visitors of a published site, who call with a content token. */
export const visitingSpace = (scope: string) =>
  ({ ...by(['user', 'content'], scope), on: spaceKind, id: 'spaceId', need: 'view' }) as const;

/** For operations that read the content of a space; `readingSpace` also lets visitors in. */
export const viewingContent = onSpace('view', 'space:content:read');
export const readingSpace = visitingSpace('space:content:read');
/** For operations that change the content of a space. */
export const changingContent = (need: 'edit' | 'merge') => onSpace(need, 'space:content:write');

export const onCollection = (need: keyof typeof collectionKind.rights) =>
  ({ caller: ['user'], on: collectionKind, id: 'collectionId', need }) as const;
