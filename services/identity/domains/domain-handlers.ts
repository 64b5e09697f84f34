import type { AuditRecord } from '../../../shared/contract/audit.js';
import type { Caller } from '../../../shared/contract/caller.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import { invalid, notFound } from '../../../shared/errors/errors.js';
import type { HasOutbox } from '../../../shared/jobs/outbox.js';
import { listPage } from '../../../shared/lists/paging.js';
import type { HasConfig } from '../../../shared/settings/config.js';
import { again } from '../../../shared/store/again.js';
import { type HasStore, type Write, write } from '../../../shared/store/port.js';
import { safeParse } from '../../../shared/text/schema-messages.js';
import { timeIn } from '../../../shared/values/ids.js';
import type { domainOperations } from '../contract/domains.js';
import { domainChanged } from '../events.js';
import { checkDomain } from './checks.js';
import { claimWrites } from './claims.js';
import type { DemandedChecks } from './demanded-checks.js';
import { type DomainDocument, domainId, domains, presentDomain } from './model.js';
import { isDomainOwner } from './owners.js';
import { type Domain, domainSchema } from './resources.js';

/** A domain whose last lookup began less than this ago is not looked up again. */
const checkEveryMs = 2_000;

function parseDomain(text: string): string {
  const parsed = safeParse(domainSchema, text.toLowerCase());
  if (!parsed.success) throw invalid(`domain: ${parsed.error.issues[0]?.message}`);
  return parsed.data;
}

interface Named {
  organization: string;
  domain: string;
}

export function domainHandlers(
  deps: HasConfig &
    HasStore &
    HasOutbox & {
      baseUrl: string;
      demandedChecks: DemandedChecks;
      operator: () => Promise<string | null>;
      auditWrite: (record: AuditRecord) => Write;
      /** Returns the condition that the caller is still an admin, for the batch of a change. Throws 403 for one who is none any more. */
      stillAdmin: (organization: string, caller: Caller) => Promise<Write[]>;
    },
): HandlersOf<typeof domainOperations> {
  const { store, baseUrl, outbox, demandedChecks } = deps;

  const findClaim = ({ organization, domain }: Named): Promise<DomainDocument | null> =>
    store.get(domains, domainId(organization, domain));

  const presentClaim = async (named: Named, claim: DomainDocument | null): Promise<Domain> => {
    const unproven = (await isDomainOwner(deps, named)) ? 'trusted' : 'pending';
    return presentDomain(baseUrl, { ...named, claim, status: claim?.proven ? 'proven' : unproven });
  };

  const claimAnew = async ({ organization, domain }: Named): Promise<DomainDocument> => {
    await store.batch(await claimWrites(deps, { organization, domains: [domain] }));
    const claim = await findClaim({ organization, domain });
    if (!claim) throw notFound('Domain');
    return claim;
  };

  return {
    listDomainsInOrganization({ path: { organizationId: organization }, query: request }) {
      const list = { filter: { organization }, sort: { domain: 1 } as const, request };
      return listPage(store, domains, list, (items) =>
        Promise.all(items.map((claim) => presentClaim({ organization, domain: claim.domain }, claim))),
      );
    },

    async getDomainInOrganization({ path: { organizationId: organization, domain } }) {
      const named = { organization, domain: parseDomain(domain) };
      return presentClaim(named, await findClaim(named));
    },

    async checkDomainInOrganization({ path: { organizationId: organization, domain } }, { audit }) {
      const named = { organization, domain: parseDomain(domain) };
      const { checkedAt = '' } = (await findClaim(named)) ?? {};
      if (checkedAt < timeIn(-checkEveryMs))
        await demandedChecks.run(organization, async () => checkDomain(deps, { claim: await claimAnew(named), audit }));
      return presentClaim(named, await findClaim(named));
    },

    async deleteDomainInOrganization({ path: { organizationId: organization, domain: text } }, { audit, caller }) {
      const domain = parseDomain(text);
      await again(async () => {
        const claim = await findClaim({ organization, domain });
        if (!claim) throw notFound('Domain');
        await store.batch([
          ...(await deps.stillAdmin(organization, caller)),
          write.delete(domains, { _id: claim._id }, { expect: 1 }),
          ...(claim.proven ? [outbox.add(domainChanged, { domain, organizations: [organization] })] : []),
          audit('domain', domain, { details: { status: 'deleted' } }),
        ]);
      });
    },
  };
}
