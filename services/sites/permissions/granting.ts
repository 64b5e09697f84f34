import { missesRight } from '../../../shared/contract/access.js';
import type { Context } from '../../../shared/contract/service.js';
import { forbidden, notFound } from '../../../shared/errors/errors.js';
import { again } from '../../../shared/store/again.js';
import { type HasStore, type Store, type Write, write } from '../../../shared/store/port.js';
import { timestamp } from '../../../shared/values/ids.js';
import { type Role, roleIncludes } from '../../identity/resources.js';
import {
  type GivenRole,
  roleOnSite,
  type SiteGrantDocument,
  type SiteReader,
  siteGrantId,
  siteGrants,
  siteReaderOf,
} from '../site/grants.js';
import { sites } from '../site/model.js';
import { siteKind } from '../site/resources.js';

export interface WantedGrant extends Pick<SiteGrantDocument, 'principal' | 'id'> {
  /** `dropped` removes the grant. */
  role: Role | null | 'dropped';
}

interface ChangeGrants {
  site: string;
  wanted: WantedGrant[];
  /** Changes existing grants only: 404 for others. */
  existing?: boolean;
  context: Pick<Context, 'caller' | 'access'>;
  /** The audit record of what really changes. */
  record: (changed: WantedGrant[]) => Write;
}

const administrators: readonly (string | null)[] = siteKind.rights.admin;

/** Gives, changes and removes grants on a site, all or nothing. Grants that already are as wanted stay as they are. */
export function changeGrants({ store }: HasStore, change: ChangeGrants): Promise<void> {
  const { site, wanted, existing = false, context, record } = change;
  const { organization } = context.access;
  const idOf = ({ principal, id }: Pick<WantedGrant, 'principal' | 'id'>) => siteGrantId({ site, principal, id });
  return again(
    async () => {
      const stored = new Map((await store.getMany(siteGrants, wanted.map(idOf))).map((grant) => [grant._id, grant]));
      if (existing && stored.size < wanted.length) throw notFound('Permission');
      const changed = wanted.filter(({ role, ...principal }) =>
        role === 'dropped' ? stored.has(idOf(principal)) : stored.get(idOf(principal))?.role !== role,
      );
      if (changed.length === 0) return;
      await checkGranter(store, { site, context, changed, stored });
      const now = timestamp();
      await store.batch([
        write.check(sites, { _id: site }, 1),
        ...changed.map((each) => grantWrite(each, { site, organization, before: stored.get(idOf(each)), now })),
        record(changed),
      ]);
    },
    { duplicates: true },
  );
}

interface Checked extends Pick<ChangeGrants, 'site' | 'context'> {
  changed: WantedGrant[];
  stored: ReadonlyMap<string, SiteGrantDocument>;
}

/** Refuses (403) to give, change or remove a role above the caller's own, and what would raise that. */
async function checkGranter(store: Store, { site, context, changed, stored }: Checked): Promise<void> {
  const reader = siteReaderOf(context.caller, context.access.organization);
  if (!reader) throw missesRight('admin', siteKind);
  const given = await givenTo(store, { site, reader });
  const own = roleOnSite(given, reader);
  if (!administrators.includes(own)) throw missesRight('admin', siteKind);
  const refuseAbove = (role: Role | null, field: string) => {
    if (!roleIncludes(own, role))
      throw forbidden(`${field}: ${role} is above your own role here, ${own}`, 'role_above_own');
  };
  for (const { principal, id, role } of changed) {
    if (role !== 'dropped') refuseAbove(role, 'role');
    refuseAbove(stored.get(siteGrantId({ site, principal, id }))?.role ?? null, `The ${principal}'s role`);
  }
  const after = roleOnSite(withChanges(given, changed), reader);
  if (!roleIncludes(own, after))
    throw forbidden(`This would raise your own role here to ${after}, above ${own}`, 'role_above_own');
}

async function givenTo(store: Store, { site, reader }: { site: string; reader: SiteReader }): Promise<GivenRole[]> {
  const ids = [
    siteGrantId({ site, principal: 'user', id: reader.user }),
    ...reader.teams.map((id) => siteGrantId({ site, principal: 'team', id })),
  ];
  return store.getMany(siteGrants, ids);
}

const withChanges = (given: readonly GivenRole[], changes: readonly WantedGrant[]): GivenRole[] => {
  const isChanged = (grant: GivenRole) =>
    changes.some(({ principal, id }) => principal === grant.principal && id === grant.id);
  const added = changes.flatMap(({ principal, id, role }) => (role === 'dropped' ? [] : [{ principal, id, role }]));
  return [...given.filter((grant) => !isChanged(grant)), ...added];
};

interface Written {
  site: string;
  organization: string;
  before: SiteGrantDocument | undefined;
  now: string;
}

function grantWrite({ principal, id, role }: WantedGrant, { site, organization, before, now }: Written): Write {
  const _id = siteGrantId({ site, principal, id });
  if (role === 'dropped') return write.delete(siteGrants, { _id, role: before?.role ?? null }, { expect: 1 });
  if (before) return write.update(siteGrants, { _id, role: before.role }, { $set: { role } }, { expect: 1 });
  return write.insert(siteGrants, { _id, organization, site, principal, id, role, createdAt: now });
}
