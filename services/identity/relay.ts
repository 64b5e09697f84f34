import type { ServiceBroker } from 'moleculer';
import type { AuditRecord } from '../../shared/contract/audit.js';
import { callAsSystem } from '../../shared/contract/service.js';
import { timestamp } from '../../shared/ids.js';
import type { Log } from '../../shared/log.js';
import { Outbox, type OutboxEvent } from '../../shared/outbox.js';
import type { Store, Write } from '../../shared/store/port.js';
import { dropGrants } from '../content/contract.js';
import { keepAuditRecords } from './audit.js';
import { callersChanged } from './events.js';
import { outboxEvents } from './model.js';

const auditKept = 'identity.auditKept';
const principalGone = 'identity.principalGone';

interface PrincipalGone {
  organization: string;
  principal: 'user' | 'team';
  id: string;
  until: string;
}

/** What identity tells once a change is made: the writes that go with the change, and their delivery. */
export interface Relay {
  outbox: Outbox;
  callersChanged(): Write;
  /** Grants to a member or a team that leaves the organization are dropped. */
  gone(organization: string, principal: 'user' | 'team', id: string): Write;
  /** For a record that is of no one organization. */
  auditLater(record: AuditRecord): Write;
}

export function createRelay(store: Store, log: Log, broker: () => ServiceBroker): Relay {
  const of = <P>(events: OutboxEvent[], name: string) =>
    events.filter(({ event }) => event === name).map(({ payload }) => payload as P);
  async function deliver(events: OutboxEvent[]): Promise<void> {
    if (of(events, callersChanged).length > 0) await broker().broadcast(callersChanged);
    const records = of<AuditRecord>(events, auditKept);
    if (records.length > 0) await keepAuditRecords(store, records);
    for (const gone of of<PrincipalGone>(events, principalGone)) await callAsSystem(broker())(dropGrants, gone);
  }
  const outbox = new Outbox({ store, collection: outboxEvents, log, deliver });
  return {
    outbox,
    callersChanged: () => outbox.add(callersChanged, {}),
    gone: (organization, principal, id) =>
      outbox.add<PrincipalGone>(principalGone, { organization, principal, id, until: timestamp() }),
    auditLater: (record) => outbox.add(auditKept, record),
  };
}
