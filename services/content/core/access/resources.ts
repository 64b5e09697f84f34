import { z } from 'zod';
import { roleSchema, teamSchema, userSchema } from '../../../identity/resources.js';
import { spaceSchema } from '../nodes/resources.js';

export const teamContentPermissionSchema = z
  .object({ permission: roleSchema, team: teamSchema })
  .meta({ id: 'TeamContentPermission' });
export type TeamContentPermission = z.output<typeof teamContentPermissionSchema>;
export const userContentPermissionSchema = z
  .object({ permission: roleSchema, user: userSchema })
  .meta({ id: 'UserContentPermission' });
export type UserContentPermission = z.output<typeof userContentPermissionSchema>;
export const memberContentPermissionSchema = z
  .object({ permission: roleSchema, space: spaceSchema })
  .meta({ id: 'MemberContentPermission' });
