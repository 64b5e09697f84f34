import type { BodyOf } from '../../../shared/contract/operation.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import { invalid } from '../../../shared/errors/errors.js';
import { listPage } from '../../../shared/lists/paging.js';
import { again } from '../../../shared/store/again.js';
import { checkBound } from '../../../shared/store/bounds.js';
import { changesOf } from '../../../shared/store/changes.js';
import { type HasStore, write } from '../../../shared/store/port.js';
import { newSecret, timestamp } from '../../../shared/values/ids.js';
import type { inviteOperations } from '../contract/joining.js';
import { stillAdminChecks } from '../organizations/memberships.js';
import { actingUserId } from '../users/acting-user.js';
import { findInvite, presentInvite, presentOrganizationInvite, resolveTargetAccess } from './invites.js';
import { type InviteDocument, invites } from './model.js';

function newInvite(
  { organization, by }: Pick<InviteDocument, 'organization'> & { by: string },
  input: BodyOf<typeof inviteOperations.createOrganizationInvite>,
): InviteDocument {
  const expiresAt = input.expiresAt && timestamp(new Date(input.expiresAt));
  if (expiresAt && expiresAt <= timestamp()) throw invalid('expiresAt: must be in the future');
  const base = {
    _id: newSecret(18),
    organization,
    by,
    createdAt: timestamp(),
    ...(expiresAt ? { expiresAt } : {}),
  };
  if ('role' in input) return { ...base, to: 'organization', target: organization, role: input.role };
  if ('space' in input) return { ...base, to: 'space', target: input.space, role: input.level };
  return { ...base, to: 'collection', target: input.collection, role: input.level };
}

/** The id is a secret: the audit trail names an invite by its first characters. */
const inviteIdPreview = ({ _id }: InviteDocument): string => `${_id.slice(0, 6)}…`;

export const inviteHandlers = ({ store }: HasStore): HandlersOf<typeof inviteOperations> => ({
  // Newest first; invites to spaces and collections are not listed.
  listOrganizationInviteLinks({ path: { organizationId: organization }, query }, { caller }) {
    const filter = { organization, to: 'organization' as const };
    const list = { filter, sort: { createdAt: -1 } as const, request: query };
    return listPage(store, invites, list, (items) => items.map((invite) => presentOrganizationInvite(caller, invite)));
  },

  async createOrganizationInvite({ path: { organizationId: organization }, body }, context) {
    await checkBound(store, invites, { organization }, { max: 5000, what: 'invites of an organization' });
    const invite = newInvite({ organization, by: actingUserId(context.caller) }, body);
    const { to, target, role } = invite;
    if (to !== 'organization') {
      const { call, caller } = context;
      const access = await resolveTargetAccess({ call, caller, to, target });
      if (access?.organization !== organization || access.state === 'deleted')
        throw invalid(`${to}: no such ${to} in this organization`);
    }
    const record = context.audit('invite', inviteIdPreview(invite), { details: { to, target, role } });
    const { caller } = context;
    await again(async () =>
      store.batch([...(await stillAdminChecks(store, organization, caller)), write.insert(invites, invite), record]),
    );
    return presentInvite(context, invite);
  },

  async getOrganizationInviteLink({ path: { organizationId: organization, inviteId: id } }, context) {
    return presentInvite(context, await findInvite(store, { organization, id }));
  },

  async updateOrganizationInviteById({ path: { organizationId: organization, inviteId: id }, body }, context) {
    const updated = await again(async () => {
      const invite = await findInvite(store, { organization, id });
      const { to } = invite;
      const given = { role: undefined, level: undefined, ...body };
      const field = to === 'organization' ? 'role' : 'level';
      if (given[field] === undefined)
        throw invalid(`${field}: required, because the invite is to a${to === 'organization' ? 'n' : ''} ${to}`);
      const changes = changesOf<InviteDocument>(invite, { role: given[field] }, { nullable: ['role'] });
      if (!changes) return invite;
      await store.batch([
        ...(await stillAdminChecks(store, organization, context.caller)),
        write.update(
          invites,
          { _id: id },
          { $set: { ...changes.update.$set, by: actingUserId(context.caller) } },
          { expect: 1 },
        ),
        context.audit('invite', inviteIdPreview(invite), { details: changes.details }),
      ]);
      return changes.after;
    });
    return presentInvite(context, updated);
  },

  async deleteOrganizationInviteById({ path: { organizationId: organization, inviteId: id } }, { audit, caller }) {
    await again(async () => {
      const invite = await findInvite(store, { organization, id });
      await store.batch([
        ...(await stillAdminChecks(store, organization, caller)),
        write.delete(invites, { _id: id }, { expect: 1 }),
        audit('invite', inviteIdPreview(invite)),
      ]);
    });
  },
});
