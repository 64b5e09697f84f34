/// <reference types="jest" />
import type { Store } from './port.js';
import { batchTests } from './suite/batches.js';
import { deriveTests } from './suite/derive.js';
import { filterTests } from './suite/filters.js';
import { prepared, type Subject } from './suite/fixture.js';
import { listTests } from './suite/lists.js';
import { preparationTests } from './suite/preparation.js';
import { searchTests } from './suite/search.js';
import { textTests } from './suite/text.js';
import { updateTests } from './suite/updates.js';
import { writeTests } from './suite/writes.js';

export interface SuiteOptions {
  /** Whether a plan (see Store.explain) answers the list from an index: no scan of the collection, no sort. */
  usesIndex(plan: string): boolean;
}

/** The tests that every adapter of the document store must pass. `open` returns a new store, which the suite closes. */
export function storeSuite(name: string, open: () => Promise<Store>, options: SuiteOptions): void {
  describe(name, () => {
    let store: Store | undefined;
    const subject: Subject = {
      ...options,
      get store() {
        if (!store) throw new Error('the store is not open');
        return store;
      },
    };
    beforeAll(async () => {
      store = await open();
      await store.prepare(prepared.collections, prepared.searchIndexes);
    });
    afterAll(() => store?.close());

    preparationTests(subject);
    writeTests(subject);
    filterTests(subject);
    updateTests(subject);
    batchTests(subject);
    deriveTests(subject);
    listTests(subject);
    textTests(subject);
    searchTests(subject);
  });
}
