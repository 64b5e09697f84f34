import { z } from 'zod';
import { by, type ResourceKind } from '../../../shared/contract/access.js';
import type { InstallationCaller } from '../../../shared/contract/caller.js';
import { permissionsSchema, timestampSchema, urlSchema } from '../../../shared/contract/fields.js';
import { userSchema } from '../users/resources.js';

/** Roles of members by rank, highest first. */
export const roles = ['admin', 'create', 'review', 'edit', 'comment', 'read'] as const;
export type Role = (typeof roles)[number];

export const roleSchema = z
  .enum(roles)
  .meta({ id: 'MemberRole', description: 'Role of a member; each role includes the ones below it.' });
export const roleOrGuestSchema = roleSchema.nullable().meta({ description: 'A role, or null for a guest.' });

/** Lists the roles from the highest down to `lowest`. */
export const rolesFrom = (lowest: Role): readonly Role[] => roles.slice(0, roles.indexOf(lowest) + 1);

/** Whether `role` includes `other`. A guest (null) includes only a guest. */
export const roleIncludes = (role: Role | null, other: Role | null): boolean =>
  other === null || (role !== null && roles.indexOf(role) <= roles.indexOf(other));

const member: readonly (Role | null)[] = [...roles, null];

/** An installation that may change the OpenAPI specifications of its organization, and nothing else of it. */
export const specWriter = 'specWriter';

/** The role of an installation in an organization: that of a guest or of a `specWriter`; undefined in others than its own. */
export function roleOfInstallation(
  { organization: own, scopes }: InstallationCaller,
  organization: string,
): typeof specWriter | null | undefined {
  if (own !== organization) return undefined;
  return scopes.includes('openapi:write') ? specWriter : null;
}

/** The roles that hold each right in an organization. Access checks enforce this table and `permissions` shows it. */
export const organizationKind = {
  service: 'identity',
  name: 'organization',
  label: 'Organization',
  rights: {
    view: [...member, specWriter],
    access: member,
    admin: rolesFrom('admin'),
    ownTeam: rolesFrom('admin'),
    createContent: rolesFrom('create'),
    createOpenAPISpec: [...rolesFrom('create'), specWriter],
    ingestConversations: rolesFrom('create'),
    viewBilling: rolesFrom('admin'),
    listMembers: roles,
    listTeams: roles,
    listIntegrations: roles,
    listInstallations: rolesFrom('admin'),
    installIntegration: rolesFrom('create'),
  },
} satisfies ResourceKind;

/**
 * The access rule of an operation that needs a right on the organization in its path. With a `scope`, installations that have it may
 * call the operation too.
 */
export const onOrganization = (need: keyof typeof organizationKind.rights, scope?: string) =>
  ({ ...by(['user'], scope), on: organizationKind, id: 'organizationId', need }) as const;

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

/** Approvals that a merge needs: none; the right to merge is enough. */
const mergeRulesSchema = z.object({ type: z.literal('none') });

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
    mergeRules: mergeRulesSchema,
    urls: z.object({ location: urlSchema, app: urlSchema, logo: urlSchema.optional() }),
    trial: z.object({ status: z.string(), count: z.number().int(), endDate: timestampSchema.optional() }),
    internal_isOnNewTrial: z.literal(true).meta({ deprecated: true }),
    permissions: permissionsSchema(organizationKind),
  })
  .meta({ id: 'Organization' });
export type Organization = z.output<typeof organizationSchema>;

/** Equal for every organization: all features belong to everybody, for nothing, and whoever may merge merges. */
export const organizationTerms = {
  plan: 'enterprise_2024',
  mergeRules: { type: 'none' },
  trial: { status: 'notapplicable', count: 0 },
  internal_isOnNewTrial: true,
} as const;

const subdomainPattern = /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/;
export const hostnameSchema = z
  .string()
  .min(3)
  .max(32)
  .regex(subdomainPattern, 'must be lower-case letters, digits and inner hyphens')
  .refine((hostname) => hostname !== 'preview', 'must not be `preview`, which is reserved for previews of sites')
  .meta({ description: 'Subdomain of public content, unique.' });

export const subdomainSchema = z
  .object({
    object: z.literal('subdomain'),
    subdomain: z.string().min(3).max(32),
    target: z.object({ type: z.literal('organization'), organization: z.string() }),
    isActive: z.boolean().meta({ description: 'Whether the target uses it.' }),
  })
  .meta({ id: 'Subdomain' });

export const memberSchema = z
  .object({
    object: z.literal('member'),
    id: z.string().meta({ description: 'The id of the user.' }),
    role: roleOrGuestSchema,
    user: userSchema,
    disabled: z.boolean().meta({ description: 'Whether the membership is disabled and gives no access.' }),
    joinedAt: timestampSchema,
    lastSeenAt: timestampSchema.optional(),
    sso: z.boolean().meta({ description: "Whether the member may use the organization's single sign-on." }),
    spaces: z.number().int().meta({ description: 'Number of spaces that the member can access.' }),
    teams: z.number().int().meta({ description: 'Number of teams that the member belongs to.' }),
    sites: z
      .number()
      .int()
      .optional()
      .meta({ description: 'Number of sites that the member can access; absent while they cannot be counted.' }),
    pending: z.literal(true).optional().meta({
      description:
        'Present while somebody who was invited has not signed in, or, with an account of their own, not accepted.',
    }),
  })
  .meta({ id: 'OrganizationMember' });
export type Member = z.output<typeof memberSchema>;
