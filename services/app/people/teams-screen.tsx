import type { VNode } from 'preact';
import { identityContract } from '../../identity/contract.js';
import { Emblem, Empty, Heading, Menu, Pager, Row, Rows } from '../elements/elements.js';
import { Button, Field, Form } from '../elements/forms.js';
import { nextEntries, pageOf } from '../frame/here.js';
import { fieldsSentBy } from '../frame/refusals.js';
import { type ScreenRequest, screen } from '../frame/screen.js';
import { organizationAround } from '../organizations/around.js';
import { fill } from '../words/languages.js';
import { Finder } from './finder.js';

const maxTitle = 64;

/** The teams of an organization. */
export const teamsScreen = screen({
  path: '/o/{organization}/teams',
  async show(request) {
    const { call, to, words, path, query } = request;
    const organizationId = path.organization;
    const title = (query.get('q') ?? '').trim().slice(0, maxTitle);
    const [organization, list, around] = await Promise.all([
      call(identityContract.getOrganizationById, { path: { organizationId } }),
      call(identityContract.listTeamsInOrganizationById, {
        path: { organizationId },
        query: { limit: 50, ...(title ? { title } : {}), ...pageOf(request) },
      }),
      organizationAround(request, organizationId, to.teams(organizationId)),
    ]);
    const { teams } = words;
    const hasFinder = title !== '' || list.count > 10;
    return {
      ...around,
      title: teams.title,
      main: (
        <>
          <Heading title={teams.title} lead={teams.lead}>
            {organization.permissions.admin && creation(request)}
          </Heading>
          {hasFinder && <Finder label={teams.search} button={teams.find} value={title} maxLength={maxTitle} />}
          {list.items.length === 0 && <Empty>{title ? teams.noneFound : teams.none}</Empty>}
          <Rows label={teams.title}>
            {list.items.map((team) => (
              <Row
                href={to.team(organizationId, team.id)}
                title={team.title}
                lead={<Emblem fallback="users" />}
                about={`${fill(teams.size, team.members)} · ${fill(teams.spaces, team.spaces)}`}
              />
            ))}
          </Rows>
          <Pager next={nextEntries(request, list)} text={teams.more} />
        </>
      ),
    };
  },
  actions: {
    async create({ call, path, to }, fields) {
      const team = await call(identityContract.createOrganizationTeam, {
        path: { organizationId: path.organization },
        body: { title: fields.text('title') },
      });
      return { to: to.team(path.organization, team.id), done: 'created' };
    },
  },
});

function creation({ words: { teams, home }, formToken, refused }: ScreenRequest): VNode {
  const sent = fieldsSentBy({ refused }, 'create');
  return (
    <Menu label={teams.create} open={sent !== undefined}>
      <Form token={formToken} action="create">
        <Field label={teams.name} name="title" required maxLength={maxTitle} value={sent?.text('title')} />
        <Button kind="primary">{home.create}</Button>
      </Form>
    </Menu>
  );
}
