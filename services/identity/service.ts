import type { ServiceSchema } from 'moleculer';
import { type AuditRecord, auditRecorded } from '../../shared/contract/audit.js';
import { deliverOver } from '../../shared/contract/delivery.js';
import { receiver } from '../../shared/contract/event.js';
import { bindService, implement } from '../../shared/contract/service.js';
import { openMail } from '../../shared/mail.js';
import type { Host } from '../../shared/platform.js';
import { Jobs } from '../../shared/work/jobs.js';
import { Outbox } from '../../shared/work/outbox.js';
import { auditWrite, listAuditEvents, sweepAudit } from './audit.js';
import { bootstrapIdentity, handbookJob } from './bootstrap.js';
import * as contract from './contract.js';
import { callersChanged, identityEvents } from './events.js';
import { createInvite, deleteInvite, getInvite, listInvites, sweepInvites, updateInvite } from './invites.js';
import { inviteByEmail, joinByDomain, joinByInvite } from './joining.js';
import { getMember, listMembers, markAsSso, ping, removeMember, updateMember } from './members.js';
import { collections, type UserDocument } from './model.js';
import {
  createOrganization,
  findOrganization,
  getOrganization,
  getSubdomain,
  listOrganizations,
  organizationsOfDomain,
  resolveOrganizations,
  updateOrganization,
} from './organizations.js';
import { findPrincipals, listPrincipals } from './principals.js';
import { organizationKind, teamKind } from './resources.js';
import { type IdentityRules, userOf } from './rules.js';
import { finishSignIn, metadata, openVerifier, type SignInRules, startSignIn } from './saml.js';
import {
  createProvider,
  deleteProvider,
  getProvider,
  listLogins,
  listProviders,
  providerRules,
  updateProvider,
} from './saml-providers.js';
import { inviteMails, type LinkRules, mailJob, signIn, signInRequest, sweepSignIns } from './sign-in.js';
import { signInCollections } from './sign-in-model.js';
import { identityConsumes, identitySubscribers } from './subscriptions.js';
import { listTeamMembers, putTeamMember, removeTeamMember, updateTeamMembers } from './team-members.js';
import { createTeam, deleteTeam, getTeam, listTeams, listTeamsOfMember, renameTeam, resolveTeams } from './teams.js';
import { callerOf, createToken, listTokens, revokeToken } from './tokens.js';
import { getUser, updateUser } from './users.js';

const sweepEveryMs = 3600_000;

export function identityService(host: Host): ServiceSchema {
  const { store, config, log, secrets, exclusive, ready, broker, consumers } = host;
  const { baseUrl } = config;
  const emits = [...identityEvents, auditRecorded];
  const outbox = new Outbox({ store, service: 'identity', emits, consumers, log, deliver: deliverOver(broker) });
  const write = (record: AuditRecord) => auditWrite(record, (later) => outbox.add(auditRecorded, later));
  const jobs = new Jobs({ store, service: 'identity', log, exclusive });
  const mail = openMail(config);
  const rules: IdentityRules = { store, baseUrl, outbox, callersChanged: () => outbox.add(callersChanged, {}) };
  const saml: SignInRules = { ...rules, auditWrite: write, verifier: openVerifier() };
  const links: LinkRules = { store, mail, jobs, secrets, baseUrl, auditWrite: write };
  let sweeping: NodeJS.Timeout;
  async function sweep(): Promise<void> {
    try {
      await sweepAudit(store, config.AUDIT_RETENTION_DAYS);
      await sweepInvites(store);
      await sweepSignIns(store);
    } catch (err) {
      log.warn({ err }, 'removing expired entries failed; will retry');
    }
  }
  return bindService({
    name: 'identity',
    contract: contract.identityContract,
    ready,
    checkResponses: config.CHECK_RESPONSES,
    auditTrail: { write, wake: () => outbox.wake() },
    resolvers: [
      { kind: organizationKind, resolve: resolveOrganizations },
      { kind: teamKind, resolve: (question) => resolveTeams(store, question) },
    ],
    handlers: {
      getAuthenticatedUser: (_, { caller }) => getUser(store, baseUrl, caller, userOf(caller)),
      getUserById: ({ path }, { caller }) => getUser(store, baseUrl, caller, path.userId),
      updateUserById: ({ path, body }, { caller, audit }) => updateUser(rules, caller, path.userId, body, audit),
      createUserToken: ({ body }, { caller, audit }) => createToken(rules, caller, body, audit),
      listUserTokens: ({ query }, { caller }) => listTokens(rules, caller, query),
      deleteUserToken: ({ path }, context) => revokeToken(rules, context.caller, path.tokenId, context.audit),

      requestSignIn: ({ body }, { audit }) => signInRequest(links, body.email, audit),
      signIn: ({ path, body }, { requestId }) => signIn(links, path.code, body.label, requestId),

      createOrganization: ({ body }, context) => createOrganization(rules, context.caller, body, context.audit),
      listOrganizationsForAuthenticatedUser: ({ query }, { caller }) => listOrganizations(rules, caller, query),
      getOrganizationById: ({ path }, { caller }) => getOrganization(rules, caller, path.organizationId),
      updateOrganizationById: ({ path, body }, context) =>
        updateOrganization(rules, context, path.organizationId, body, context.audit),
      getOrganizationsForEmailDomain: ({ path }, { caller }) => organizationsOfDomain(rules, caller, path.emailDomain),
      getSubdomain: ({ path }) => getSubdomain(rules, path.subdomain),

      async inviteUsersToOrganization({ path, body }, { caller, audit }) {
        const inviter = await getUser(store, baseUrl, caller, userOf(caller));
        // Who comes by single sign-on needs no other way in.
        const mails = (title: string, invited: UserDocument[]) =>
          body.sso ? [] : inviteMails(links, title, inviter.displayName, invited);
        const invited = await inviteByEmail(rules, path.organizationId, body, mails, audit);
        jobs.wake();
        return invited;
      },
      async joinOrganizationWithInvite({ path }, context) {
        const { call, caller, audit } = context;
        await joinByInvite(rules, call, caller, path.organizationId, path.inviteId, audit);
        return {};
      },
      joinOrganization: ({ path }, context) => joinByDomain(rules, context.caller, path.organizationId, context.audit),
      listOrganizationInviteLinks: ({ path, query }, { caller }) =>
        listInvites(rules, caller, path.organizationId, query),
      createOrganizationInvite: ({ path, body }, { call, caller, audit }) =>
        createInvite(rules, call, caller, path.organizationId, body, audit),
      getOrganizationInviteLink: ({ path }, { call, caller }) =>
        getInvite(rules, call, caller, path.organizationId, path.inviteId),
      updateOrganizationInviteById: ({ path, body }, { call, caller, audit }) =>
        updateInvite(rules, call, caller, path.organizationId, path.inviteId, body, audit),
      deleteOrganizationInviteById: ({ path }, { audit }) =>
        deleteInvite(rules, path.organizationId, path.inviteId, audit),

      listMembersInOrganizationById: ({ path, query }, { call }) =>
        listMembers(rules, call, path.organizationId, query),
      getMemberInOrganizationById: ({ path }, { call }) => getMember(rules, call, path.organizationId, path.userId),
      async updateMemberInOrganizationById({ path, body }, context) {
        const { organizationId, userId } = path;
        await updateMember(rules, organizationId, userId, body, context.audit);
        return getMember(rules, context.call, organizationId, userId);
      },
      async removeMemberFromOrganizationById({ path }, context) {
        const { organizationId, userId } = path;
        await removeMember(rules, organizationId, userId, context.audit);
      },
      updateOrganizationMemberLastSeenAt: ({ path }, { caller }) => ping(rules, secrets, path.organizationId, caller),
      async setUserAsSSOMemberForOrganization({ path }, { call, audit }) {
        await markAsSso(rules, path.organizationId, path.userId, audit);
        return getMember(rules, call, path.organizationId, path.userId);
      },
      listTeamsForOrganizationMember: ({ path, query }, { call, caller }) =>
        listTeamsOfMember(rules, call, caller, path.organizationId, path.userId, query),

      listTeamsInOrganizationById: ({ path, query }, { call, caller }) =>
        listTeams(rules, call, caller, path.organizationId, query),
      async createOrganizationTeam({ path, body }, context) {
        const id = await createTeam(rules, path.organizationId, body, context.audit);
        return getTeam(rules, context.call, context.caller, path.organizationId, id);
      },
      getTeamInOrganizationById: ({ path }, { call, caller }) =>
        getTeam(rules, call, caller, path.organizationId, path.teamId),
      async updateTeamInOrganizationById({ path, body }, { call, caller, audit }) {
        await renameTeam(rules, path.organizationId, path.teamId, body.title, audit);
        return getTeam(rules, call, caller, path.organizationId, path.teamId);
      },
      async removeTeamFromOrganizationById({ path }, context) {
        const { organizationId, teamId } = path;
        await deleteTeam(rules, organizationId, teamId, context.audit);
      },
      listTeamMembersInOrganizationById: ({ path, query }, { call }) =>
        listTeamMembers(rules, call, path.organizationId, path.teamId, query),
      async updateMembersInOrganizationTeam({ path, body }, context) {
        await updateTeamMembers(rules, path.organizationId, path.teamId, body, context.audit);
      },
      async addMemberToOrganizationTeamById({ path, body }, context) {
        const { organizationId, teamId, userId } = path;
        await putTeamMember(rules, organizationId, teamId, userId, body.role, context.audit);
      },
      async deleteMemberFromOrganizationTeamById({ path }, context) {
        const { organizationId, teamId, userId } = path;
        await removeTeamMember(rules, organizationId, teamId, userId, context.audit);
      },

      listSAMLProvidersInOrganizationById: ({ path, query }, { call, caller }) =>
        listProviders(providerRules(rules, call, caller), path.organizationId, query),
      createOrganizationSAMLProvider: ({ path, body }, { call, caller, audit }) =>
        createProvider(providerRules(rules, call, caller), path.organizationId, body, audit),
      getOrganizationSAMLProviderById: ({ path }, { call, caller }) =>
        getProvider(providerRules(rules, call, caller), path.organizationId, path.samlProviderId),
      updateOrganizationSAMLProvider: ({ path, body }, { call, caller, audit }) =>
        updateProvider(providerRules(rules, call, caller), path.organizationId, path.samlProviderId, body, audit),
      deleteOrganizationSAMLProvider: ({ path }, { audit }) =>
        deleteProvider(rules, path.organizationId, path.samlProviderId, audit),
      listSSOProviderLoginsInOrganization: ({ path }) => listLogins(rules, path.organizationId),

      listAuditEvents: ({ path, query }) => listAuditEvents(rules, path.organizationId, query),
    },
    verbs: [
      implement(contract.authenticate, (named) => callerOf(store, baseUrl, named)),
      implement(contract.findPrincipals, (wanted, { call, caller }) => findPrincipals(rules, call, caller, wanted)),
      implement(contract.listPrincipals, (wanted) => listPrincipals(rules, wanted)),
      implement(contract.findOrganization, (wanted) => findOrganization(rules, wanted)),
      implement(contract.startSamlSignIn, ({ provider }) => startSignIn(saml, provider)),
      implement(contract.finishSamlSignIn, async (answer, { requestId }) => {
        const signedIn = await finishSignIn(saml, answer, requestId);
        outbox.wake();
        return signedIn;
      }),
      implement(contract.samlMetadata, ({ provider }) => metadata(saml, provider)),
    ],
    receive: receiver(identityConsumes, identitySubscribers({ store })),
    async started() {
      await store.prepare([...collections, ...signInCollections]);
      await bootstrapIdentity(store, jobs, config);
      outbox.start();
      jobs.register(mailJob(links));
      jobs.register(handbookJob(store, broker));
      await jobs.start();
      sweeping = setInterval(sweep, sweepEveryMs);
      sweeping.unref();
      void sweep();
    },
    async stopped() {
      clearInterval(sweeping);
      await Promise.all([outbox.stop(), jobs.stop()]);
      await Promise.all([mail.close(), saml.verifier.close()]);
    },
  });
}
