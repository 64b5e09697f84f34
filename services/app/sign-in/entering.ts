import { identityContract, type OpenedSession } from '../../identity/contract.js';
import { sessionCookie } from '../contract.js';
import type { AppDependencies } from '../frame/app.js';
import type { Onward } from '../frame/screen.js';
import type { Visit } from '../frame/visit.js';
import { nextCookie, nextOf, rememberedNext } from './next.js';

/** Ends what a browser was signed in as before. */
async function leave({ session, request }: Visit, callAs: AppDependencies['callAs']): Promise<void> {
  if (!session) return;
  const call = callAs(session.caller, request);
  await call(identityContract.endUserSession, { path: { sessionId: session.id } }).catch(() => {});
}

export const agentOf = ({ request }: Visit): string => request.headers['user-agent'] ?? '';

interface Entering {
  callAs: AppDependencies['callAs'];
  opened: OpenedSession;
  /** Where its sign-in wanted to lead. Default: what its address or its cookie says. */
  next?: string | null;
}

/** Keeps the browser signed in, under a secret that is new, and as nobody else. */
export async function enter(visit: Visit, { callAs, opened, next }: Entering): Promise<Onward> {
  const { isSecure, url, to, request } = visit;
  const { secret, expiresAt, organization } = opened;
  await leave(visit, callAs);
  const asked = next === undefined ? (url.searchParams.get('next') ?? rememberedNext(request.headers.cookie)) : next;
  const wanted = nextOf(asked, to);
  const place = wanted === to.home && organization !== undefined ? to.organization(organization) : wanted;
  return { to: place, cookies: [sessionCookie(secret, expiresAt, { isSecure }), nextCookie('', to)] };
}
