import type { Context } from '../../shared/contract/service.js';
import { notFound } from '../../shared/errors.js';
import { listPage, type Page, type PageRequest } from '../../shared/paging.js';
import { findPrincipals } from '../identity/contract.js';
import type { Role } from '../identity/resources.js';
import type { GrantChange, TreeNode } from './content-tree.js';
import { changeGrants, type Place } from './grants.js';
import { type GrantDocument, grants } from './model.js';
import type { TeamContentPermission, UserContentPermission } from './resources.js';
import type { ContentRules } from './spaces.js';

type Kind = TreeNode['kind'];
type Principal = GrantDocument['principal'];

export interface InviteInput {
  role: Role | null;
  users?: string[] | undefined;
  teams?: string[] | undefined;
}

const placeOf = (kind: Kind, id: string, { access: { organization } }: Context): Place => ({ kind, id, organization });
const giverOf = ({ caller, access: { role } }: Context) => ({ caller, role });

/** Gives members and teams a role on a space or a collection. 404 names the field that holds an unknown one. */
export async function invite(
  rules: ContentRules,
  kind: Kind,
  id: string,
  { role, users = [], teams = [] }: InviteInput,
  context: Context,
): Promise<void> {
  const given = { users: [...new Set(users)], teams: [...new Set(teams)] };
  const found = await context.call(findPrincipals, { organization: context.access.organization, ...given });
  if (found.members.length < given.users.length) throw notFound('users: a member of this organization was');
  if (found.teams.length < given.teams.length) throw notFound('teams: a team of this organization was');
  const wanted: GrantChange[] = [
    ...given.users.map((user) => ({ principal: 'user' as const, id: user, role })),
    ...given.teams.map((team) => ({ principal: 'team' as const, id: team, role })),
  ];
  await changeGrants(rules, placeOf(kind, id, context), wanted, {
    giver: giverOf(context),
    record: (changed) => context.audit(kind, id, { details: { role, ...namesOf(changed) } }),
  });
}

function namesOf(changes: GrantChange[]): Record<string, string[]> {
  const of = (principal: Principal) => changes.filter((each) => each.principal === principal).map(({ id }) => id);
  const [users, teams] = [of('user'), of('team')];
  return { ...(users.length > 0 ? { users } : {}), ...(teams.length > 0 ? { teams } : {}) };
}

/** Changes a grant that is there; 404 where there is none. `role` undefined leaves it as it is. */
export async function updatePermission(
  rules: ContentRules,
  kind: Kind,
  id: string,
  [principal, who]: [Principal, string],
  role: Role | null | undefined,
  context: Context,
): Promise<void> {
  const place = placeOf(kind, id, context);
  if (role === undefined) return checkGranted(rules, place, principal, who);
  await changeGrants(rules, place, [{ principal, id: who, role }], {
    giver: giverOf(context),
    existing: true,
    record: () => context.audit(kind, id, { details: { [principal]: who, role } }),
  });
}

async function checkGranted({ store }: ContentRules, { id: node }: Place, principal: Principal, who: string) {
  if (!(await store.findOne(grants, { node, principal, id: who }))) throw notFound('Permission');
}

/** Takes a grant away; 404 where there is none. */
export async function removePermission(
  rules: ContentRules,
  kind: Kind,
  id: string,
  [principal, who]: [Principal, string],
  context: Context,
): Promise<void> {
  await changeGrants(rules, placeOf(kind, id, context), [{ principal, id: who, role: 'dropped' }], {
    giver: giverOf(context),
    existing: true,
    record: () => context.audit(kind, id, { details: { [principal]: who } }),
  });
}

/** The grants of a kind on a place, oldest first; those that give nothing are left out. */
function pageOfGrants<T>(
  { store }: ContentRules,
  node: string,
  principal: Principal,
  request: PageRequest,
  present: (granted: (GrantDocument & { role: Role })[]) => Promise<T[]>,
): Promise<Page<T>> {
  const query = { filter: { node, principal, role: { $ne: null } }, sort: { createdAt: 1 as const }, request };
  return listPage(store, grants, query, (items) => present(items as (GrantDocument & { role: Role })[]));
}

export function listTeamPermissions(
  rules: ContentRules,
  node: string,
  request: PageRequest,
  { call, access: { organization } }: Context,
): Promise<Page<TeamContentPermission>> {
  return pageOfGrants(rules, node, 'team', request, async (granted) => {
    const found = await call(findPrincipals, { organization, users: [], teams: granted.map(({ id }) => id) });
    const teams = new Map(found.teams.map((team) => [team.id, team]));
    return granted.flatMap(({ id, role }) => {
      const team = teams.get(id);
      return team ? [{ permission: role, team }] : [];
    });
  });
}

export function listUserPermissions(
  rules: ContentRules,
  node: string,
  request: PageRequest,
  { call, access: { organization } }: Context,
): Promise<Page<UserContentPermission>> {
  return pageOfGrants(rules, node, 'user', request, async (granted) => {
    const found = await call(findPrincipals, { organization, users: granted.map(({ id }) => id), teams: [] });
    const users = new Map(found.members.map(({ user, resource }) => [user, resource]));
    return granted.flatMap(({ id, role }) => {
      const user = users.get(id);
      return user ? [{ permission: role, user }] : [];
    });
  });
}
