import type { VNode } from 'preact';
import { invalid } from '../../../shared/errors/errors.js';
import { identityContract } from '../../identity/contract.js';
import type { Organization, OrganizationInvite } from '../../identity/resources.js';
import { Empty, Heading, Notice, Pager, Row, Rows, Section, Time } from '../elements/elements.js';
import { Button, Check, Field, Form, Select, TextArea } from '../elements/forms.js';
import { WebAddress } from '../elements/web-address.js';
import { endOfDay } from '../frame/days.js';
import { here, nextEntries, pageOf } from '../frame/here.js';
import { type ScreenRequest, screen, type View } from '../frame/screen.js';
import { organizationAround } from '../organizations/around.js';
import { linkCommand } from '../sign-in/link-command.js';
import { fill } from '../words/languages.js';
import { RemoveForm, roleChoices, roleIn, roleName } from './roles.js';

type Inviting = ScreenRequest<'/o/{organization}/members/invite'>;

export interface MailSettings {
  /** Whether the server sends mails. */
  sendsMail: boolean;
}

/** Invites people: by their addresses, or by links that anybody who has one may use. */
export const invitingScreen = (server: MailSettings) =>
  screen({
    path: '/o/{organization}/members/invite',
    show: (request) => invitingView(request, server),
    actions: {
      async mail(request, fields) {
        const { call, path, to } = request;
        const emails = addressesIn(fields.text('addresses'));
        if (emails.length === 0) throw invalid('emails: required');
        const role = fields.text('role') === '' ? {} : { role: roleIn(fields) };
        const { failedSSOEmails: failed } = await call(identityContract.inviteUsersToOrganization, {
          path: { organizationId: path.organization },
          body: { emails, ...role, sso: fields.isOn('sso') },
        });
        if (failed) return invitingView(request, server, failed);
        // Without mail, the screen itself says what is left to do.
        const { organization } = path;
        return { to: server.sendsMail ? to.members(organization) : to.inviting(organization), done: 'invited' };
      },
      async link({ call, path, to }, fields) {
        const until = fields.optional('until');
        const expiry = until === undefined ? {} : { expiresAt: endOfDay(until, 'until') };
        await call(identityContract.createOrganizationInvite, {
          path: { organizationId: path.organization },
          body: { role: roleIn(fields, 'link-role'), ...expiry },
        });
        return { to: `${to.inviting(path.organization)}#by-link`, done: 'created' };
      },
      async revoke({ call, path, ...request }, fields) {
        await call(identityContract.deleteOrganizationInviteById, {
          path: { organizationId: path.organization, inviteId: fields.text('invite') },
        });
        return { to: `${here(request)}#by-link`, done: 'linkRevoked' };
      },
    },
  });

/** Reads addresses as people paste them: on lines of their own, between commas, or with a name before each. */
const addressesIn = (text: string): string[] =>
  text
    .split(/[\n,;]+/)
    .map((part) => /<([^<>]*)>/.exec(part)?.[1] ?? part)
    .flatMap((part) => part.trim().split(/\s+/))
    .filter((part) => part !== '');

/** The screen; `failed` names members who may not use single sign-on. */
async function invitingView(request: Inviting, { sendsMail }: MailSettings, failed?: string[]): Promise<View> {
  const { call, to, words, path } = request;
  const organizationId = path.organization;
  const [organization, links, around] = await Promise.all([
    call(identityContract.getOrganizationById, { path: { organizationId } }),
    call(identityContract.listOrganizationInviteLinks, {
      path: { organizationId },
      query: { limit: 50, ...pageOf(request) },
    }),
    organizationAround(request, organizationId, to.members(organizationId)),
  ]);
  const { inviting } = words;
  return {
    ...around,
    title: inviting.title,
    crumbs: [{ title: words.people.members, href: to.members(organizationId) }],
    main: (
      <>
        <Heading title={inviting.title} lead={organization.title} />
        {failed && <Notice kind="warning">{fill(inviting.notSso, failed.join(', '))}</Notice>}
        {!sendsMail && <Notice kind="warning">{fill(inviting.noMail, linkCommand)}</Notice>}
        {mailForm(request, { ...organization, sendsMail })}
        <Section title={inviting.byLink} id="by-link">
          {organization.inviteLinks ? (
            <p>{inviting.byLinkText}</p>
          ) : (
            <Notice kind="warning">{inviting.linksOff}</Notice>
          )}
          {links.items.length === 0 && <Empty>{inviting.noLinks}</Empty>}
          <Rows label={inviting.byLink}>{links.items.map((link) => linkRow(request, link))}</Rows>
          <Pager next={nextEntries(request, links)} text={inviting.moreLinks} />
          {linkForm(request)}
        </Section>
      </>
    ),
  };
}

const mailForm = ({ words, formToken, refused }: Inviting, { sso, sendsMail }: Organization & MailSettings): VNode => (
  <Section title={words.inviting.byMail} id="by-mail">
    {sendsMail && <p>{words.inviting.byMailText}</p>}
    <Form token={formToken} action="mail" class="panel">
      <TextArea
        label={words.inviting.addresses}
        name="addresses"
        rows={4}
        required
        maxLength={150_000}
        value={refused?.fields.raw('addresses') ?? ''}
      />
      <Select
        label={words.people.role}
        name="role"
        value={refused?.fields.text('role')}
        options={[{ value: '', text: words.inviting.byDefault }, ...roleChoices(words, { guests: true })]}
      />
      <Check label={words.inviting.withSso} name="sso" checked={refused?.fields.isOn('sso') ?? sso ?? false} />
      <Button kind="primary">{words.inviting.send}</Button>
    </Form>
  </Section>
);

const linkForm = ({ words, formToken, refused }: Inviting): VNode => (
  <Form token={formToken} action="link" class="inline">
    <Select
      label={words.people.role}
      name="link-role"
      value={refused?.fields.text('link-role') || 'read'}
      options={roleChoices(words, { guests: true })}
    />
    <Field
      label={`${words.inviting.until} ${words.frame.optional}`}
      name="until"
      type="date"
      value={refused?.fields.text('until')}
    />
    <Button>{words.inviting.createLink}</Button>
  </Form>
);

function linkRow({ words, locale, formToken, to, origin, path }: Inviting, link: OrganizationInvite): VNode {
  const { inviting } = words;
  const { id, role, expiresAt } = link;
  return (
    <Row
      title={fill(inviting.linkGives, roleName(words, role))}
      about={
        <>
          <WebAddress forOthers href={absolute(origin, to, to.join(path.organization, id))} words={words} />
          {expiresAt === undefined ? (
            inviting.validForever
          ) : (
            <>
              {fill(inviting.validUntil, '')} <Time iso={expiresAt} locale={locale} short />
            </>
          )}
        </>
      }
    >
      <RemoveForm formToken={formToken} action="revoke" of={{ field: 'invite', id }} confirm={inviting.revokeLinkSure}>
        {inviting.revokeLink}
      </RemoveForm>
    </Row>
  );
}

/** An address to hand to others. The origin holds the path of the server already. */
const absolute = (origin: string, { root }: Inviting['to'], address: string): string =>
  origin + address.slice(root.length);
