import { z } from 'zod';
import { timestampSchema } from '../../../shared/contract/fields.js';
import { communityTypes, organizationTypes, roleOrGuestSchema, roleSchema, useCases } from './resources.js';

const id = z.string().min(1).max(100);
const text = z.string().max(10_000);
const teamIds = z.array(id).max(10_000);

export const organizationLine = z.strictObject({
  id,
  title: z.string().min(1).max(255),
  hostname: z.string().max(32).optional(),
  emailDomains: z.array(z.string().max(253)).max(1000),
  type: z.enum(organizationTypes),
  useCase: z.enum(useCases).optional(),
  communityType: z.enum(communityTypes).optional(),
  defaultRole: roleOrGuestSchema,
  defaultContent: z.strictObject({ type: z.literal('site'), site: id }).optional(),
  logo: text.optional(),
  sso: z.boolean(),
  ai: z.boolean(),
  inviteLinks: z.boolean(),
  createdAt: timestampSchema,
});

export const memberLine = z.strictObject({
  user: id,
  email: z.string().min(1).max(320),
  displayName: z.string().max(255),
  role: roleOrGuestSchema,
  disabled: z.boolean(),
  invitedBy: id.optional(),
  sso: z.boolean(),
  teams: teamIds,
  owned: teamIds,
  joinedAt: timestampSchema,
});

export const teamLine = z.strictObject({ id, title: z.string().max(255), createdAt: timestampSchema });

const defaults = { defaultTeam: id.nullable().optional(), defaultRole: roleOrGuestSchema, createdAt: timestampSchema };

export const samlProviderLine = z.strictObject({
  id,
  label: text,
  entityID: text.optional(),
  certificate: text.optional(),
  ssoURL: text.optional(),
  ...defaults,
});

export const oidcProviderLine = z.strictObject({
  id,
  label: text,
  issuer: text,
  clientId: text,
  scopes: z.array(text).max(100),
  groupsClaim: text.optional(),
  groups: z.array(z.strictObject({ group: text, team: id.optional(), role: roleSchema.optional() })).max(1000),
  emailDomains: z.array(z.string().max(253)).max(1000),
  ...defaults,
  active: z.boolean(),
});
