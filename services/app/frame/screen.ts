import type { VNode } from 'preact';
import type { Call } from '../../../shared/contract/service.js';
import type { Failure } from '../../../shared/errors/errors.js';
import type { WebAnswer } from '../../../shared/http/web-answer.js';
import type { FoundSession } from '../../identity/contract.js';
import type { DoneKey, Words } from '../words/words.js';
import type { Addresses } from './addresses.js';
import type { FormFields } from './form-fields.js';

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Long}...` ? Long : Name) | ParameterNames<Rest>
  : never;

/** A request for a screen, and who asks. */
export interface ScreenRequest<P extends string = string> {
  /** The parts of the address that the path of the screen names, decoded. */
  path: { [N in ParameterNames<P>]: string };
  query: URLSearchParams;
  /** The path of the address, to mark it in navigations. */
  url: string;
  /** Who is signed in. */
  session: FoundSession;
  /** Calls any operation as the person who is signed in, with their rights and in their name. */
  call: Call;
  words: Words;
  /** A language tag, for dates and numbers. */
  locale: string;
  /** `light`, `dark`, or empty for as the system. */
  theme: string;
  to: Addresses;
  /** Whether this browser reaches us by https. */
  isSecure: boolean;
  /** The token of the forms of this browser. */
  formToken: string;
  /** Absolute: the origin and path of the server as this browser has it. */
  origin: string;
  /** The headers `user-agent` and `content-type`. */
  agent: string;
  contentType: string;
  /** Set where an action was refused: the screen is shown again with the fields as they were sent. */
  refused?: Refusal;
}

/** Why an action did nothing. */
export interface Refusal {
  status: number;
  reason: Failure['reason'];
  /** For people. */
  message: string;
  fields: FormFields;
}

/** An entry of the way from the organization to what is shown. */
export interface Crumb {
  title: string;
  href: string;
}

/** A screen, ready to be put into the frame. */
export interface View {
  /** For the tab of the browser; the heading is a part of `main`. */
  title: string;
  main: VNode;
  crumbs?: Crumb[];
  /** The id of the organization that it is about: its search stands above. */
  organization?: string;
  /** Navigation beside it. */
  sidebar?: VNode | null;
  /** Whether it takes the whole width, as tables and editors do. */
  wide?: boolean;
  /** Scripts beside the common one, by their names in `appSources`. */
  scripts?: string[];
  /** Origins of frames in it. */
  frames?: readonly string[];
  /** Allows stylesheets that a script of ours makes: a nonce in its meta element `style-nonce`. */
  styleNonce?: string;
  status?: number;
  /** The notifications that the person has not read, where the screen itself counted them. */
  unread?: number;
}

/** Leads the browser on; `done` names what the next screen says was done. */
export interface Onward {
  to: string;
  done?: DoneKey;
  /** `Set-Cookie` of the answer. */
  cookies?: string[];
}

export const isOnward = (answer: object): answer is Onward => 'to' in answer;

/** Does what a form asks for, and leads on; it answers a screen itself where that can be shown only once. Throws what the screen then says. */
type Action<P extends string> = (request: ScreenRequest<P>, fields: FormFields) => Promise<Onward | View>;

interface ScreenOptions<P extends string> {
  /** Below `/app`: `/s/{space}/~/history`; a last part `{page...}` takes the rest of the address. */
  path: P;
  show: (request: ScreenRequest<P>) => Promise<View | Onward>;
  /** By the value of the button `action` of its forms. */
  actions?: Record<string, Action<NoInfer<P>>>;
}

/** Answers a program of ours in the browser: a script, or a picture. */
interface EndpointOptions<P extends string> {
  path: P;
  method: 'GET' | 'POST';
  answer: (request: ScreenRequest<P>, body: Buffer) => Promise<WebAnswer>;
}

export type Screen = ScreenOptions<string>;
export type Endpoint = EndpointOptions<string>;
/** A screen or an endpoint that a room adds to the app. */
export type Route = Screen | Endpoint;

/** Declares a screen for people who are signed in. */
export const screen = <const P extends string>(options: ScreenOptions<P>): Screen => options as unknown as Screen;

/** Declares an address for our scripts, and for people who are signed in alone. */
export const endpoint = <const P extends string>(options: EndpointOptions<P>): Endpoint =>
  options as unknown as Endpoint;
