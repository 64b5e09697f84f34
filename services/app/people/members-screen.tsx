import type { VNode } from 'preact';
import { identityContract } from '../../identity/contract.js';
import { type Organization, roles } from '../../identity/resources.js';
import { Empty, Heading, Pager, Rows, sign } from '../elements/elements.js';
import { here, nextEntries, pageOf } from '../frame/here.js';
import { type ScreenRequest, screen } from '../frame/screen.js';
import { organizationAround } from '../organizations/around.js';
import { fill } from '../words/languages.js';
import { Finder } from './finder.js';
import { memberRow } from './member-row.js';
import { roleChoices, roleIn } from './roles.js';

const maxSearch = 256;
const choosableRoles = [...roles, 'guest'] as const;

/** The members of an organization, with what its admins do with them. */
export const membersScreen = screen({
  path: '/o/{organization}/members',
  async show(request) {
    const { call, to, words, path, query } = request;
    const organizationId = path.organization;
    const search = (query.get('q') ?? '').trim().slice(0, maxSearch);
    const role = choosableRoles.find((each) => each === query.get('role'));
    const [organization, list, around] = await Promise.all([
      call(identityContract.getOrganizationById, { path: { organizationId } }),
      call(identityContract.listMembersInOrganizationById, {
        path: { organizationId },
        query: {
          limit: 50,
          order: 'asc',
          ...(search ? { search } : {}),
          ...(role ? { role } : {}),
          ...pageOf(request),
        },
      }),
      organizationAround(request, organizationId, to.members(organizationId)),
    ]);
    return {
      ...around,
      title: words.people.members,
      main: (
        <>
          {heading(request, organization, list.count)}
          <Finder label={words.people.search} button={words.people.find} value={search} maxLength={maxSearch}>
            {roleFilter(request, role)}
          </Finder>
          {list.items.length === 0 && <Empty>{words.people.noMembers}</Empty>}
          <Rows label={words.people.members}>
            {list.items.map((member) => memberRow(request, member, organization))}
          </Rows>
          <Pager next={nextEntries(request, list)} text={words.people.moreMembers} />
        </>
      ),
    };
  },
  actions: {
    async role({ call, path, ...request }, fields) {
      await call(identityContract.updateMemberInOrganizationById, {
        path: { organizationId: path.organization, userId: fields.text('member') },
        body: { role: roleIn(fields) },
      });
      return { to: here(request), done: 'roleSet' };
    },
    async disable({ call, path, ...request }, fields) {
      await call(identityContract.updateMemberInOrganizationById, {
        path: { organizationId: path.organization, userId: fields.text('member') },
        body: { disabled: true },
      });
      return { to: here(request), done: 'saved' };
    },
    async enable({ call, path, ...request }, fields) {
      await call(identityContract.updateMemberInOrganizationById, {
        path: { organizationId: path.organization, userId: fields.text('member') },
        body: { disabled: false },
      });
      return { to: here(request), done: 'saved' };
    },
    async sso({ call, path, ...request }, fields) {
      await call(identityContract.setUserAsSSOMemberForOrganization, {
        path: { organizationId: path.organization, userId: fields.text('member') },
      });
      return { to: here(request), done: 'saved' };
    },
    async remove({ call, path, session, to, ...request }, fields) {
      const userId = fields.text('member');
      await call(identityContract.removeMemberFromOrganizationById, {
        path: { organizationId: path.organization, userId },
      });
      return userId === session.user.id ? { to: to.home, done: 'left' } : { to: here(request), done: 'removed' };
    },
  },
});

const heading = ({ words, to }: ScreenRequest, { id, title, permissions }: Organization, count: number): VNode => (
  <Heading title={words.people.members} lead={`${title} · ${fill(words.people.membersCount, count)}`}>
    {permissions.admin && (
      <a class="button primary" href={to.inviting(id)}>
        {sign('user-plus')} {words.inviting.invite}
      </a>
    )}
  </Heading>
);

const roleFilter = ({ words }: ScreenRequest, chosen: string | undefined): VNode => (
  <select name="role" aria-label={words.people.role}>
    <option value="">{words.people.anyRole}</option>
    {roleChoices(words, { guests: true }).map(({ value, text }) => (
      <option value={value} selected={value === chosen}>
        {text}
      </option>
    ))}
  </select>
);
