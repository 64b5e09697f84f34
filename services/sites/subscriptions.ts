import { type AuditRecord, auditRecord } from '../../shared/contract/audit.js';
import { system } from '../../shared/contract/caller.js';
import type { Subscribers } from '../../shared/contract/event.js';
import type { Write } from '../../shared/store/port.js';
import { contentChanged, spaceDeleted, spaceUpdated } from '../content/events.js';
import type { SiteRules } from './rules.js';
import { removeSpace, tellOfSpaces } from './site-spaces.js';

/** The events that sites consumes. */
export const sitesConsumes = { contentChanged, spaceUpdated, spaceDeleted };

/** `record`: makes the write of an audit record. */
export function sitesSubscribers(
  rules: SiteRules,
  record: (record: AuditRecord) => Write,
): Subscribers<typeof sitesConsumes> {
  const tell = async (changed: { organization: string; space: string }[]) => {
    await tellOfSpaces(rules, changed);
    rules.renderers.wake();
  };
  return {
    contentChanged: tell,
    spaceUpdated: tell,
    async spaceDeleted(deleted) {
      for (const { organization, space } of deleted) {
        const audited = { operation: 'purgeSpace', caller: system, organization, requestId: '' };
        const audit = (type: string, id: string, options?: object) =>
          record(auditRecord(audited, { type, id }, options));
        await removeSpace(rules, { audit }, organization, space);
      }
      rules.renderers.wake();
    },
  };
}
