import type { VNode } from 'preact';
import type { DefaultLevel, TeamContentPermission, UserContentPermission } from '../../content/resources.js';
import type { Team } from '../../identity/resources.js';
import { Emblem, Empty, Pager, Row, Rows, Section } from '../elements/elements.js';
import { Button, Field, Form, Select } from '../elements/forms.js';
import { levelOptions, levelValue } from '../elements/levels.js';
import { nextEntries } from '../frame/here.js';
import type { ScreenRequest } from '../frame/screen.js';
import { fill } from '../words/languages.js';
import { RemoveForm, RoleForm, roleChoices, roleName } from './roles.js';

interface Part<T> {
  items: T[];
  next?: { page: string } | undefined;
}

/** The role of those who have none of their own. */
export function defaultLevelForm({ words, formToken, refused }: ScreenRequest, level: DefaultLevel): VNode {
  const { access } = words;
  return (
    <Section title={access.byDefault} id="default">
      <p>{access.byDefaultText}</p>
      <Form token={formToken} action="level" class="inline">
        <Select
          label={access.level}
          name="level"
          value={refused?.fields.text('level') || levelValue(level)}
          options={levelOptions(words)}
        />
        <Button>{words.frame.save}</Button>
      </Form>
    </Section>
  );
}

/** Gives a member or a team a role on the space. */
export function givingForms({ words, formToken, refused }: ScreenRequest, teams: readonly Team[]): VNode {
  const { access, people } = words;
  const role = (
    <select name="role" aria-label={people.role}>
      {roleChoices(words, { guests: false }).map(({ value, text }) => (
        <option value={value} selected={value === (refused?.fields.text('role') || 'edit')}>
          {text}
        </option>
      ))}
    </select>
  );
  return (
    <Section title={access.give} id="give">
      <Form token={formToken} action="give-member" class="inline">
        <Field label={access.who} name="who" required maxLength={254} value={refused?.fields.text('who')} />
        {role}
        <Button>{access.giveMember}</Button>
      </Form>
      {teams.length > 0 && (
        <Form token={formToken} action="give-team" class="inline">
          <Select
            label={access.team}
            name="team"
            value={refused?.fields.text('team')}
            options={teams.map(({ id, title }) => ({ value: id, text: title }))}
          />
          {role}
          <Button>{access.giveTeam}</Button>
        </Form>
      )}
    </Section>
  );
}

/** The teams that have a role on the space. */
export function teamsWithRole(request: ScreenRequest, list: Part<TeamContentPermission>): VNode {
  const { words, formToken } = request;
  const { access } = words;
  return (
    <Section title={access.teams} id="teams">
      {list.items.length === 0 && <Empty>{access.noTeams}</Empty>}
      <Rows label={access.teams}>
        {list.items.map(({ team, permission }) => (
          <Row title={team.title} lead={<Emblem fallback="users" />} about={fill(words.teams.size, team.members)}>
            <RoleForm
              words={words}
              formToken={formToken}
              action="team-role"
              of={{ field: 'team', id: team.id, name: team.title }}
              value={permission}
              choices={roleChoices(words, { guests: false })}
            />
            <RemoveForm
              formToken={formToken}
              action="remove-team"
              of={{ field: 'team', id: team.id }}
              confirm={fill(access.removeSure, team.title)}
            >
              {access.remove}
            </RemoveForm>
          </Row>
        ))}
      </Rows>
      <Pager next={nextEntries(request, list, 'teams')} text={access.moreTeams} />
    </Section>
  );
}

/** The members who have a role of their own on the space. */
export function membersWithRole(request: ScreenRequest, list: Part<UserContentPermission>): VNode {
  const { words, formToken } = request;
  const { access } = words;
  return (
    <Section title={access.members} id="members">
      {list.items.length === 0 && <Empty>{access.noMembers}</Empty>}
      <Rows label={access.members}>
        {list.items.map(({ user, permission }) => (
          <Row title={user.displayName} about={user.email && <bdi>{user.email}</bdi>}>
            <RoleForm
              words={words}
              formToken={formToken}
              action="member-role"
              of={{ field: 'member', id: user.id, name: user.displayName }}
              value={permission}
              choices={roleChoices(words, { guests: false })}
            />
            <RemoveForm
              formToken={formToken}
              action="remove-member"
              of={{ field: 'member', id: user.id }}
              confirm={fill(access.removeSure, user.displayName)}
            >
              {access.remove}
            </RemoveForm>
          </Row>
        ))}
      </Rows>
      <Pager next={nextEntries(request, list, 'members')} text={access.moreMembers} />
    </Section>
  );
}

/** Everybody with access, with the role that counts. */
export const everybody = (request: ScreenRequest, list: Part<UserContentPermission>): VNode => (
  <Section title={request.words.access.everybody} id="everybody">
    <p>{request.words.access.everybodyText}</p>
    <Rows label={request.words.access.everybody}>
      {list.items.map(({ user, permission }) => (
        <Row title={user.displayName} about={user.email && <bdi>{user.email}</bdi>}>
          <span>{roleName(request.words, permission)}</span>
        </Row>
      ))}
    </Rows>
    <Pager next={nextEntries(request, list)} text={request.words.access.moreEverybody} />
  </Section>
);
