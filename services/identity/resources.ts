import { z } from 'zod';
import type { ResourceKind } from '../../shared/contract/access.js';
import { permissionsSchema, timestampSchema, urlSchema } from '../../shared/contract/fields.js';

/** By rank, highest first. */
export const roles = ['admin', 'create', 'review', 'edit', 'comment', 'read'] as const;
export type Role = (typeof roles)[number];

export const roleSchema = z
  .enum(roles)
  .meta({ id: 'MemberRole', description: 'Role of a member; each includes the ones below it.' });
export const roleOrGuestSchema = roleSchema.nullable().meta({ description: 'A role, or null for a guest.' });

/** The roles from the highest down to `lowest`. */
export const from = (lowest: Role): readonly Role[] => roles.slice(0, roles.indexOf(lowest) + 1);

/** Whether a role includes another; a guest includes nothing but a guest. */
export const includes = (role: Role | null, other: Role | null): boolean =>
  other === null || (role !== null && roles.indexOf(role) <= roles.indexOf(other));

const member: readonly (Role | null)[] = [...roles, null];

/** Who may do what in an organization: what access checks enforce and what `permissions` shows. */
export const organizationKind = {
  service: 'identity',
  name: 'organization',
  label: 'Organization',
  rights: {
    view: member,
    admin: from('admin'),
    ownTeam: from('admin'),
    createContent: from('create'),
    createOpenAPISpec: from('create'),
    ingestConversations: from('create'),
    viewBilling: from('admin'),
    listMembers: roles,
    listTeams: roles,
    listIntegrations: roles,
    listInstallations: from('admin'),
    installIntegration: from('create'),
  },
} satisfies ResourceKind;

/** The access of an operation on the organization of its path. */
export const onOrganization = (need: keyof typeof organizationKind.rights) =>
  ({ caller: ['user'], on: organizationKind, id: 'organizationId', need }) as const;

/** Who may do what with a team: its roles are `admin` of the organization, `owner` and `member` of it, and `fellow`. */
export const teamKind = {
  service: 'identity',
  name: 'team',
  label: 'Team',
  rights: { view: ['admin', 'owner', 'member', 'fellow'], admin: ['admin', 'owner'] },
} satisfies ResourceKind;

export const userSchema = z
  .object({
    object: z.literal('user'),
    id: z.string(),
    displayName: z.string(),
    email: z.string().optional().meta({ description: 'Shown to fellow members.' }),
    photoURL: z.string().optional(),
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'User' });
export type User = z.output<typeof userSchema>;

export const organizationTypes = ['business', 'community'] as const;
export const useCases = [
  'internalDocs',
  'docsSite',
  'audienceControlledSite',
  'productDocs',
  'teamKnowledgeBase',
  'designSystem',
  'openSourceDocs',
  'notes',
  'other',
] as const;

export const communityTypes = ['nonProfit', 'openSource', 'education'] as const;

export const emailDomainSchema = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i, 'must be a domain such as example.com');

export const organizationSchema = z
  .object({
    object: z.literal('organization'),
    id: z.string(),
    title: z.string().min(2).max(255),
    createdAt: timestampSchema,
    emailDomains: z.array(z.string()),
    hostname: z.string().min(3).max(32).optional(),
    type: z.enum(organizationTypes),
    useCase: z.enum(useCases).optional(),
    communityType: z.enum(communityTypes).optional(),
    defaultRole: roleOrGuestSchema.optional(),
    defaultContent: z.object({ type: z.literal('site'), site: z.string() }).optional(),
    sso: z.boolean().optional(),
    ai: z.boolean().optional(),
    inviteLinks: z.boolean(),
    plan: z.string(),
    urls: z.object({ location: urlSchema, app: urlSchema, logo: urlSchema.optional() }),
    trial: z.object({ status: z.string(), endDate: timestampSchema.optional() }),
    internal_isOnNewTrial: z.literal(true).meta({ deprecated: true }),
    permissions: permissionsSchema(organizationKind),
  })
  .meta({ id: 'Organization' });
export type Organization = z.output<typeof organizationSchema>;

export const subdomainPattern = /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/;
export const hostnameSchema = z
  .string()
  .min(3)
  .max(32)
  .regex(subdomainPattern, 'must be lower-case letters, digits and inner hyphens')
  .refine((hostname) => hostname !== 'preview', 'must not be preview, where sites are previewed')
  .meta({ description: 'Subdomain of public content, unique.' });

export const subdomainSchema = z
  .object({
    object: z.literal('subdomain'),
    subdomain: z.string().min(3).max(32),
    target: z.object({ type: z.literal('organization'), organization: z.string() }),
    isActive: z.boolean().meta({ description: 'Its target uses it.' }),
  })
  .meta({ id: 'Subdomain' });
export type Subdomain = z.output<typeof subdomainSchema>;

export const memberSchema = z
  .object({
    object: z.literal('member'),
    id: z.string().meta({ description: 'The id of the user.' }),
    role: roleOrGuestSchema,
    user: userSchema,
    disabled: z.boolean().meta({ description: 'Switched off: reaches nothing of the organization.' }),
    joinedAt: timestampSchema,
    lastSeenAt: timestampSchema.optional(),
    sso: z.boolean().meta({ description: 'May sign in by the single sign-on of the organization.' }),
    spaces: z.number().int().meta({ description: 'Spaces the member reaches.' }),
    teams: z.number().int(),
  })
  .meta({ id: 'OrganizationMember' });
export type Member = z.output<typeof memberSchema>;

export const teamSchema = z
  .object({
    object: z.literal('team'),
    id: z.string(),
    title: z.string().min(1).max(64),
    members: z.number().int(),
    spaces: z.number().int().meta({ description: 'Spaces granted to the team, itself or by a collection.' }),
    createdAt: timestampSchema,
    permissions: permissionsSchema(teamKind),
  })
  .meta({ id: 'OrganizationTeam' });
export type Team = z.output<typeof teamSchema>;

export const teamRoles = ['owner', 'member'] as const;
export type TeamRole = (typeof teamRoles)[number];
export const teamMembershipSchema = z
  .object({ role: z.enum(teamRoles).meta({ description: 'An owner manages the members of the team.' }) })
  .meta({ id: 'TeamMember' });

export const teamMemberSchema = z
  .object({
    organization: memberSchema,
    team: teamMembershipSchema,
    permissions: z.object({ view: z.boolean() }),
  })
  .meta({ id: 'OrganizationTeamMember' });
export type TeamMember = z.output<typeof teamMemberSchema>;

export const samlProviderSchema = z
  .object({
    object: z.literal('saml-provider'),
    id: z.string(),
    label: z.string().min(1).max(30),
    ssoURL: urlSchema.optional(),
    entityID: z.string().max(1024).optional(),
    certificate: z.string().max(10_000).optional(),
    defaultTeam: teamSchema.optional(),
    defaultRole: roleOrGuestSchema,
    createdAt: timestampSchema,
    status: z.enum(['pending', 'active']).meta({ description: 'Active once all that a sign-in needs is set.' }),
    service: z
      .object({ acsURL: urlSchema, startURL: urlSchema, entityID: urlSchema, metadataURL: urlSchema })
      .meta({ description: 'What the identity provider is to be told.' }),
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'OrganizationSAMLProvider' });
export type SamlProvider = z.output<typeof samlProviderSchema>;

export const auditEventSchema = z
  .object({
    object: z.literal('audit-event'),
    id: z.string(),
    organization: z.string(),
    operation: z.string().meta({ description: 'The operationId.' }),
    actor: z
      .object({
        type: z.enum(['user', 'integration', 'installation', 'content', 'system', 'anonymous']),
        id: z.string().optional(),
        token: z.string().optional().meta({ description: 'The id of the API token.' }),
        user: userSchema.optional(),
      })
      .meta({ description: 'Who did it.' }),
    resource: z.object({ type: z.string(), id: z.string() }).meta({ description: 'What it was done to.' }),
    details: z.record(z.string(), z.unknown()).optional().meta({ description: 'What was asked for, without secrets.' }),
    requestId: z.string(),
    createdAt: timestampSchema,
  })
  .meta({ id: 'AuditEvent' });
export type AuditEvent = z.output<typeof auditEventSchema>;

export const apiTokenSchema = z
  .object({
    object: z.literal('api-token'),
    id: z.string(),
    label: z.string(),
    preview: z.string().meta({ description: 'How the token begins.' }),
    createdAt: timestampSchema,
    expiresAt: timestampSchema.optional(),
    lastUsedAt: timestampSchema.optional().meta({ description: 'To the minute.' }),
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'APIToken' });
export type ApiToken = z.output<typeof apiTokenSchema>;

/** The one answer that holds the secret. */
export const createdTokenSchema = apiTokenSchema.extend({ token: z.string() }).meta({ id: 'CreatedAPIToken' });
