import { z } from 'zod';
import type { ResourceKind } from '../../../shared/contract/access.js';
import { permissionsSchema, timestampSchema } from '../../../shared/contract/fields.js';
import { memberSchema } from '../organizations/resources.js';

/**
 * The roles that hold each right on a team. `admin` is an admin of the organization, `owner` and `member` have these roles in the team,
 * and `fellow` is any other member of the organization except a guest.
 */
export const teamKind = {
  service: 'identity',
  name: 'team',
  label: 'Team',
  rights: { view: ['admin', 'owner', 'member', 'fellow'], admin: ['admin', 'owner'] },
} satisfies ResourceKind;

export const teamSchema = z
  .object({
    object: z.literal('team'),
    id: z.string(),
    title: z.string().min(1).max(64),
    members: z.number().int(),
    spaces: z
      .number()
      .int()
      .meta({ description: 'Number of spaces granted to the team, directly or by a collection.' }),
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
