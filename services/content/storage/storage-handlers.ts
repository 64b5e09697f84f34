import type { HandlersOf } from '../../../shared/contract/service.js';
import type { storageOperations } from '../contract/storage.js';
import type { contentContract } from '../contract.js';
import type { ContentDependencies } from '../dependencies.js';

export function storageHandlers({
  ledger,
}: Pick<ContentDependencies, 'ledger'>): HandlersOf<typeof contentContract, typeof storageOperations> {
  return {
    async getOrganizationStorage({ path: { organizationId } }) {
      const used = await ledger.used(organizationId);
      return { object: 'organization-storage', used, ...(ledger.quota > 0 ? { limit: ledger.quota } : {}) };
    },
  };
}
