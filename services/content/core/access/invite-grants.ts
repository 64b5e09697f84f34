import { auditRecord, auditRecorded } from '../../../../shared/contract/audit.js';
import type { Context } from '../../../../shared/contract/service.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import type { HasStore } from '../../../../shared/store/port.js';
import type { GrantByInvite } from '../../../identity/contract.js';
import { findMemberReader } from './effective-access.js';
import { grantAtLeast } from './grants.js';
import type { HasTrees } from './tree/content-tree-cache.js';

/** Gives a member the role that its invite names on a space or a collection. */
export async function grantByAcceptedInvite(
  { store, trees, outbox }: HasStore & HasOutbox & HasTrees,
  { organization, kind, id, user, level: role }: GrantByInvite,
  { call, caller, requestId }: Context,
): Promise<void> {
  const reader = await findMemberReader(call, organization, user);
  const about = { operation: 'joinOrganizationWithInvite', caller, organization, requestId };
  const record = auditRecord(about, { type: kind, id }, { details: { user, role } });
  const node = { kind, id, organization };
  await grantAtLeast({ store, trees }, { node, reader, role, record: outbox.add(auditRecorded, record) });
}
