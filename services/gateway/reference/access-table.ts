import type { AnyOperation } from '../../../shared/contract/operation.js';
import { type Role, roles, teamKind } from '../../identity/resources.js';

/** A role on the resource of an operation; `null` is a guest, `undefined` somebody outside the organization. */
export type RoleOnResource = Role | null | undefined;

export const columns: RoleOnResource[] = [...roles, null, undefined];

/** What an operation answers to a role by its contract: allowed, 403 or 404. */
export function answerTo({ access }: AnyOperation, role: RoleOnResource): 'allowed' | 403 | 404 {
  if (access === 'public' || !access.on) return 'allowed';
  const held = access.on === teamKind ? roleInTeam(role) : role;
  const holds = (right: string) => held !== undefined && access.on?.rights[right]?.includes(held) === true;
  if (!holds('view')) return 404;
  return access.need === undefined || holds(access.need) ? 'allowed' : 403;
}

/** The role in a team that the member does not belong to. */
function roleInTeam(role: RoleOnResource): string | undefined {
  if (role === undefined || role === null) return undefined;
  return role === 'admin' ? 'admin' : 'fellow';
}

const cell = (answer: ReturnType<typeof answerTo>) => (answer === 'allowed' ? '✓' : String(answer));
const about = ({ access }: AnyOperation) => {
  if (access === 'public') return 'no token needed';
  if (!access.on) return 'any user';
  return `${access.on.label.toLowerCase()}: \`${access.need}\`${access.self ? ', or oneself' : ''}`;
};

/** The handbook's table of operations and roles. */
export function accessTable(operations: AnyOperation[]): string {
  const names = columns.map((role) => (role === undefined ? 'others' : (role ?? 'guest')));
  const rows = [...operations]
    .sort((a, b) => (a.path === b.path ? 0 : a.path < b.path ? -1 : 1))
    .map((operation) => {
      const cells = columns.map((role) => cell(answerTo(operation, role)));
      return `| \`${operation.id}\` | ${about(operation)} | ${cells.join(' | ')} |`;
    });
  return [
    `| Operation | Needs | ${names.join(' | ')} |`,
    `| --- | --- |${' --- |'.repeat(names.length)}`,
    ...rows,
    '',
  ].join('\n');
}
