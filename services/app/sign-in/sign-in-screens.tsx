import { anonymous, system } from '../../../shared/contract/caller.js';
import {
  challengePasskey,
  describeLink,
  identityContract,
  listSignInProviders,
  openSessionByLink,
  openSessionByPasskey,
  openSessionByToken,
  passkeyDomain,
} from '../../identity/contract.js';
import { Heading } from '../elements/elements.js';
import { Button, Form } from '../elements/forms.js';
import type { AppDependencies } from '../frame/app.js';
import type { Onward, View } from '../frame/screen.js';
import type { OpenRoute, Visit } from '../frame/visit.js';
import { fill } from '../words/languages.js';
import { agentOf, enter } from './entering.js';
import { nextCookie, nextOf } from './next.js';
import { signInForms, type WaysIn } from './sign-in-forms.js';

interface Dependencies {
  callAs: AppDependencies['callAs'];
  /** Whether the server sends mails. */
  sendsMail: boolean;
  baseUrl: string;
}

/** Where people sign in: by a link, a passkey, a provider of their organization, or with an API token. Opening a link signs nobody in; its button does. */
export function signInScreens({ callAs, sendsMail, baseUrl }: Dependencies): OpenRoute[] {
  const hasPasskeys = passkeyDomain(baseUrl) !== null;
  const { origin } = new URL(baseUrl);

  async function waysIn({ url, request }: Visit): Promise<WaysIn> {
    const email = url.searchParams.get('email')?.trim() ?? '';
    const asked = email === '' || email.length > 254 ? {} : { email };
    return {
      sendsMail,
      takesPasskeys: hasPasskeys && url.origin === origin,
      providers: await callAs(anonymous, request)(listSignInProviders, asked),
    };
  }

  async function show(visit: Visit): Promise<View | Onward> {
    const code = visit.url.searchParams.get('code');
    if (code !== null) return confirmView(visit, code);
    if (visit.session) return { to: nextOf(visit.url.searchParams.get('next'), visit.to) };
    return startView(visit, await waysIn(visit));
  }

  async function confirmView(visit: Visit, code: string): Promise<View> {
    const { signIn } = visit.words;
    const found = code.length > 200 ? null : await callAs(system, visit.request)(describeLink, { code });
    if (!found) {
      const ways = await waysIn(visit);
      const expired = { title: signIn.expiredTitle, lead: signIn.expiredText };
      return {
        title: signIn.expiredTitle,
        status: 404,
        scripts: scriptsFor(ways),
        main: (
          <>
            <Heading {...expired} />
            {signInForms(visit, ways)}
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

  return [
    {
      path: '/sign-in',
      show,
      actions: {
        async redeem(visit, fields) {
          const { network } = visit.request;
          const use = { code: fields.raw('code'), agent: agentOf(visit), network };
          const opened = await callAs(anonymous, visit.request)(openSessionByLink, use);
          return enter(visit, { callAs, opened });
        },
        async token(visit, fields) {
          const use = { token: fields.text('api-token'), agent: agentOf(visit) };
          const opened = await callAs(anonymous, visit.request)(openSessionByToken, use);
          return enter(visit, { callAs, opened });
        },
        async passkey(visit, fields) {
          const use = { credential: fields.json('credential'), browser: visit.browser(), agent: agentOf(visit) };
          const opened = await callAs(anonymous, visit.request)(openSessionByPasskey, use);
          return enter(visit, { callAs, opened });
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
    {
      path: '/sign-in/passkey',
      ask: ({ browser, request }) =>
        callAs(anonymous, request)(challengePasskey, { browser: browser(), network: request.network }),
    },
  ];
}

function startView(visit: Visit, ways: WaysIn): View {
  const { signIn } = visit.words;
  return {
    title: signIn.title,
    scripts: scriptsFor(ways),
    main: (
      <>
        <Heading title={signIn.title} />
        {signInForms(visit, ways)}
      </>
    ),
  };
}

const scriptsFor = ({ takesPasskeys }: WaysIn): string[] => (takesPasskeys ? ['passkeys'] : []);
