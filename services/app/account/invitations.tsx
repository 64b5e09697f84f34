import type { VNode } from 'preact';
import { identityContract } from '../../identity/contract.js';
import type { UserInvite } from '../../identity/resources.js';
import { Row, Rows, Section } from '../elements/elements.js';
import { Button, Form } from '../elements/forms.js';
import type { FormFields } from '../frame/form-fields.js';
import type { Onward, ScreenRequest } from '../frame/screen.js';
import { fill } from '../words/languages.js';

const maxShown = 100;

/** The invites by mail that wait for the person who is signed in; none for a session that reaches one organization alone. */
export async function waitingInvites({ call, session }: ScreenRequest): Promise<UserInvite[]> {
  const { caller } = session;
  if (caller.kind !== 'user' || caller.scope !== undefined) return [];
  return (await call(identityContract.listUserInvites, { path: {}, query: { limit: maxShown } })).items;
}

/** Invites that wait, to accept or to decline; nothing where there are none. */
export function invitationSection({ words, formToken }: ScreenRequest, invites: readonly UserInvite[]): VNode | null {
  const { inviting, people } = words;
  if (invites.length === 0) return null;
  return (
    <Section title={inviting.waiting} id="invitations">
      <Rows label={inviting.waiting}>
        {invites.map(({ organization, role, invitedBy }) => (
          <Row title={organization.title} about={fill(inviting.waitingText, invitedBy, people[role ?? 'guest'])}>
            <Form token={formToken} class="actions">
              <input type="hidden" name="organization" value={organization.id} />
              <Button action="accept" kind="primary">
                {inviting.accept}
              </Button>
              <Button action="decline">{inviting.decline}</Button>
            </Form>
          </Row>
        ))}
      </Rows>
    </Section>
  );
}

/** Accepting and declining. */
export const invitationActions = {
  async accept({ call, to }: ScreenRequest, fields: FormFields): Promise<Onward> {
    const organizationId = fields.text('organization');
    await call(identityContract.acceptUserInvite, { path: { organizationId } });
    return { to: to.organization(organizationId), done: 'joined' };
  },
  async decline({ call, to }: ScreenRequest, fields: FormFields): Promise<Onward> {
    await call(identityContract.declineUserInvite, { path: { organizationId: fields.text('organization') } });
    return { to: to.organizations, done: 'declined' };
  },
};
