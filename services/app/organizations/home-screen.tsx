import { identityContract } from '../../identity/contract.js';
import type { Organization } from '../../identity/resources.js';
import { invitationActions, invitationSection, waitingInvites } from '../account/invitations.js';
import { Empty, Heading, Menu, Row, Rows } from '../elements/elements.js';
import { Button, Field, Form } from '../elements/forms.js';
import { LinkedText } from '../elements/linked-text.js';
import { fieldsSentBy } from '../frame/refusals.js';
import { type ScreenRequest, screen } from '../frame/screen.js';

type Asking = Pick<ScreenRequest, 'call' | 'session'>;

/** Whether a session reaches one organization only: others, and invites to them, are not for it. */
const isScoped = ({ session: { caller } }: Asking): boolean => caller.kind === 'user' && caller.scope !== undefined;

/** Why an organization refuses the session: it requires a single sign-on. */
const refusalOf = ({ session: { caller } }: Asking, organization: string): string | undefined =>
  caller.kind === 'user' ? caller.memberships[organization]?.refused : undefined;

/** The organizations of a person, and those that invite them. Who belongs to one alone is led there, unless they ask for all. */
export const home = screen({
  path: '/',
  async show(request) {
    const { call, to, words, query, formToken, refused } = request;
    const [{ items }, invites] = await Promise.all([
      call(identityContract.listOrganizationsForAuthenticatedUser, { path: {}, query: { limit: 1000 } }),
      waitingInvites(request),
    ]);
    const [only] = items;
    const sent = fieldsSentBy(request, 'create');
    const isAll = query.has('all') || invites.length > 0 || refused !== undefined;
    if (only && items.length === 1 && !isAll) return { to: to.organization(only.id) };
    return {
      title: words.home.title,
      main: (
        <>
          <Heading title={words.home.title}>
            {!isScoped(request) && (
              <Menu label={words.home.newOrganization} open={sent !== undefined}>
                <Form token={formToken} action="create" to={to.organizations}>
                  <Field
                    label={words.home.name}
                    name="title"
                    required
                    minLength={2}
                    maxLength={255}
                    value={sent?.text('title')}
                  />
                  <Button kind="primary">{words.home.createOrganization}</Button>
                </Form>
              </Menu>
            )}
          </Heading>
          {items.length === 0 && <Empty>{words.home.noOrganizations}</Empty>}
          <Rows label={words.home.title}>{items.map((each) => organizationRow(request, each))}</Rows>
          {invitationSection(request, invites)}
        </>
      ),
    };
  },
  actions: {
    async create({ call, to }, fields) {
      const made = await call(identityContract.createOrganization, { path: {}, body: { title: fields.text('title') } });
      return { to: to.organization(made.id), done: 'created' };
    },
    ...invitationActions,
  },
});

function organizationRow(request: ScreenRequest, { id, title }: Organization) {
  const refusal = refusalOf(request, id);
  if (refusal === undefined) return <Row href={request.to.organization(id)} title={title} />;
  return <Row title={title} about={<LinkedText text={refusal} />} />;
}
