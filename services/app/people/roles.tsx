import type { VNode } from 'preact';
import { invalid } from '../../../shared/errors/errors.js';
import { type Role, roles, type TeamRole, teamRoles } from '../../identity/resources.js';
import { Button, Form } from '../elements/forms.js';
import type { FormFields } from '../frame/form-fields.js';
import { fill } from '../words/languages.js';
import type { Words } from '../words/words.js';

/** The value of a guest in forms: the API has null for the role of a guest. */
const guest = 'guest';

export interface Choice {
  value: string;
  text: string;
}

/** Names a role; null is that of a guest. */
export const roleName = ({ people }: Words, role: Role | null): string => people[role ?? guest];

/** The roles of members, highest first; those of an organization have guests too. */
export const roleChoices = (words: Words, { guests }: { guests: boolean }): Choice[] => [
  ...roles.map((role) => ({ value: role, text: roleName(words, role) })),
  ...(guests ? [{ value: guest, text: roleName(words, null) }] : []),
];

/** The value of a role in forms. */
export const roleValue = (role: Role | null): string => role ?? guest;

/** Reads a role from a form. */
export function roleIn(fields: FormFields, name = 'role'): Role | null {
  const value = fields.text(name);
  if (value === guest) return null;
  const role = roles.find((each) => each === value);
  if (!role) throw invalid(`${name}: required`);
  return role;
}

/** Names a role in a team. */
export const teamRoleName = ({ teams }: Words, role: TeamRole): string =>
  role === 'owner' ? teams.owner : teams.member;

export const teamRoleChoices = (words: Words): Choice[] =>
  [...teamRoles].reverse().map((role) => ({ value: role, text: teamRoleName(words, role) }));

/** Reads a role in a team from a form. */
export function teamRoleIn(fields: FormFields): TeamRole {
  const role = teamRoles.find((each) => each === fields.text('role'));
  if (!role) throw invalid('role: required');
  return role;
}

interface RoleFormProps {
  words: Words;
  formToken: string;
  /** The action that sets the role. */
  action: string;
  /** The field that says whose role it is, and its value. */
  of: { field: string; id: string; name: string };
  value: string;
  choices: readonly Choice[];
}

/** Sets the role of one entry of a list. */
export const RoleForm = ({ words, formToken, action, of, value, choices }: RoleFormProps): VNode => (
  <Form token={formToken} action={action} class="role-form">
    <input type="hidden" name={of.field} value={of.id} />
    <select name="role" aria-label={fill(words.people.roleOf, of.name)}>
      {choices.map((choice) => (
        <option value={choice.value} selected={choice.value === value}>
          {choice.text}
        </option>
      ))}
    </select>
    <Button>{words.people.setRole}</Button>
  </Form>
);

interface RemoveFormProps {
  formToken: string;
  action: string;
  of: { field: string; id: string };
  confirm: string;
  children: string;
}

/** Takes one entry out of a list. */
export const RemoveForm = ({ formToken, action, of, confirm, children }: RemoveFormProps): VNode => (
  <Form token={formToken} action={action}>
    <input type="hidden" name={of.field} value={of.id} />
    <Button kind="danger" confirm={confirm}>
      {children}
    </Button>
  </Form>
);
