import type { FoundSession } from '../../identity/contract.js';
import type { AppRequest } from '../contract.js';
import type { Language } from '../words/languages.js';
import type { Words } from '../words/words.js';
import type { Addresses } from './addresses.js';
import type { FormFields } from './form-fields.js';
import type { Onward, Refusal, View } from './screen.js';

/** The session of a browser, with the secret of its cookie. */
export interface BrowserSession extends FoundSession {
  secret: string;
}

/** A request whose browser is known. */
export interface Visit {
  request: AppRequest;
  url: URL;
  /** Below `/app`. */
  path: string;
  /** The parts of the address that the path of an open screen names, decoded. */
  parameters: Record<string, string>;
  to: Addresses;
  words: Words;
  language: Language;
  theme: string;
  isSecure: boolean;
  session: BrowserSession | undefined;
  formToken: string;
  /** The secret of the browser that a sign-in in it is bound to, whoever is signed in meanwhile. Its cookie is set where there is none. */
  browser: () => string;
  /** Cookies to set with the answer. */
  cookies: string[];
  /** Notifications that the person has not read; absent until they are counted. */
  unread?: number;
}

/** A screen for people who are not signed in: it is asked with all that is known. */
interface OpenScreen {
  path: string;
  show: (visit: Visit, refused?: Refusal) => Promise<View | Onward>;
  actions?: Record<string, (visit: Visit, fields: FormFields) => Promise<Onward>>;
}

/** Answers a script of ours in a browser that is not signed in. */
interface OpenEndpoint {
  path: string;
  ask: (visit: Visit) => Promise<object>;
}

/** An address that a room adds for people who are not signed in. */
export type OpenRoute = OpenScreen | OpenEndpoint;
