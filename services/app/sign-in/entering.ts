import { identityContract } from '../../identity/contract.js';
import { sessionCookie } from '../contract.js';
import type { AppDependencies } from '../frame/app.js';
import type { Onward } from '../frame/screen.js';
import type { Visit } from '../frame/visit.js';
import { nextCookie, nextOf, rememberedNext } from './next.js';

/** Ends what a browser was signed in as before. */
export async function leave({ session, request }: Visit, callAs: AppDependencies['callAs']): Promise<void> {
  if (!session) return;
  const call = callAs(session.caller, request);
  await call(identityContract.endUserSession, { path: { sessionId: session.id } }).catch(() => {});
}

export const agentOf = ({ request }: Visit): string => request.headers['user-agent'] ?? '';

interface Entered {
  secret: string;
  expiresAt: string;
  /** The one organization that it reaches. */
  organization?: string;
}

/** Keeps the browser signed in, under a secret that is new. `next` is where its sign-in wanted to lead. */
export function enter(
  { isSecure, url, to, request }: Visit,
  { secret, expiresAt, organization }: Entered,
  next = url.searchParams.get('next') ?? rememberedNext(request.headers.cookie),
): Onward {
  const wanted = nextOf(next, to);
  const place = wanted === to.home && organization !== undefined ? to.organization(organization) : wanted;
  return { to: place, cookies: [sessionCookie(secret, expiresAt, { isSecure }), nextCookie('', to)] };
}
