import type { ResourceKind } from '../../../shared/contract/access.js';
import type { AnyOperation } from '../../../shared/contract/operation.js';
import { type Role, roles, teamKind } from '../../identity/resources.js';
import { type IntegrationStanding, integrationKind } from '../../integrations/resources.js';

/** A role on the resource of an operation; `null` is a guest, `undefined` somebody outside the organization. */
export type RoleOnResource = Role | null | undefined;

export const columns: RoleOnResource[] = [...roles, null, undefined];

/** Whether an operation is open to the tokens of users. */
const isForUsers = ({ access }: AnyOperation): boolean => access === 'public' || access.caller.includes('user');

/** The answer of an operation to a role, by its contract: allowed, 403 or 404. */
export function answerToRole(operation: AnyOperation, role: RoleOnResource): 'allowed' | 403 | 404 {
  const { access } = operation;
  if (!isForUsers(operation)) return 403;
  if (access === 'public' || !access.on) return 'allowed';
  const held = roleHeldOn(access.on, role);
  const holdsRight = (right: string) => held !== undefined && access.on?.rights[right]?.includes(held) === true;
  if (!holdsRight('view')) return 404;
  return access.need === undefined || holdsRight(access.need) ? 'allowed' : 403;
}

/** The role on a resource that follows from a role in its organization. */
function roleHeldOn(kind: ResourceKind, role: RoleOnResource): RoleOnResource | string {
  if (kind === teamKind) return roleInTeam(role);
  return kind === integrationKind ? standingToIntegration(role) : role;
}

/** The standing to a public integration, which guests and others see as everybody does. */
function standingToIntegration(role: RoleOnResource): IntegrationStanding {
  if (role === undefined || role === null) return 'other';
  return role === 'admin' || role === 'create' ? 'owner' : 'member';
}

/** The role in a team that the member does not belong to. */
function roleInTeam(role: RoleOnResource): string | undefined {
  if (role === undefined || role === null) return undefined;
  return role === 'admin' ? 'admin' : 'fellow';
}

/** The scope that an installation of an integration needs; `any` where it needs none, – where it may not call the operation. */
function neededScope({ access }: AnyOperation): string {
  if (access === 'public') return 'any';
  if (!access.caller.includes('installation')) return '–';
  return access.scope === undefined ? 'any' : `\`${access.scope}\``;
}

const answerCell = (answer: ReturnType<typeof answerToRole>) => (answer === 'allowed' ? '✓' : String(answer));
const accessText = (operation: AnyOperation) => {
  const { access } = operation;
  if (access === 'public') return 'no token needed';
  if (!isForUsers(operation)) return 'a token of the integration';
  if (!access.on) return 'any user';
  return `${access.on.label.toLowerCase()}: \`${access.need}\`${access.self ? ', or oneself' : ''}`;
};

/** The handbook's table of operations and roles. */
export function accessTable(operations: AnyOperation[]): string {
  const names = columns.map((role) => (role === undefined ? 'others' : (role ?? 'guest')));
  const rows = [...operations]
    .sort((a, b) => (a.path === b.path ? 0 : a.path < b.path ? -1 : 1))
    .map((operation) => {
      const cells = columns.map((role) => answerCell(answerToRole(operation, role)));
      return `| \`${operation.id}\` | ${accessText(operation)} | ${cells.join(' | ')} | ${neededScope(operation)} |`;
    });
  return [
    `| Operation | Needs | ${names.join(' | ')} | installation |`,
    `| --- | --- |${' --- |'.repeat(names.length + 1)}`,
    ...rows,
    '',
  ].join('\n');
}
