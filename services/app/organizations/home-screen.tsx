import { identityContract } from '../../identity/contract.js';
import type { Organization, UserInvite } from '../../identity/resources.js';
import { Empty, Heading, Menu, Row, Rows, Section } from '../elements/elements.js';
import { Button, Field, Form } from '../elements/forms.js';
import { LinkedText } from '../elements/linked-text.js';
import { type ScreenRequest, screen } from '../frame/screen.js';
import { fill } from '../words/languages.js';

type Asking = Pick<ScreenRequest, 'call' | 'session'>;

/** Whether a session reaches one organization only: others, and invites to them, are not for it. */
const isScoped = ({ session: { caller } }: Asking): boolean => caller.kind === 'user' && caller.scope !== undefined;

/** Why an organization refuses the session: it requires a single sign-on. */
const refusalOf = ({ session: { caller } }: Asking, organization: string): string | undefined =>
  caller.kind === 'user' ? caller.memberships[organization]?.refused : undefined;

async function invitesOf(request: Asking): Promise<UserInvite[]> {
  if (isScoped(request)) return [];
  return (await request.call(identityContract.listUserInvites, { path: {}, query: { limit: 100 } })).items;
}

/** The organizations of a person, and those that invite them. Who belongs to one alone is led there, unless they ask for all. */
export const home = screen({
  path: '/',
  async show(request) {
    const { call, to, words, query, formToken, refused } = request;
    const [{ items }, invites] = await Promise.all([
      call(identityContract.listOrganizationsForAuthenticatedUser, { path: {}, query: { limit: 1000 } }),
      invitesOf(request),
    ]);
    const [only] = items;
    const isAll = query.has('all') || invites.length > 0 || refused !== undefined;
    if (only && items.length === 1 && !isAll) return { to: to.organization(only.id) };
    return {
      title: words.home.title,
      main: (
        <>
          <Heading title={words.home.title}>
            {!isScoped(request) && (
              <Menu label={words.home.newOrganization}>
                <Form token={formToken} action="create" to={to.organizations}>
                  <Field
                    label={words.home.name}
                    name="title"
                    required
                    minLength={2}
                    maxLength={255}
                    value={refused?.fields.text('title')}
                  />
                  <Button kind="primary">{words.home.createOrganization}</Button>
                </Form>
              </Menu>
            )}
          </Heading>
          {items.length === 0 && <Empty>{words.home.noOrganizations}</Empty>}
          <Rows label={words.home.title}>{items.map((each) => organizationRow(request, each))}</Rows>
          {invites.length > 0 && (
            <Section title={words.home.invites} id="invites">
              <Rows label={words.home.invites}>{invites.map((each) => inviteRow(request, each))}</Rows>
            </Section>
          )}
        </>
      ),
    };
  },
  actions: {
    async create({ call, to }, fields) {
      const made = await call(identityContract.createOrganization, { path: {}, body: { title: fields.text('title') } });
      return { to: to.organization(made.id), done: 'created' };
    },
    async accept({ call, to }, fields) {
      const organizationId = fields.text('organization');
      await call(identityContract.acceptUserInvite, { path: { organizationId } });
      return { to: to.organization(organizationId), done: 'joined' };
    },
    async decline({ call, to }, fields) {
      await call(identityContract.declineUserInvite, { path: { organizationId: fields.text('organization') } });
      return { to: to.organizations, done: 'declined' };
    },
  },
});

function organizationRow(request: ScreenRequest, { id, title }: Organization) {
  const refusal = refusalOf(request, id);
  if (refusal === undefined) return <Row href={request.to.organization(id)} title={title} />;
  return <Row title={title} about={<LinkedText text={refusal} />} />;
}

const inviteRow = ({ words, to, formToken }: ScreenRequest, { organization, invitedBy }: UserInvite) => (
  <Row title={organization.title} about={invitedBy && fill(words.home.invitedBy, invitedBy)}>
    <Form token={formToken} to={to.organizations} class="actions">
      <input type="hidden" name="organization" value={organization.id} />
      <Button action="accept" kind="primary">
        {words.home.accept}
      </Button>
      <Button action="decline">{words.home.decline}</Button>
    </Form>
  </Row>
);
