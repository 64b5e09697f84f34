import { z } from 'zod';
import type { Caller } from '../../../shared/contract/caller.js';
import { operation } from '../../../shared/contract/operation.js';
import { question, verb } from '../../../shared/contract/verb.js';
import { listOf, pageQuery } from '../../../shared/lists/paging.js';
import { sessionSchema, type User } from '../resources.js';
import { anyUser } from './access-rules.js';

export const sessionOperations = {
  listUserSessions: operation({
    method: 'GET',
    path: '/user/sessions',
    summary: 'List the browsers in which the user is signed in',
    tag: 'Users',
    access: anyUser,
    query: pageQuery,
    status: 200,
    response: listOf(sessionSchema),
  }),
  endUserSession: operation({
    method: 'DELETE',
    path: '/user/sessions/{sessionId}',
    summary: 'Sign a browser out',
    tag: 'Users',
    access: anyUser,
    changesCaller: true,
    status: 205,
  }),
  endUserSessions: operation({
    method: 'DELETE',
    path: '/user/sessions',
    summary: 'Sign all browsers out',
    tag: 'Users',
    access: anyUser,
    query: z.object({
      others: z.boolean().default(false).meta({ description: 'All but the one that asks.' }),
    }),
    changesCaller: true,
    status: 205,
  }),
};

/** The sign-in of a browser, as the app sees it. */
export interface FoundSession {
  id: string;
  caller: Caller;
  expiresAt: string;
  /** Whether this use moved `expiresAt`: the cookie of the browser has to follow. */
  isProlonged: boolean;
  /** Whether it lasts by itself and reaches all that its user does, as the passkeys that it adds will. */
  mayAddPasskeys: boolean;
  user: User;
}

/** The session of a secret, named by its SHA-256; null where it has ended. */
export const findSession = question<{ hash: string }, FoundSession | null>('identity', 'findSession');

/** The part of a new session that its browser is given. */
export interface OpenedSession {
  /** For its cookie; stored nowhere else. */
  secret: string;
  expiresAt: string;
  /** The one organization that it reaches, after a single sign-on. */
  organization?: string;
}

/** Signs a browser in with the code of a link: of a mail, or of the first start. 404 for a code that is unknown, used or expired. */
export const openSessionByLink = verb<{ code: string; agent: string; network: string }, OpenedSession>(
  'identity',
  'openSessionByLink',
);

/** Names whom a link would sign in, by the address of the mail, and the organization whose invite it accepts; null for a code that is unknown, used or expired. */
export const describeLink = question<{ code: string }, { email: string; organization?: string } | null>(
  'identity',
  'describeLink',
);

/** Signs a browser in with an API token. 401 for one that is not valid. */
export const openSessionByToken = verb<{ token: string; agent: string }, OpenedSession>(
  'identity',
  'openSessionByToken',
);
