import { z } from 'zod';
import type { ResourceKind } from '../../shared/contract/operation.js';

export const timestampSchema = z.iso.datetime().meta({ description: 'ISO 8601, UTC.' });
export const urlSchema = z.url().max(2048);

/** By rank, highest first. */
export const roles = ['admin', 'create', 'review', 'edit', 'comment', 'read'] as const;
export type Role = (typeof roles)[number];

export const roleSchema = z
  .enum(roles)
  .meta({ id: 'MemberRole', description: 'Role of a member; each includes the ones below it.' });
export const roleOrGuestSchema = roleSchema.nullable().meta({ description: 'A role, or null for a guest.' });

/** The roles from the highest down to `lowest`. */
export const from = (lowest: Role): readonly Role[] => roles.slice(0, roles.indexOf(lowest) + 1);

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

const booleans = <K extends string>(rights: Record<K, unknown>) =>
  z.object(Object.fromEntries(Object.keys(rights).map((right) => [right, z.boolean()])) as Record<K, z.ZodBoolean>);
export const permissionsSchema = <K extends string>(kind: { rights: Record<K, unknown> }) =>
  booleans(kind.rights).meta({ description: 'What the caller may do.' });

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
    communityType: z.enum(['nonProfit', 'openSource', 'education']).optional(),
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
