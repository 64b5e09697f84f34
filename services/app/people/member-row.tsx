import type { VNode } from 'preact';
import type { Member, Organization } from '../../identity/resources.js';
import { Badge } from '../elements/badge.js';
import { Menu, Row, sign, Time } from '../elements/elements.js';
import { Button, Form } from '../elements/forms.js';
import type { ScreenRequest } from '../frame/screen.js';
import { fill } from '../words/languages.js';
import { RoleForm, roleChoices, roleName, roleValue } from './roles.js';

/** A member in the list. Admins change the role and the rest; the others see it, and may leave. */
export function memberRow(request: ScreenRequest, member: Member, { permissions }: Organization): VNode {
  const { words, formToken, session } = request;
  const { user, role } = member;
  const isSelf = user.id === session.user.id;
  return (
    <Row title={user.displayName} about={aboutOf(request, member)}>
      {badges(request, member, isSelf)}
      {permissions.admin ? (
        <RoleForm
          words={words}
          formToken={formToken}
          action="role"
          of={{ field: 'member', id: user.id, name: user.displayName }}
          value={roleValue(role)}
          choices={roleChoices(words, { guests: true })}
        />
      ) : (
        <span>{roleName(words, role)}</span>
      )}
      {(permissions.admin || isSelf) && menu(request, member, { isAdmin: permissions.admin, isSelf })}
    </Row>
  );
}

function aboutOf({ words: { people }, locale }: ScreenRequest, { user, teams, lastSeenAt }: Member): VNode {
  return (
    <>
      {user.email && <bdi>{user.email}</bdi>}
      {user.email && ' · '}
      {lastSeenAt === undefined ? (
        people.neverSeen
      ) : (
        <>
          {fill(people.seen, '')} <Time iso={lastSeenAt} locale={locale} short />
        </>
      )}
      {teams > 0 && ` · ${fill(people.inTeams, teams)}`}
    </>
  );
}

const badges = ({ words: { people } }: ScreenRequest, { pending, disabled, sso }: Member, isSelf: boolean): VNode => (
  <>
    {isSelf && <Badge kind="info">{people.you}</Badge>}
    {pending && <Badge kind="warning">{people.pending}</Badge>}
    {disabled && !pending && <Badge kind="warning">{people.disabled}</Badge>}
    {sso && <Badge kind="info">{people.sso}</Badge>}
  </>
);

function menu(
  { words: { people }, formToken }: ScreenRequest,
  { user, disabled, pending, sso }: Member,
  { isAdmin, isSelf }: { isAdmin: boolean; isSelf: boolean },
): VNode {
  const name = user.displayName;
  const question = isSelf ? people.leaveSure : fill(people.removeSure, name);
  return (
    <Menu label={sign('ellipsis')} name={fill(people.actionsOf, name)}>
      <Form token={formToken} class="menu-actions">
        <input type="hidden" name="member" value={user.id} />
        {isAdmin && !isSelf && !disabled && (
          <Button action="disable" kind="plain" confirm={fill(people.disableSure, name)}>
            {people.disable}
          </Button>
        )}
        {isAdmin && disabled && !pending && (
          <Button action="enable" kind="plain">
            {people.enable}
          </Button>
        )}
        {isAdmin && !sso && (
          <Button action="sso" kind="plain">
            {people.allowSso}
          </Button>
        )}
        <Button action="remove" kind="danger" confirm={question}>
          {isSelf ? people.leave : people.remove}
        </Button>
      </Form>
    </Menu>
  );
}
