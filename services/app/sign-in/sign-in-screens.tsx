import { anonymous, system } from '../../../shared/contract/caller.js';
import { describeLink, identityContract, openSessionByLink, openSessionByToken } from '../../identity/contract.js';
import { sessionCookie } from '../contract.js';
import { Heading, Notice } from '../elements/elements.js';
import { Button, Field, Form } from '../elements/forms.js';
import type { AppDependencies, OpenScreen, Visit } from '../frame/app.js';
import type { Onward, View } from '../frame/screen.js';
import { fill } from '../words/languages.js';
import { nextCookie, nextOf, rememberedNext } from './next.js';

interface Dependencies {
  callAs: AppDependencies['callAs'];
  /** Whether the server sends mails. */
  sendsMail: boolean;
}

/** Where people sign in: by a link, or with an API token. Opening a link signs nobody in; its button does. */
export function signInScreens({ callAs, sendsMail }: Dependencies): OpenScreen[] {
  async function show(visit: Visit): Promise<View | Onward> {
    const code = visit.url.searchParams.get('code');
    if (code !== null) return confirmView(visit, code);
    if (visit.session) return { to: nextOf(visit.url.searchParams.get('next'), visit.to) };
    return startView(visit, sendsMail);
  }

  async function confirmView(visit: Visit, code: string): Promise<View> {
    const { signIn } = visit.words;
    const found = code.length > 200 ? null : await callAs(system)(describeLink, { code });
    if (!found) {
      const expired = { title: signIn.expiredTitle, lead: signIn.expiredText };
      return {
        title: signIn.expiredTitle,
        status: 404,
        main: (
          <>
            <Heading {...expired} />
            {startForms(visit, sendsMail)}
          </>
        ),
      };
    }
    const { email, organization } = found;
    const title = fill(signIn.confirmTitle, email);
    return {
      title,
      main: (
        <>
          <Heading title={title} lead={fill(signIn.confirmText, email)} />
          {organization !== undefined && <p>{fill(signIn.confirmInvite, organization)}</p>}
          <Form token={visit.formToken} action="redeem">
            <input type="hidden" name="code" value={code} />
            <Button kind="primary">{signIn.confirm}</Button>
          </Form>
          <p class="hint-text">{signIn.notYou}</p>
        </>
      ),
    };
  }

  /** Ends what the browser was signed in as before. */
  async function leave({ session, request }: Visit): Promise<void> {
    if (!session) return;
    const call = callAs(session.caller, request);
    await call(identityContract.endUserSession, { path: { sessionId: session.id } }).catch(() => {});
  }

  const agentOf = ({ request }: Visit) => request.headers['user-agent'] ?? '';

  return [
    {
      path: '/sign-in',
      show,
      actions: {
        async redeem(visit, fields) {
          const { network } = visit.request;
          const use = { code: fields.raw('code'), agent: agentOf(visit), network };
          const opened = await callAs(anonymous, visit.request)(openSessionByLink, use);
          await leave(visit);
          return enter(visit, opened);
        },
        async token(visit, fields) {
          return enter(
            visit,
            await callAs(anonymous, visit.request)(openSessionByToken, {
              token: fields.text('api-token'),
              agent: agentOf(visit),
            }),
          );
        },
        async link(visit, fields) {
          const body = { email: fields.text('email') };
          await callAs(anonymous, visit.request)(identityContract.requestSignIn, { path: {}, body });
          const { to, url } = visit;
          const next = url.searchParams.get('next');
          const sent = next === null ? to.signIn : `${to.signIn}?next=${encodeURIComponent(next)}`;
          return { to: sent, done: 'linkSent', cookies: [nextCookie(nextOf(next, to), to)] };
        },
      },
    },
  ];
}

/** Keeps the browser signed in, under a secret that is new. */
export function enter(
  { isSecure, url, to, request }: Visit,
  { secret, expiresAt }: { secret: string; expiresAt: string },
): Onward {
  const next = url.searchParams.get('next') ?? rememberedNext(request.headers.cookie);
  return { to: nextOf(next, to), cookies: [sessionCookie(secret, expiresAt, { isSecure }), nextCookie('', to)] };
}

function startView(visit: Visit, sendsMail: boolean): View {
  const { signIn } = visit.words;
  return {
    title: signIn.title,
    main: (
      <>
        <Heading title={signIn.title} />
        {startForms(visit, sendsMail)}
      </>
    ),
  };
}

function startForms({ words: { signIn }, formToken }: Visit, sendsMail: boolean) {
  return (
    <div class="narrow">
      {sendsMail ? (
        <Form token={formToken} action="link" class="card">
          <Field label={signIn.email} name="email" type="email" autocomplete="email" required maxLength={254} />
          <Button kind="primary">{signIn.sendLink}</Button>
        </Form>
      ) : (
        <Notice>{signIn.noMail}</Notice>
      )}
      <details class="card" open={!sendsMail}>
        <summary>{signIn.withToken}</summary>
        <Form token={formToken} action="token">
          <Field
            label={signIn.token}
            name="api-token"
            type="password"
            autocomplete="off"
            required
            maxLength={200}
            hint={signIn.tokenHint}
          />
          <Button>{signIn.confirm}</Button>
        </Form>
      </details>
    </div>
  );
}
