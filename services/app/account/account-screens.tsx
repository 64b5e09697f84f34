import { identityContract } from '../../identity/contract.js';
import type { Session } from '../../identity/resources.js';
import { sessionCookie } from '../contract.js';
import { Heading, Notice, Row, Rows, Section, Time } from '../elements/elements.js';
import { Button, Check, Field, Form, Select } from '../elements/forms.js';
import { endOfDay } from '../frame/days.js';
import { pageOf } from '../frame/here.js';
import { type Route, type ScreenRequest, screen, type View } from '../frame/screen.js';
import { languages } from '../words/languages.js';
import { tokenSection } from './api-tokens.js';
import { invitationActions, invitationSection, waitingInvites } from './invitations.js';
import { mayHavePasskeys, passkeyActions, passkeyEndpoint, passkeySection } from './passkeys.js';

/** The screen of a person: profile, sign-ins, passkeys, API tokens. */
export const accountScreens = ({ baseUrl }: { baseUrl: string }): Route[] => [account(baseUrl), passkeyEndpoint()];

const year = 31_536_000;
const choice = (name: string, value: string): string =>
  `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${year}; SameSite=Lax`;

const account = (baseUrl: string): Route =>
  screen({
    path: '/account',
    show: (request) => accountView(request, baseUrl),
    actions: {
      async profile({ call, session, to }, fields) {
        const body = { displayName: fields.text('displayName'), commentMails: fields.isOn('commentMails') };
        await call(identityContract.updateUserById, { path: { userId: session.user.id }, body });
        return { to: to.account, done: 'saved' };
      },
      async look({ to }, fields) {
        const cookies = [
          choice('bindery_language', fields.text('language')),
          choice('bindery_theme', fields.text('theme')),
        ];
        return { to: to.account, done: 'saved', cookies };
      },
      async 'sign-out'({ call, session, to, isSecure }) {
        await call(identityContract.endUserSession, { path: { sessionId: session.id } });
        return { to: to.signIn, done: 'signedOut', cookies: [sessionCookie('', '', { isSecure })] };
      },
      async 'end-session'({ call, to }, fields) {
        await call(identityContract.endUserSession, { path: { sessionId: fields.text('session') } });
        return { to: to.account, done: 'sessionEnded' };
      },
      async 'end-others'({ call, to }) {
        await call(identityContract.endUserSessions, { path: {}, query: { others: true } });
        return { to: to.account, done: 'sessionsEnded' };
      },
      async create(request, fields) {
        const until = fields.optional('until');
        const expiry = until === undefined ? {} : { expiresAt: endOfDay(until, 'until') };
        const body = { label: fields.text('label'), ...expiry };
        const made = await request.call(identityContract.createUserToken, { path: {}, body });
        return accountView(request, baseUrl, made.token);
      },
      async revoke({ call, to }, fields) {
        await call(identityContract.deleteUserToken, { path: { tokenId: fields.text('api-token') } });
        return { to: to.account, done: 'tokenRevoked' };
      },
      ...invitationActions,
      ...passkeyActions,
    },
  });

/** The screen; the secret of a token that was just made is shown this once. */
async function accountView(request: ScreenRequest, baseUrl: string, secret?: string): Promise<View> {
  const { call, words, formToken } = request;
  // What is kept of the person who is signed in may be as it was before it was saved.
  const [user, sessions, tokens, invites, passkeys] = await Promise.all([
    call(identityContract.getAuthenticatedUser, { path: {} }),
    call(identityContract.listUserSessions, { path: {}, query: { limit: 100 } }),
    call(identityContract.listUserTokens, { path: {}, query: { limit: 1000, ...pageOf(request) } }),
    waitingInvites(request),
    mayHavePasskeys(request, baseUrl) ? passkeySection(request) : null,
  ]);
  const { account } = words;
  return {
    title: account.title,
    scripts: passkeys ? ['passkeys'] : [],
    main: (
      <>
        <Heading title={account.title} lead={user.email} />
        {secret !== undefined && (
          <Notice kind="success">
            <p>{account.tokenShownOnce}</p>
            <code class="secret">{secret}</code>
          </Notice>
        )}
        {invitationSection(request, invites)}
        <Section title={account.profile} id="profile">
          <Form token={formToken} action="profile">
            <Field
              label={account.displayName}
              name="displayName"
              value={user.displayName}
              required
              maxLength={64}
              autocomplete="name"
            />
            <Check label={account.commentMails} name="commentMails" checked={user.commentMails ?? true} />
            <Button kind="primary">{words.frame.save}</Button>
          </Form>
        </Section>
        <Section title={account.theme} id="look">
          <Form token={formToken} action="look">
            <Select label={account.language} name="language" value={request.locale} options={languageOptions} />
            <Select label={account.theme} name="theme" value={request.theme} options={themeOptions(request)} />
            <Button>{words.frame.save}</Button>
          </Form>
        </Section>
        <Section title={account.sessions} id="sessions">
          <Rows label={account.sessions}>{sessions.items.map((each) => sessionRow(request, each))}</Rows>
          <Form token={formToken} action="end-others">
            <Button kind="danger">{account.endOthers}</Button>
          </Form>
        </Section>
        {passkeys}
        {tokenSection(request, tokens)}
      </>
    ),
  };
}

const languageOptions = Object.entries(languages).map(([value, { name }]) => ({ value, text: name }));

const themeOptions = ({ words: { account } }: ScreenRequest) => [
  { value: '', text: account.themeSystem },
  { value: 'light', text: account.themeLight },
  { value: 'dark', text: account.themeDark },
];

const sessionRow = ({ words, locale, formToken }: ScreenRequest, { id, browser, current, lastUsedAt }: Session) => (
  <Row
    title={browser}
    about={
      current ? (
        words.account.thisBrowser
      ) : (
        <>
          {words.account.lastUsed.replace('{0}', '')} <Time iso={lastUsedAt} locale={locale} />
        </>
      )
    }
  >
    {!current && (
      <Form token={formToken} action="end-session">
        <input type="hidden" name="session" value={id} />
        <Button>{words.account.endSession}</Button>
      </Form>
    )}
  </Row>
);
