import type { Encoded } from '../../shared/contract/encoded.js';
import { defineContract } from '../../shared/contract/operation.js';
import { verb } from '../../shared/contract/verb.js';
import type { WebAnswer } from '../../shared/http/web-answer.js';

/** The app has no operations of the API: people come by the gateway, and it calls the operations of others for them. */
export const appContract = defineContract('app', {});

/** A request for a screen, as the gateway got it. */
export interface AppRequest {
  method: 'GET' | 'HEAD' | 'POST';
  /** Absolute, as the browser has it. */
  url: string;
  /** The headers among `appHeaders` that the request has. */
  headers: Record<string, string>;
  /** The body of a `POST`, in base64. */
  body?: string;
  /** Set where the body was larger than one may be: it is left out. */
  isTooLarge?: true;
  /** The network of the browser. */
  network: string;
  requestId: string;
}

/** The headers of a request that the app looks at. */
export const appHeaders = [
  'accept-language',
  'content-type',
  'cookie',
  'origin',
  'sec-fetch-site',
  'user-agent',
  'x-form-token',
];

/** The most bytes of a body: of a browser that is signed in, and of one that is not. */
export const maxAppBody = { ofMembers: 25 * 1024 * 1024, ofStrangers: 64 * 1024 };

/** Encoded where it is long. */
export const answerApp = verb<AppRequest, WebAnswer | Encoded<WebAnswer>>('app', 'answerApp');

/** Starts the path of the screens, and that of the files that they load. */
export const appPaths = { screens: '/app', assets: '/~app/' };

interface Secured {
  /** Whether people reach us by https. */
  isSecure: boolean;
}

/** The name of the cookie of a session. A browser lets nobody but this host set one with the prefix, which needs https. */
export const sessionCookieName = ({ isSecure }: Secured): string => (isSecure ? '__Host-session' : 'bindery_session');

/** The name of the cookie of a browser that is not signed in. */
export const browserCookieName = ({ isSecure }: Secured): string => (isSecure ? '__Host-browser' : 'bindery_browser');

/** The names of the cookies of the app, by https and by http. */
export const appCookieNames = [
  ...[true, false].flatMap((isSecure) => [sessionCookieName({ isSecure }), browserCookieName({ isSecure })]),
  'bindery_next',
  'bindery_language',
  'bindery_theme',
];

/** The cookie that keeps a browser signed in; an empty secret ends it. */
export function sessionCookie(secret: string, expiresAt: string, { isSecure }: Secured): string {
  const age = secret === '' ? 0 : Math.max(0, Math.floor((Date.parse(expiresAt) - Date.now()) / 1000));
  return `${sessionCookieName({ isSecure })}=${secret}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
