import type { VNode } from 'preact';
import { describeInvite, type InviteDescription, identityContract } from '../../identity/contract.js';
import { Heading, Notice } from '../elements/elements.js';
import { Button, Form } from '../elements/forms.js';
import { type ScreenRequest, screen } from '../frame/screen.js';
import { fill } from '../words/languages.js';
import { roleName } from './roles.js';

type JoinRequest = ScreenRequest<'/join/{organization}/{invite}'>;

const inviteOf = ({ path }: Pick<JoinRequest, 'path'>) => ({ organization: path.organization, invite: path.invite });

/** Where an invite link leads. Opening it joins nothing; its button does. */
export const joiningScreen = screen({
  path: '/join/{organization}/{invite}',
  async show(request) {
    const { call, words } = request;
    const found = await call(describeInvite, inviteOf(request));
    if (!found) {
      const { goneTitle, goneText } = words.inviting;
      return { title: goneTitle, status: 404, main: <Heading title={goneTitle} lead={goneText} /> };
    }
    const title = fill(words.inviting.joinTitle, found.organization.title);
    return {
      title,
      main: (
        <>
          <Heading title={title} lead={offerOf(request, found)} />
          {found.linksOff ? <Notice kind="warning">{words.inviting.linksOff}</Notice> : answerOf(request, found)}
        </>
      ),
    };
  },
  actions: {
    async join(request) {
      const { call, path, to } = request;
      const found = await call(describeInvite, inviteOf(request));
      await call(identityContract.joinOrganizationWithInvite, {
        path: { organizationId: path.organization, inviteId: path.invite },
      });
      return { to: found ? targetOf({ to }, found) : to.home, done: 'joined' };
    },
  },
});

function offerOf({ words }: JoinRequest, { organization, to, role }: InviteDescription): string {
  const { joinOrganization, joinSpace, joinCollection } = words.inviting;
  const text = { organization: joinOrganization, space: joinSpace, collection: joinCollection }[to];
  return fill(text, organization.title, roleName(words, role));
}

function targetOf({ to }: Pick<JoinRequest, 'to'>, { to: kind, target }: InviteDescription): string {
  if (kind === 'space') return to.space(target);
  return kind === 'collection' ? to.collection(target) : to.organization(target);
}

function answerOf(request: JoinRequest, found: InviteDescription): VNode {
  const { words, session, formToken } = request;
  if (found.redundant)
    return (
      <>
        <p>{words.inviting.redundantText}</p>
        <p>
          <a class="button primary" href={targetOf(request, found)}>
            {words.inviting.goThere}
          </a>
        </p>
      </>
    );
  return (
    <>
      <p>{fill(words.inviting.joinAs, session.user.email ?? session.user.displayName)}</p>
      <Form token={formToken} action="join" class="single">
        <Button kind="primary">{words.inviting.join}</Button>
      </Form>
    </>
  );
}
