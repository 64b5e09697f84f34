import type { ServiceSchema } from 'moleculer';
import { archiveVerbs } from '../../shared/contract/archive.js';
import { eventReceiver } from '../../shared/contract/event.js';
import { KeyedRequests } from '../../shared/contract/keyed-requests.js';
import { bindService, implementVerb } from '../../shared/contract/service.js';
import type { Host } from '../../shared/process/platform.js';
import { apiTokenHandlers } from './accounts/api-token-handlers.js';
import { sweepExpiredTokens } from './accounts/api-tokens.js';
import { findCallerOfToken } from './accounts/callers.js';
import { endCommentMails, findMailRecipients } from './accounts/comment-mails.js';
import { sessionHandlers } from './accounts/session-handlers.js';
import { findSession, openSessionByToken, sweepEndedSessions } from './accounts/sessions.js';
import { userHandlers } from './accounts/user-handlers.js';
import { auditHandlers } from './audit/audit-handlers.js';
import { sweepOldAuditEvents } from './audit/audit-records.js';
import * as contract from './contract.js';
import { identityCollections, openDependencies } from './dependencies.js';
import { claimDomains } from './domains/claims.js';
import { domainHandlers } from './domains/domain-handlers.js';
import { domainOwners } from './domains/owners.js';
import { ensureFirstStart } from './first-start/first-start.js';
import { firstStartJob } from './first-start/handbook-job.js';
import { inviteHandlers } from './joining/invite-handlers.js';
import { describeInvite, sweepExpiredInvites } from './joining/invites.js';
import { joiningHandlers } from './joining/joining-handlers.js';
import { userInviteHandlers } from './joining/user-invite-handlers.js';
import { oidcProviderHandlers } from './oidc/oidc-provider-handlers.js';
import { finishOidcSignIn, startOidcSignIn } from './oidc/oidc-sign-in.js';
import { checkImport, endImport, makePeople } from './organizations/archive-imports.js';
import { archivedLists } from './organizations/archived.js';
import { memberHandlers } from './organizations/member-handlers.js';
import { findMembers } from './organizations/members.js';
import { stillAdminChecks } from './organizations/memberships.js';
import { organizationHandlers } from './organizations/organization-handlers.js';
import {
  findOrganization,
  presentOrganizationsByIds,
  resolveOrganizationAccess,
} from './organizations/organizations.js';
import { passkeyHandlers } from './passkeys/passkey-handlers.js';
import { addPasskey, beginPasskey, challengePasskey, openSessionByPasskey } from './passkeys/passkeys.js';
import { organizationKind, teamKind } from './resources.js';
import { samlProviderHandlers } from './saml/saml-provider-handlers.js';
import { finishSignIn, openSessionBySaml, readMetadataXml, startSignIn } from './saml/saml-sign-in.js';
import { describeLink, openSessionByLink, sweepSignIns } from './sign-in/links.js';
import { sendLinkMailJob } from './sign-in/mail-job.js';
import { signInHandlers } from './sign-in/sign-in-handlers.js';
import { listSignInProviders } from './single-sign-on/offered-providers.js';
import { identityConsumes, identitySubscribers } from './subscriptions.js';
import { findPrincipals, findUsers, listMemberProfiles, listPrincipals } from './teams/principals.js';
import { teamHandlers } from './teams/team-handlers.js';
import { teamMemberHandlers } from './teams/team-member-handlers.js';
import { resolveTeamAccess } from './teams/teams.js';

const sweepEveryMs = 3600_000;

export function identityService(host: Host): ServiceSchema {
  const { config, log, ready, writable } = host;
  const deps = openDependencies(host);
  const { store, outbox, jobs, checks } = deps;
  let sweeping: NodeJS.Timeout;
  async function sweepExpired(): Promise<void> {
    try {
      await sweepOldAuditEvents(store, config.AUDIT_RETENTION_DAYS);
      await sweepExpiredInvites(store);
      await sweepSignIns(store);
      await sweepExpiredTokens(store);
      await sweepEndedSessions(store);
    } catch (err) {
      log.warn({ err }, 'removing expired entries failed; will retry');
    }
  }
  return bindService({
    name: 'identity',
    contract: contract.identityContract,
    ready,
    writable,
    keyedRequests: new KeyedRequests({ ...host, service: 'identity' }),
    checkResponses: config.CHECK_RESPONSES,
    auditTrail: deps.auditWrite,
    resolvers: [
      { kind: organizationKind, resolve: resolveOrganizationAccess },
      { kind: teamKind, resolve: (question) => resolveTeamAccess(deps, question) },
    ],
    handlers: {
      ...userHandlers(deps),
      ...apiTokenHandlers(deps),
      ...sessionHandlers(deps),
      ...passkeyHandlers(deps),
      ...signInHandlers(deps),
      ...organizationHandlers(deps),
      ...domainHandlers({
        ...deps,
        stillAdmin: (organization, caller) => stillAdminChecks(store, organization, caller),
      }),
      ...memberHandlers(deps),
      ...joiningHandlers(deps),
      ...inviteHandlers(deps),
      ...userInviteHandlers(deps),
      ...teamHandlers(deps),
      ...teamMemberHandlers(deps),
      ...samlProviderHandlers(deps),
      ...oidcProviderHandlers(deps),
      ...auditHandlers(deps),
    },
    verbs: [
      implementVerb(contract.authenticate, (named) => findCallerOfToken(deps, named)),
      implementVerb(contract.findSession, (named) => findSession(deps, named)),
      implementVerb(contract.describeLink, (named) => describeLink(store, named)),
      implementVerb(contract.openSessionByLink, (use, { requestId }) => openSessionByLink(deps, { ...use, requestId })),
      implementVerb(contract.openSessionByToken, (use) => openSessionByToken(deps, use)),
      implementVerb(contract.beginPasskey, (_, { caller, network }) => beginPasskey(deps, { network }, caller)),
      implementVerb(contract.addPasskey, (made, { caller }) => addPasskey(deps, made, caller)),
      implementVerb(contract.challengePasskey, (asked) => challengePasskey(deps, asked)),
      implementVerb(contract.openSessionByPasskey, (use) => openSessionByPasskey(deps, use)),
      implementVerb(contract.findPrincipals, (wanted, context) => findPrincipals(deps, wanted, context)),
      implementVerb(contract.findUsers, (wanted, context) => findUsers(deps, wanted, context)),
      implementVerb(contract.findMembers, (wanted, context) => findMembers(deps, wanted, context)),
      implementVerb(contract.findMailRecipients, (wanted) => findMailRecipients(deps, wanted)),
      implementVerb(contract.unsubscribe, (request) => endCommentMails(deps, request)),
      implementVerb(contract.listPrincipals, (wanted) => listPrincipals(deps, wanted)),
      implementVerb(contract.listMemberProfiles, (wanted) => listMemberProfiles(deps, wanted)),
      implementVerb(contract.findOrganization, (wanted) => findOrganization(deps, wanted)),
      implementVerb(contract.presentOrganizations, (wanted, { caller }) =>
        presentOrganizationsByIds(deps, wanted, caller),
      ),
      ...archiveVerbs('identity', deps, archivedLists),
      implementVerb(contract.checkArchiveImport, (wanted) => checkImport(deps, wanted)),
      implementVerb(contract.makeAccounts, (wanted) => makePeople(deps, wanted)),
      implementVerb(contract.endArchiveImport, (ended) => endImport(deps, ended)),
      implementVerb(contract.describeInvite, (named, context) => describeInvite(store, named, context)),
      implementVerb(contract.claimDomains, (claimed) => claimDomains(deps, claimed)),
      implementVerb(contract.findDomainOwners, (wanted) => domainOwners(deps, wanted)),
      implementVerb(contract.listSignInProviders, (wanted) => listSignInProviders(deps, wanted)),
      implementVerb(contract.startSamlSignIn, (wanted) => startSignIn(deps, wanted)),
      implementVerb(contract.finishSamlSignIn, (answer, context) => finishSignIn(deps, answer, context)),
      implementVerb(contract.openSessionBySaml, (answer, context) => openSessionBySaml(deps, answer, context)),
      implementVerb(contract.startOIDCSignIn, (wanted) => startOidcSignIn(deps, wanted)),
      implementVerb(contract.finishOIDCSignIn, (answer, { requestId }) =>
        finishOidcSignIn(deps, { ...answer, requestId }),
      ),
      implementVerb(contract.samlMetadata, (wanted) => readMetadataXml(deps, wanted)),
    ],
    receive: eventReceiver(identityConsumes, identitySubscribers(deps)),
    async started() {
      await store.prepare(identityCollections);
      await ensureFirstStart(deps);
    },
    async background() {
      outbox.start();
      jobs.register(sendLinkMailJob(deps));
      jobs.register(firstStartJob(deps));
      await jobs.start();
      checks.start();
      sweeping = setInterval(sweepExpired, sweepEveryMs);
      sweeping.unref();
      void sweepExpired();
    },
    async stopped() {
      clearInterval(sweeping);
      await Promise.all([outbox.stop(), jobs.stop(), checks.stop()]);
      await Promise.all([deps.mail.close(), deps.verifier.close(), deps.oidcClients.close()]);
    },
  });
}
