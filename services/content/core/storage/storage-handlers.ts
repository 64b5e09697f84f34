import type { Call, HandlersOf } from '../../../../shared/contract/service.js';
import { type StoredKind, usageQuestion } from '../../../../shared/contract/usage.js';
import { failureOf } from '../../../../shared/errors/errors.js';
import { groupBy } from '../../../../shared/values/group-by.js';
import type { storageOperations } from '../contract/storage.js';
import type { HasLedger } from './ledger.js';

const services = ['identity', 'content', 'comments', 'sites', 'insights', 'integrations'];

export function storageHandlers({ ledger }: HasLedger): HandlersOf<typeof storageOperations> {
  return {
    async getOrganizationStorage({ path: { organizationId } }, { call }) {
      const [used, others] = await Promise.all([
        ledger.usedBytesOf(organizationId),
        askOtherServices(call, organizationId),
      ]);
      return { object: 'organization-storage', used, ...(ledger.quota > 0 ? { limit: ledger.quota } : {}), others };
    },
  };
}

async function askOtherServices(call: Call, organization: string): Promise<StoredKind[]> {
  const kinds = await Promise.all(
    services.map((service) => call(usageQuestion(service), { organization }).catch(emptyIfUnavailable)),
  );
  return [...groupBy(kinds.flat(), ({ kind }) => kind).values()].map((group) => ({
    ...(group[0] as StoredKind),
    used: group.reduce((sum, { used }) => sum + used, 0),
    limit: group.reduce((sum, { limit }) => sum + limit, 0),
  }));
}

/** A service that is away, or of a release that does not count. */
function emptyIfUnavailable(error: unknown): StoredKind[] {
  if (failureOf(error).status < 503) throw error;
  return [];
}
