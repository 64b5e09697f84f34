import type { ServiceBroker } from 'moleculer';
import type { AuditRecord } from '../../shared/contract/audit.js';
import { deliverOver } from '../../shared/contract/delivery.js';
import { Jobs, jobCollections } from '../../shared/jobs/jobs.js';
import { Outbox, outboxCollection } from '../../shared/jobs/outbox.js';
import type { Log } from '../../shared/monitoring/log.js';
import { createOutbound } from '../../shared/outbound/client.js';
import { type Mail, openMail } from '../../shared/outbound/mail.js';
import type { Host } from '../../shared/process/platform.js';
import type { Secrets } from '../../shared/secrets/secrets.js';
import { type SignedTokens, signedTokens } from '../../shared/secrets/signed-tokens.js';
import type { Config } from '../../shared/settings/config.js';
import type { Collection, Store, Write } from '../../shared/store/port.js';
import { accountCollections } from './accounts/model.js';
import { auditWrite } from './audit/audit-records.js';
import { auditCollections } from './audit/model.js';
import { CheckSchedule } from './domains/check-schedule.js';
import { DemandedChecks } from './domains/demanded-checks.js';
import { domainCollections } from './domains/model.js';
import { callersChanged, identityEvents } from './events.js';
import { firstStartCollections } from './first-start/model.js';
import { openOperatorLookup } from './first-start/operator.js';
import { joiningCollections } from './joining/model.js';
import { oidcCollections } from './oidc/model.js';
import { OidcClients } from './oidc/oidc-clients.js';
import { organizationCollections } from './organizations/model.js';
import { passkeyCollections } from './passkeys/model.js';
import { samlCollections } from './saml/model.js';
import { openVerifier, type Verifier } from './saml/verifier.js';
import { signInCollections } from './sign-in/model.js';
import { userCollections } from './users/model.js';

/** The settings, stores and helpers that the rooms of identity share. */
export interface IdentityDependencies {
  config: Config;
  log: Log;
  store: Store;
  secrets: Secrets;
  broker: ServiceBroker;
  /** The public address of the installation, without a slash at the end. */
  baseUrl: string;
  outbox: Outbox;
  jobs: Jobs;
  /** Checks domains when they are due. */
  checks: CheckSchedule;
  demandedChecks: DemandedChecks;
  /** Returns the id of the operator's own organization: the first one. Null before the first start. */
  operator: () => Promise<string | null>;
  mail: Mail;
  /** The tokens in the links that end mails about comments. */
  unsubscribeTokens: SignedTokens;
  verifier: Verifier;
  /** Talks to OpenID Connect providers. */
  oidcClients: OidcClients;
  /** Returns the write of an audit record, for the batch of its change. */
  auditWrite: (record: AuditRecord) => Write;
  /** Returns the write that makes processes drop their cached callers, for the batch that changes a token or a membership. */
  callersChanged: () => Write;
}

export const identityCollections: Collection<never>[] = [
  ...userCollections,
  ...domainCollections,
  ...organizationCollections,
  ...accountCollections,
  ...passkeyCollections,
  ...signInCollections,
  ...joiningCollections,
  ...samlCollections,
  ...oidcCollections,
  ...auditCollections,
  ...firstStartCollections,
  ...([outboxCollection('identity'), ...Object.values(jobCollections('identity'))] as Collection<never>[]),
];

export function openDependencies(host: Host): IdentityDependencies {
  const { store, config, log, secrets, exclusive, broker, consumers } = host;
  const outbox = new Outbox({
    store,
    service: 'identity',
    emits: identityEvents,
    consumers,
    log,
    exclusive,
    deliver: deliverOver(broker),
  });
  return {
    config,
    log,
    store,
    secrets,
    broker,
    baseUrl: config.baseUrl,
    outbox,
    jobs: new Jobs({ store, service: 'identity', log, exclusive }),
    checks: new CheckSchedule({ store, config, outbox, auditWrite }, log),
    demandedChecks: new DemandedChecks(),
    operator: openOperatorLookup(store),
    mail: openMail(config),
    unsubscribeTokens: signedTokens(secrets, { purpose: 'unsubscribe', issuer: config.baseUrl }),
    verifier: openVerifier(),
    oidcClients: new OidcClients(secrets, createOutbound({ allowCidrs: config.OUTBOUND_ALLOW_CIDRS })),
    auditWrite,
    callersChanged: () => outbox.add(callersChanged, {}),
  };
}
