import { checkBound } from '../../../../shared/store/bounds.js';
import { newId } from '../../../../shared/values/ids.js';
import { importedSpace } from '../../exchange/imports/testing/imported-space.js';
import { type CollectionDocument, collections } from '../nodes/model.js';
import { collectionHandlers } from './collection-handlers.js';

const { opened, user, organization } = importedSpace();

it('an organization has so many collections and no more, whatever others have', async () => {
  const made = Array.from({ length: 10_000 }, (): CollectionDocument => {
    const named = { title: 'One of many', defaultLevel: 'inherit' as const, creator: 'ada', parent: null };
    return { _id: newId(), organization, createdAt: '2026-01-01T00:00:00.000Z', ...named };
  });
  await opened.store.insertMany(collections, made);
  const { createCollection } = collectionHandlers(opened.deps as never);
  const request = { path: { organizationId: organization }, query: {}, body: {} } as never;
  await expect(createCollection(request, { caller: user } as never)).rejects.toMatchObject({
    type: 'CONFLICT',
    message: 'There are at most 10,000 collections in an organization; delete some first',
  });
  await checkBound(opened.store, collections, { organization: newId() }, { max: 1, what: 'collections' });
});
