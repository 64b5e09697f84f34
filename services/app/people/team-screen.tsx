import type { VNode } from 'preact';
import { identityContract } from '../../identity/contract.js';
import type { Member, Team, TeamRole } from '../../identity/resources.js';
import { Empty, Heading, Menu, Pager, Row, Rows, Section } from '../elements/elements.js';
import { Button, Deletion, Field, Form, Select } from '../elements/forms.js';
import { here, nextEntries, pageOf } from '../frame/here.js';
import { fieldsSentBy } from '../frame/refusals.js';
import { type ScreenRequest, screen } from '../frame/screen.js';
import { organizationAround } from '../organizations/around.js';
import { fill } from '../words/languages.js';
import { RemoveForm, RoleForm, teamRoleChoices, teamRoleIn, teamRoleName } from './roles.js';

type TeamRequest = ScreenRequest<'/o/{organization}/teams/{team}'>;

/** A member as the list of a team has it. */
interface TeamMember {
  organization: Member;
  team: { role: TeamRole };
}

const teamOf = ({ path }: Pick<TeamRequest, 'path'>) => ({ organizationId: path.organization, teamId: path.team });

/** A team and its members. Its owners, and admins, manage it; admins alone delete it. */
export const teamScreen = screen({
  path: '/o/{organization}/teams/{team}',
  async show(request) {
    const { call, to, words, path } = request;
    const at = teamOf(request);
    const [organization, team, list, around] = await Promise.all([
      call(identityContract.getOrganizationById, { path: at }),
      call(identityContract.getTeamInOrganizationById, { path: at }),
      call(identityContract.listTeamMembersInOrganizationById, { path: at, query: { limit: 50, ...pageOf(request) } }),
      organizationAround(request, path.organization, to.teams(path.organization)),
    ]);
    const { teams } = words;
    return {
      ...around,
      title: team.title,
      crumbs: [{ title: teams.title, href: to.teams(path.organization) }],
      main: (
        <>
          <Heading title={team.title} lead={`${fill(teams.size, team.members)} · ${fill(teams.spaces, team.spaces)}`}>
            {team.permissions.admin && renaming(request, team)}
          </Heading>
          {list.items.length === 0 && <Empty>{teams.noMembers}</Empty>}
          <Rows label={words.people.members}>{list.items.map((member) => memberRow(request, member, team))}</Rows>
          <Pager next={nextEntries(request, list)} text={teams.moreMembers} />
          {team.permissions.admin && addition(request)}
          {organization.permissions.admin && deletion(request)}
        </>
      ),
    };
  },
  actions: {
    async rename({ call, ...request }, fields) {
      await call(identityContract.updateTeamInOrganizationById, {
        path: teamOf(request),
        body: { title: fields.text('title') },
      });
      return { to: here(request), done: 'saved' };
    },
    async add({ call, ...request }, fields) {
      await call(identityContract.updateMembersInOrganizationTeam, {
        path: teamOf(request),
        body: { memberships: { [fields.text('address')]: { role: teamRoleIn(fields) } } },
      });
      return { to: here(request), done: 'saved' };
    },
    async role({ call, ...request }, fields) {
      await call(identityContract.addMemberToOrganizationTeamById, {
        path: { ...teamOf(request), userId: fields.text('member') },
        body: { role: teamRoleIn(fields) },
      });
      return { to: here(request), done: 'roleSet' };
    },
    async remove({ call, ...request }, fields) {
      await call(identityContract.deleteMemberFromOrganizationTeamById, {
        path: { ...teamOf(request), userId: fields.text('member') },
      });
      return { to: here(request), done: 'removed' };
    },
    async delete({ call, to, ...request }) {
      await call(identityContract.removeTeamFromOrganizationById, { path: teamOf(request) });
      return { to: to.teams(request.path.organization), done: 'deleted' };
    },
  },
});

function memberRow({ words, formToken, session }: TeamRequest, { organization, team }: TeamMember, shown: Team): VNode {
  const { user } = organization;
  const may = shown.permissions.admin;
  return (
    <Row title={user.displayName} about={user.email && <bdi>{user.email}</bdi>}>
      {may ? (
        <RoleForm
          words={words}
          formToken={formToken}
          action="role"
          of={{ field: 'member', id: user.id, name: user.displayName }}
          value={team.role}
          choices={teamRoleChoices(words)}
        />
      ) : (
        <span>{teamRoleName(words, team.role)}</span>
      )}
      {(may || user.id === session.user.id) && (
        <RemoveForm
          formToken={formToken}
          action="remove"
          of={{ field: 'member', id: user.id }}
          confirm={fill(words.teams.removeSure, user.displayName)}
        >
          {words.teams.remove}
        </RemoveForm>
      )}
    </Row>
  );
}

function renaming({ words: { teams, frame }, formToken, refused }: TeamRequest, { title }: Team): VNode {
  const sent = fieldsSentBy({ refused }, 'rename');
  return (
    <Menu label={teams.rename} open={sent !== undefined}>
      <Form token={formToken} action="rename">
        <Field label={teams.name} name="title" required maxLength={64} value={sent?.text('title') ?? title} />
        <Button kind="primary">{frame.save}</Button>
      </Form>
    </Menu>
  );
}

const addition = ({ words, formToken, refused }: TeamRequest): VNode => (
  <Section title={words.teams.addMember} id="add-member">
    <p class="hint-text">{words.teams.ownerHint}</p>
    <Form token={formToken} action="add" class="inline">
      <Field
        label={words.teams.address}
        name="address"
        type="email"
        required
        maxLength={254}
        value={refused?.fields.text('address')}
      />
      <Select
        label={words.teams.role}
        name="role"
        value={refused?.fields.text('role') || 'member'}
        options={teamRoleChoices(words)}
      />
      <Button>{words.frame.add}</Button>
    </Form>
  </Section>
);

const deletion = ({ words: { teams }, formToken }: TeamRequest): VNode => (
  <div class="settings-cards">
    <Deletion token={formToken} title={teams.delete} text={teams.deleteText} button={teams.deleteSure} />
  </div>
);
