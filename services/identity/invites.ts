import { resolveAccess } from '../../shared/contract/access.js';
import type { Audit } from '../../shared/contract/audit.js';
import { type Caller, membershipOf } from '../../shared/contract/caller.js';
import type { Call } from '../../shared/contract/service.js';
import { invalid, notFound } from '../../shared/errors.js';
import { newSecret, timestamp } from '../../shared/ids.js';
import { listPage, type Page, type PageRequest } from '../../shared/paging.js';
import { type Store, write } from '../../shared/store/port.js';
import { contentContract } from '../content/contract.js';
import { collectionKind, spaceKind } from '../content/resources.js';
import type { Invite, OrganizationInvite } from './contract/invites.js';
import { type InviteDocument, invites } from './model.js';
import { includes, type Role } from './resources.js';
import type { IdentityRules } from './rules.js';

export type InviteInput = { expiresAt?: string | undefined } & (
  | { role: Role | null }
  | { level: Role | null; space: string }
  | { level: Role | null; collection: string }
);

const kindOf = { space: spaceKind, collection: collectionKind };

function documentOf(organization: string, input: InviteInput): InviteDocument {
  const expiresAt = input.expiresAt && timestamp(new Date(input.expiresAt));
  if (expiresAt && expiresAt <= timestamp()) throw invalid('expiresAt: must be in the future');
  const base = {
    _id: newSecret(18),
    organization,
    createdAt: timestamp(),
    ...(expiresAt ? { expiresAt } : {}),
  };
  if ('role' in input) return { ...base, to: 'organization', target: organization, role: input.role };
  if ('space' in input) return { ...base, to: 'space', target: input.space, role: input.level };
  return { ...base, to: 'collection', target: input.collection, role: input.level };
}

export async function createInvite(
  { store }: IdentityRules,
  call: Call,
  caller: Caller,
  organization: string,
  input: InviteInput,
  audit: Audit,
): Promise<Invite> {
  const invite = documentOf(organization, input);
  if (invite.to !== 'organization') {
    const [access] = await call(resolveAccess(kindOf[invite.to]), { caller, ids: [invite.target] });
    if (access?.organization !== organization || access.state === 'deleted')
      throw invalid(`${invite.to}: no such ${invite.to} in this organization`);
  }
  await store.batch([write.insert(invites, invite), audit('invite', inviteName(invite), { details: whatOf(invite) })]);
  return presentInvite(call, caller, invite);
}

/** The id is a secret: the audit trail knows an invite by its beginning. */
const inviteName = ({ _id }: InviteDocument): string => `${_id.slice(0, 6)}…`;
const whatOf = ({ to, target, role }: InviteDocument) => ({ to, target, role });

const isOver = ({ expiresAt }: InviteDocument): boolean => expiresAt !== undefined && expiresAt <= timestamp();

/** 404 for one of another organization, and for one that is over. */
export async function inviteOf(store: Store, organization: string, id: string): Promise<InviteDocument> {
  const invite = await store.get(invites, id);
  if (invite?.organization !== organization || isOver(invite)) throw notFound('Invite');
  return invite;
}

export async function getInvite(
  { store }: IdentityRules,
  call: Call,
  caller: Caller,
  organization: string,
  id: string,
): Promise<Invite> {
  return presentInvite(call, caller, await inviteOf(store, organization, id));
}

/** The newest first; those to spaces and collections are left out. */
export function listInvites(
  { store }: IdentityRules,
  caller: Caller,
  organization: string,
  request: PageRequest,
): Promise<Page<OrganizationInvite>> {
  const list = { filter: { organization, to: 'organization' as const }, sort: { createdAt: -1 } as const, request };
  return listPage(store, invites, list, (items) => items.map((invite) => presentToOrganization(caller, invite)));
}

export async function updateInvite(
  { store }: IdentityRules,
  call: Call,
  caller: Caller,
  organization: string,
  id: string,
  changes: { role: Role | null } | { level: Role | null },
  audit: Audit,
): Promise<Invite> {
  const invite = await inviteOf(store, organization, id);
  const field = invite.to === 'organization' ? 'role' : 'level';
  const role = (changes as Record<string, Role | null | undefined>)[field];
  if (role === undefined)
    throw invalid(
      `${field}: required, because the invite is to a${invite.to === 'organization' ? 'n' : ''} ${invite.to}`,
    );
  if (role === invite.role) return presentInvite(call, caller, invite);
  const changed = { ...invite, role };
  await store.batch([
    write.update(invites, { _id: id }, { $set: { role } }, { expect: 1 }),
    audit('invite', inviteName(invite), { details: whatOf(changed) }),
  ]);
  return presentInvite(call, caller, changed);
}

export async function deleteInvite(
  { store }: IdentityRules,
  organization: string,
  id: string,
  audit: Audit,
): Promise<void> {
  const invite = await inviteOf(store, organization, id);
  await store.batch([write.delete(invites, { _id: id }, { expect: 1 }), audit('invite', inviteName(invite))]);
}

function presentToOrganization(
  caller: Caller,
  { _id: id, organization, role, expiresAt }: InviteDocument,
): OrganizationInvite {
  const membership = membershipOf(caller, organization);
  return {
    object: 'invite',
    id,
    role,
    redundant: membership !== undefined && includes(membership.role as Role | null, role),
    ...(expiresAt ? { expiresAt } : {}),
  };
}

async function presentInvite(call: Call, caller: Caller, invite: InviteDocument): Promise<Invite> {
  if (invite.to === 'organization') return presentToOrganization(caller, invite);
  const { _id: id, role: level, target, to, expiresAt } = invite;
  const [access] = await call(resolveAccess(kindOf[to]), { caller, ids: [target] });
  const redundant = access !== null && access !== undefined && includes(access.role as Role | null, level);
  const base = { object: 'invite' as const, id, level, redundant, ...(expiresAt ? { expiresAt } : {}) };
  if (to === 'space')
    return { ...base, space: await call(contentContract.getSpaceById, { path: { spaceId: target } }) };
  return { ...base, collection: await call(contentContract.getCollectionById, { path: { collectionId: target } }) };
}

/** Forgets what is over. */
export async function sweepInvites(store: Store): Promise<void> {
  await store.deleteMany(invites, { expiresAt: { $lte: timestamp() } });
}
