import type { z } from 'zod';
import { type ArchiveList, archiveList } from '../../../shared/contract/archive.js';
import type { HasConfig } from '../../../shared/settings/config.js';
import { type HasStore, type Write, write } from '../../../shared/store/port.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import { claimUsedDomainWrites } from '../domains/claims.js';
import { memberLine, oidcProviderLine, organizationLine, samlProviderLine, teamLine } from './archived-lines.js';
import { takeHostnameWrite } from './hostnames.js';
import { joinedCountWrites, zeroRoleCounts } from './memberships.js';
import {
  type MemberDocument,
  memberId,
  members,
  type OidcProviderDocument,
  type OrganizationDocument,
  oidcProviders,
  organizations,
  type SamlProviderDocument,
  samlProviders,
  type TeamDocument,
  teams,
} from './model.js';

type Dependencies = HasConfig & { operator: () => Promise<string | null> };

const describeOrganization = (organization: OrganizationDocument) =>
  omitUndefined({
    id: organization._id,
    title: organization.title,
    hostname: organization.hostname,
    emailDomains: organization.emailDomains,
    type: organization.type,
    useCase: organization.useCase,
    communityType: organization.communityType,
    defaultRole: organization.defaultRole,
    defaultContent: organization.defaultContent,
    logo: organization.logo,
    sso: organization.sso,
    ai: organization.ai,
    inviteLinks: organization.inviteLinks,
    createdAt: organization.createdAt,
  });

const restoreOrganization = (
  { id: _id, ...line }: z.output<typeof organizationLine>,
  importing: string,
): OrganizationDocument => ({
  ...omitUndefined(line),
  _id,
  members: zeroRoleCounts(),
  admins: 0,
  teams: 0,
  providers: 0,
  importing,
});

/** It claims its domains and its host name as any other does. */
async function organizationWrites(
  deps: HasStore & Dependencies,
  { _id, hostname, emailDomains }: OrganizationDocument,
): Promise<Write[]> {
  return [
    ...(hostname === undefined ? [] : [await takeHostnameWrite(deps.store, { organization: _id, hostname })]),
    ...(await claimUsedDomainWrites(deps, { organization: _id, domains: emailDomains })),
  ];
}

/** Without the time when the member was last seen: an archive changes only with what people do. */
const describeMember = (member: MemberDocument) =>
  omitUndefined({
    user: member.user,
    email: member.email,
    displayName: member.displayName,
    role: member.role,
    disabled: member.pending?.disabled ?? member.disabled,
    invitedBy: member.pending?.by,
    sso: member.sso,
    teams: member.teams,
    owned: member.owned,
    joinedAt: member.joinedAt,
  });

const restoreMember = (
  { invitedBy: by, disabled, ...line }: z.output<typeof memberLine>,
  organization: string,
): MemberDocument => ({
  _id: memberId(organization, line.user),
  organization,
  ...line,
  disabled: disabled || by !== undefined,
  ...(by === undefined ? {} : { pending: { by, disabled } }),
  version: 0,
});

const describeTeam = ({ _id: id, title, createdAt }: TeamDocument) => ({ id, title, createdAt });

const describeSamlProvider = (provider: SamlProviderDocument) =>
  omitUndefined({
    id: provider._id,
    label: provider.label,
    entityID: provider.entityID,
    certificate: provider.certificate,
    ssoURL: provider.ssoURL,
    defaultTeam: provider.defaultTeam,
    defaultRole: provider.defaultRole,
    createdAt: provider.createdAt,
  });

const describeOidcProvider = (provider: OidcProviderDocument) =>
  omitUndefined({
    id: provider._id,
    label: provider.label,
    issuer: provider.issuer,
    clientId: provider.clientId,
    scopes: provider.scopes,
    groupsClaim: provider.groupsClaim,
    groups: provider.groups,
    emailDomains: provider.emailDomains,
    defaultTeam: provider.defaultTeam,
    defaultRole: provider.defaultRole,
    active: provider.active,
    createdAt: provider.createdAt,
  });

/** The document of a line with an `id`. */
const restoreOwned = <L extends { id: string }>({ id: _id, ...line }: L, organization: string) => ({
  ...omitUndefined(line),
  _id,
  organization,
});

/** The write that counts what an organization has got of something. */
const countWrites = (counter: 'teams' | 'providers', [first, ...others]: { organization: string }[]): Write[] =>
  first === undefined
    ? []
    : [
        write.update(
          organizations,
          { _id: first.organization },
          { $inc: { [counter]: 1 + others.length } },
          { expect: 1 },
        ),
      ];

/** The files of an archive that hold who belongs to an organization, and how they sign in: no secret of any of it. */
export const archivedLists: readonly ArchiveList<Dependencies>[] = [
  archiveList({
    file: 'organization.ndjson',
    collection: organizations,
    filterOf: (_id) => ({ _id }),
    describe: describeOrganization,
    line: organizationLine,
    restore: (line, { archive }) => restoreOrganization(line, archive),
    besides: async (deps: HasStore & Dependencies, added) =>
      (await Promise.all(added.map((each) => organizationWrites(deps, each)))).flat(),
  }),
  archiveList({
    file: 'members.ndjson',
    collection: members,
    describe: describeMember,
    line: memberLine,
    names: ({ teams: ids }) => ids.map((id) => ({ field: 'teams', file: 'teams.ndjson', id })),
    restore: (line, { organization }) => restoreMember(line, organization),
    besides: (_, added) => added.flatMap(joinedCountWrites),
  }),
  archiveList({
    file: 'teams.ndjson',
    collection: teams,
    describe: describeTeam,
    line: teamLine,
    restore: (line, { organization }): TeamDocument => ({ ...restoreOwned(line, organization), members: 0 }),
    besides: (_, added) => countWrites('teams', added),
  }),
  archiveList({
    file: 'saml-providers.ndjson',
    collection: samlProviders,
    describe: describeSamlProvider,
    line: samlProviderLine,
    restore: (line, { organization }): SamlProviderDocument => restoreOwned(line, organization),
    besides: (_, added) => countWrites('providers', added),
  }),
  archiveList({
    file: 'oidc-providers.ndjson',
    collection: oidcProviders,
    describe: describeOidcProvider,
    line: oidcProviderLine,
    restore: (line, { organization }): OidcProviderDocument => restoreOwned(line, organization),
    besides: (_, added) => countWrites('providers', added),
  }),
];
