import type { BodyOf } from '../../../../shared/contract/operation.js';
import type { HandlersOf } from '../../../../shared/contract/service.js';
import { conflict, invalid, notFound } from '../../../../shared/errors/errors.js';
import { listPage } from '../../../../shared/lists/paging.js';
import { listSorted } from '../../../../shared/lists/sorted-list.js';
import { again } from '../../../../shared/store/again.js';
import { type HasStore, type Write, write } from '../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import type { glossaryOperations } from '../contract/translations.js';
import { type GlossaryEntryDocument, glossaryEntries, presentGlossaryEntry } from './model.js';

type Operations = BodyOf<typeof glossaryOperations.updateGlossaryEntries>['operations'];

/** Entries of an organization. */
const maxEntries = 5000;

export const glossaryHandlers = ({
  store,
  baseUrl,
}: HasStore & { baseUrl: string }): HandlersOf<typeof glossaryOperations> => ({
  listGlossaryEntries({ path: { organizationId: organization }, query: { orderBy, ...request } }) {
    const filter = { organization };
    const present = (item: GlossaryEntryDocument) => presentGlossaryEntry(baseUrl, item);
    if (orderBy !== undefined) {
      const compare = byTermIn(orderBy);
      return listSorted(store, glossaryEntries, { filter, fields: ['translations'], compare, request, present });
    }
    return listPage(store, glossaryEntries, { filter, sort: { createdAt: 1 }, request }, (items) => items.map(present));
  },

  updateGlossaryEntries: ({ path: { organizationId: organization }, body: { operations } }, { audit }) =>
    again(async () => {
      await checkOperations({ store }, organization, operations);
      const now = timestamp();
      await store.batch([
        ...operations.map((operation) => operationWrite(operation, { organization, now })),
        audit('translation-glossary', organization, { organization, details: countsOf(operations) }),
      ]);
    }),

  async getGlossaryEntry({ path: { organizationId: organization, glossaryEntryId: _id } }) {
    const entry = await store.findOne(glossaryEntries, { _id, organization });
    if (!entry) throw notFound('Glossary entry');
    return presentGlossaryEntry(baseUrl, entry);
  },
});

/** The order of the alphabet of a language; terms that have no text in it come last, as they were created. */
function byTermIn(language: string): (one: GlossaryEntryDocument, other: GlossaryEntryDocument) => number {
  const { compare } = new Intl.Collator(language);
  return (one, other) => {
    const [first, second] = [one.translations[language], other.translations[language]];
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined);
    return compare(first, second);
  };
}

/** Throws 400 for an operation on an entry that is not there, or on one that another operation is about; 409 for too many entries. */
async function checkOperations({ store }: HasStore, organization: string, operations: Operations): Promise<void> {
  const ids = operations.flatMap((operation) => ('id' in operation ? [operation.id] : []));
  const found = await store.getMany(glossaryEntries, [...new Set(ids)], { fields: ['organization'] });
  const known = new Set(found.filter((entry) => entry.organization === organization).map(({ _id }) => _id));
  const seen = new Set<string>();
  for (const [at, operation] of operations.entries()) {
    if (!('id' in operation)) continue;
    if (!known.has(operation.id)) throw invalid(`operations.${at}.id: no such entry`);
    if (seen.has(operation.id)) throw invalid(`operations.${at}.id: another operation is about this entry`);
    seen.add(operation.id);
  }
  const { insert = 0, delete: removed = 0 } = countsOf(operations);
  if (insert > removed && (await store.count(glossaryEntries, { organization })) + insert - removed > maxEntries)
    throw conflict(
      `There are at most ${maxEntries.toLocaleString('en')} entries in a glossary; delete some first`,
      'limit_reached',
    );
}

function operationWrite(
  operation: Operations[number],
  { organization, now }: { organization: string; now: string },
): Write {
  switch (operation.type) {
    case 'insert': {
      const { translations } = operation;
      const entry = {
        _id: newId(),
        organization,
        translations: translations as Record<string, string>,
        createdAt: now,
        updatedAt: now,
      };
      return write.insert(glossaryEntries, entry);
    }
    case 'update': {
      const changes = { translations: operation.translations as Record<string, string>, updatedAt: now };
      return write.update(glossaryEntries, { _id: operation.id, organization }, { $set: changes }, { expect: 1 });
    }
    default:
      return write.delete(glossaryEntries, { _id: operation.id, organization }, { expect: 1 });
  }
}

function countsOf(operations: Operations): Partial<Record<Operations[number]['type'], number>> {
  const counts: Partial<Record<Operations[number]['type'], number>> = {};
  for (const { type } of operations) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}
