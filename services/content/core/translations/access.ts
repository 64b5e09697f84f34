import { type Access, type AccessQuestion, accessOfRole } from '../../../../shared/contract/access.js';
import { membershipOf } from '../../../../shared/contract/caller.js';
import type { Store } from '../../../../shared/store/port.js';
import { translationSettings } from './model.js';

/** Answers the access of a caller to translation settings, in the order of their ids: its role in their organization. */
export async function resolveTranslationAccess(
  store: Store,
  { caller, ids }: AccessQuestion,
): Promise<(Access | null)[]> {
  const found = await store.getMany(translationSettings, ids, { fields: ['organization'] });
  const organizationOf = new Map(found.map(({ _id, organization }) => [_id, organization]));
  return ids.map((id) => {
    const organization = organizationOf.get(id);
    return organization === undefined
      ? null
      : accessOfRole(caller, organization, membershipOf(caller, organization)?.role);
  });
}
