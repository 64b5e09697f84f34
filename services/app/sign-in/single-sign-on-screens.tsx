import { anonymous } from '../../../shared/contract/caller.js';
import { failureOf, methodNotAllowed } from '../../../shared/errors/errors.js';
import { finishOIDCSignIn, startOIDCSignIn } from '../../identity/contract.js';
import { Heading } from '../elements/elements.js';
import type { AppDependencies } from '../frame/app.js';
import type { Onward, View } from '../frame/screen.js';
import type { OpenRoute, Visit } from '../frame/visit.js';
import { agentOf, enter } from './entering.js';
import { nextOf } from './next.js';

/** Leads to an OpenID Connect provider, and takes the browser back from there. */
export function singleSignOnScreens({ callAs }: Pick<AppDependencies, 'callAs'>): OpenRoute[] {
  async function start(visit: Visit): Promise<Onward> {
    const { parameters, request, browser, url, to } = visit;
    const next = url.searchParams.get('next');
    const { redirect } = await callAs(anonymous, request)(startOIDCSignIn, {
      provider: parameters.provider ?? '',
      browser: browser(),
      network: request.network,
      ...(next === null ? {} : { returnTo: nextOf(next, to) }),
    });
    return { to: redirect };
  }

  async function finish(visit: Visit): Promise<Onward> {
    const { parameters, request, browser, url } = visit;
    const opened = await callAs(anonymous, request)(finishOIDCSignIn, {
      provider: parameters.provider ?? '',
      parameters: url.search.slice(1),
      browser: browser(),
      agent: agentOf(visit),
    });
    return enter(visit, { callAs, opened, next: opened.returnTo ?? null });
  }

  /** A `HEAD` would use the answer up, and signs nobody in. */
  const step = (go: (visit: Visit) => Promise<Onward>) => async (visit: Visit) => {
    if (visit.request.method !== 'GET') throw methodNotAllowed(visit.request.method, ['GET']);
    return go(visit).catch((error) => refusalView(visit, error));
  };
  return [
    { path: '/sign-in/oidc/{provider}/start', show: step(start) },
    { path: '/sign-in/oidc/{provider}/callback', show: step(finish) },
  ];
}

/** Says why nobody was signed in, as plain text; the fault of a service is shown as everywhere. */
function refusalView({ words: { signIn }, to }: Visit, error: unknown): View {
  const { status, message } = failureOf(error);
  if (status >= 500 || status === 404) throw error;
  return {
    title: signIn.failedTitle,
    status,
    main: (
      <>
        <Heading title={signIn.failedTitle} lead={message} />
        <p>
          <a class="button" href={to.signIn}>
            {signIn.startAgain}
          </a>
        </p>
      </>
    ),
  };
}
