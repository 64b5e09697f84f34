import { invalid } from '../../../shared/errors/errors.js';
import { contentContract } from '../../content/contract.js';
import { identityContract } from '../../identity/contract.js';
import { Heading, sign } from '../elements/elements.js';
import { levelOf } from '../elements/levels.js';
import type { FormFields } from '../frame/form-fields.js';
import { here, pageOf } from '../frame/here.js';
import { unlessRefused } from '../frame/refusals.js';
import { type Onward, type ScreenRequest, screen } from '../frame/screen.js';
import { spaceAround } from '../reading/around.js';
import { fill } from '../words/languages.js';
import { defaultLevelForm, everybody, givingForms, membersWithRole, teamsWithRole } from './access-lists.js';
import { roleIn } from './roles.js';

/** A request for the screen of the access to a space. */
type AccessRequest = ScreenRequest<'/s/{space}/~/access'>;

/** The most teams that are offered to give access to. */
const maxTeams = 1000;

/** Who may read and change a space, and why. */
export const accessScreen = screen({
  path: '/s/{space}/~/access',
  async show(request) {
    const { call, words, path } = request;
    const at = { spaceId: path.space };
    const space = await call(contentContract.getSpaceById, { path: at });
    const part = (name: string) => ({ path: at, query: { limit: 50, ...pageOf(request, name) } });
    const [teams, members, all, choices, around] = await Promise.all([
      call(contentContract.listTeamPermissionsInSpace, part('teams')),
      call(contentContract.listUserPermissionsInSpace, part('members')),
      call(contentContract.listPermissionsAggregateInSpace, part('page')),
      unlessRefused(
        call(identityContract.listTeamsInOrganizationById, {
          path: { organizationId: space.organization },
          query: { limit: maxTeams },
        }),
        undefined,
      ),
      spaceAround(request, space),
    ]);
    return {
      ...around,
      title: words.access.title,
      main: (
        <>
          <Heading title={words.access.title} lead={fill(words.access.lead, space.title)}>
            <a class="button" href={request.to.members(space.organization)}>
              {sign('user')} {words.people.members}
            </a>
          </Heading>
          {defaultLevelForm(request, space.defaultLevel)}
          {choices && givingForms(request, choices.items)}
          {teamsWithRole(request, teams)}
          {membersWithRole(request, members)}
          {everybody(request, all)}
        </>
      ),
    };
  },
  actions: {
    async level({ call, path, ...request }, fields) {
      await call(contentContract.updateSpaceById, {
        path: { spaceId: path.space },
        body: { defaultLevel: levelOf(fields.text('level')) },
      });
      return { to: here(request), done: 'saved' };
    },
    async 'give-member'(request, fields) {
      const user = await memberNamed(request, fields.text('who'));
      return give(request, fields, { users: [user] });
    },
    'give-team': (request, fields) => give(request, fields, { teams: [fields.text('team')] }),
    async 'team-role'({ call, path, ...request }, fields) {
      await call(contentContract.updateTeamPermissionInSpace, {
        path: { spaceId: path.space, teamId: fields.text('team') },
        body: { role: roleIn(fields) },
      });
      return { to: here(request), done: 'roleSet' };
    },
    async 'member-role'({ call, path, ...request }, fields) {
      await call(contentContract.updateUserPermissionInSpace, {
        path: { spaceId: path.space, userId: fields.text('member') },
        body: { role: roleIn(fields) },
      });
      return { to: here(request), done: 'roleSet' };
    },
    async 'remove-team'({ call, path, ...request }, fields) {
      await call(contentContract.removeTeamFromSpace, {
        path: { spaceId: path.space, teamId: fields.text('team') },
      });
      return { to: here(request), done: 'removed' };
    },
    async 'remove-member'({ call, path, ...request }, fields) {
      await call(contentContract.removeUserFromSpace, {
        path: { spaceId: path.space, userId: fields.text('member') },
      });
      return { to: here(request), done: 'removed' };
    },
  },
});

async function give(
  { call, path, ...request }: AccessRequest,
  fields: FormFields,
  whom: { users: string[] } | { teams: string[] },
): Promise<Onward> {
  const body = { role: roleIn(fields), ...whom };
  await call(contentContract.inviteToSpace, { path: { spaceId: path.space }, body });
  return { to: here(request), done: 'accessGiven' };
}

/** The id of the member whom an address, or a name that only one has, means. Throws 400 where it means nobody, or several. */
async function memberNamed({ call, path, words: { access } }: AccessRequest, who: string): Promise<string> {
  const space = await call(contentContract.getSpaceById, { path: { spaceId: path.space } });
  const { items } = await call(identityContract.listMembersInOrganizationById, {
    path: { organizationId: space.organization },
    query: { search: who.slice(0, 256), limit: 1000 },
  });
  const wanted = who.toLowerCase();
  const named = (value: string | undefined) => value?.toLowerCase() === wanted;
  const byAddress = items.find(({ user }) => named(user.email));
  if (who !== '' && byAddress) return byAddress.id;
  const byName = items.filter(({ user }) => named(user.displayName));
  const [only] = byName.length > 0 ? byName : items;
  if (who === '' || !only) throw invalid(fill(access.unknownMember, who));
  if ((byName.length > 0 ? byName : items).length > 1) throw invalid(fill(access.severalMembers, who));
  return only.id;
}
