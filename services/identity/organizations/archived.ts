import { archiveList } from '../../../shared/contract/archive.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import {
  type MemberDocument,
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

/** Without the time when the member was last seen: an archive changes only with what people do. */
const describeMember = (member: MemberDocument) =>
  omitUndefined({
    user: member.user,
    email: member.email,
    displayName: member.displayName,
    role: member.role,
    disabled: member.pending?.disabled ?? member.disabled,
    invited: member.pending ? true : undefined,
    sso: member.sso,
    teams: member.teams,
    owned: member.owned,
    joinedAt: member.joinedAt,
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

/** The files of an archive that hold who belongs to an organization, and how they sign in: no secret of any of it. */
export const archivedLists = [
  archiveList('organization.ndjson', organizations, describeOrganization, (_id) => ({ _id })),
  archiveList('members.ndjson', members, describeMember),
  archiveList('teams.ndjson', teams, describeTeam),
  archiveList('saml-providers.ndjson', samlProviders, describeSamlProvider),
  archiveList('oidc-providers.ndjson', oidcProviders, describeOidcProvider),
];
