import { setTimeout as pause } from 'node:timers/promises';
import { fileAnswer } from '../../../shared/assets/asset-answer.js';
import type { Assets } from '../../../shared/assets/open-assets.js';
import { bookIcon, pictureAnswer } from '../../../shared/assets/pictures.js';
import type { Caller } from '../../../shared/contract/caller.js';
import type { Call } from '../../../shared/contract/service.js';
import { apiError, type Failure, failureOf, isExpected, methodNotAllowed } from '../../../shared/errors/errors.js';
import { cookieNamed } from '../../../shared/http/cookies.js';
import type { WebAnswer } from '../../../shared/http/web-answer.js';
import type { Log } from '../../../shared/monitoring/log.js';
import type { Config } from '../../../shared/settings/config.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import { countUnreadNotifications } from '../../comments/contract.js';
import type { FoundSession } from '../../identity/contract.js';
import { type AppRequest, appPaths, maxAppBody, sessionCookie, sessionCookieName } from '../contract.js';
import { browserSecret } from '../sessions/cookies.js';
import { checkOrigin, formTokenOf } from '../sessions/form-tokens.js';
import type { SignIns } from '../sessions/sign-ins.js';
import { fill, languageOf, wordsIn } from '../words/languages.js';
import type { DoneKey } from '../words/words.js';
import { addressesBelow } from './addresses.js';
import { failureAnswer, jsonAnswer, onward, redirect, withCookies } from './answers.js';
import { iconPath, renderScreen } from './document.js';
import { failureView } from './failures.js';
import { type FormFields, readForm } from './form-fields.js';
import { policyFor } from './policy.js';
import { Presence } from './presence.js';
import { AppRouter, type Match } from './router.js';
import {
  type Endpoint,
  isOnward,
  type Onward,
  type Refusal,
  type Route,
  type ScreenRequest,
  type View,
} from './screen.js';
import type { BrowserSession, OpenRoute, Visit } from './visit.js';

export interface AppDependencies {
  config: Pick<Config, 'baseUrl'>;
  log: Log;
  assets: Assets;
  signIns: SignIns;
  callAs: (caller: Caller, from?: Pick<AppRequest, 'network' | 'requestId'>) => Call;
  /** Makes the tokens of forms. */
  formKey: Buffer;
}

/** Answers requests for screens: finds out who asks, calls the screen, puts it into the frame. */
export class App {
  private readonly router: AppRouter<Route>;
  private readonly openRouter: AppRouter<OpenRoute>;
  private readonly basePath: string;
  private readonly presence = new Presence();

  constructor(
    private readonly deps: AppDependencies,
    { routes, open }: { routes: Route[]; open: OpenRoute[] },
  ) {
    this.router = new AppRouter(routes);
    this.openRouter = new AppRouter(open);
    this.basePath = new URL(deps.config.baseUrl).pathname.replace(/\/+$/, '');
  }

  async answer(request: AppRequest): Promise<WebAnswer> {
    const url = new URL(request.url);
    const path = url.pathname.slice(this.basePath.length);
    if (path.startsWith(appPaths.assets)) return this.answerAsset(request, path.slice(appPaths.assets.length));
    const secret = cookieNamed(request.headers.cookie, sessionCookieName({ isSecure: url.protocol === 'https:' }));
    const [found] = await Promise.allSettled([
      this.deps.signIns.sessionOf(secret, { fresh: request.method === 'POST' }),
    ]);
    const session = found.status === 'fulfilled' && found.value ? { ...found.value, secret } : undefined;
    const visit = await this.visitOf(request, { url, path: path.slice(appPaths.screens.length) || '/', session });
    try {
      if (found.status === 'rejected') throw found.reason;
      return withCookies(await this.answerVisit(visit), visit.cookies);
    } catch (error) {
      return withCookies(this.refuse(visit, error), visit.cookies);
    }
  }

  private answerAsset(request: AppRequest, path: string): WebAnswer {
    if (request.method === 'POST') throw methodNotAllowed('POST', ['GET', 'HEAD']);
    if (path === iconPath) return pictureAnswer(bookIcon);
    return (
      fileAnswer(this.deps.assets, path) ?? { status: 404, headers: plainText, body: 'Not found\n', kind: 'missing' }
    );
  }

  private async visitOf(
    request: AppRequest,
    { url, path, session }: Pick<Visit, 'url' | 'path' | 'session'>,
  ): Promise<Visit> {
    const { cookie } = request.headers;
    const isSecure = url.protocol === 'https:';
    const browser = browserSecret(cookie, isSecure);
    const cookies = session || browser.set === undefined ? [] : [browser.set];
    const language = languageOf(cookieNamed(cookie, 'bindery_language'), request.headers['accept-language']);
    const theme = cookieNamed(cookie, 'bindery_theme');
    return {
      request,
      url,
      path,
      parameters: {},
      to: addressesBelow(this.basePath),
      words: await wordsIn(language),
      language,
      theme: theme === 'light' || theme === 'dark' ? theme : '',
      isSecure,
      session,
      formToken: formTokenOf(this.deps.formKey, session?.secret ?? browser.secret),
      browser() {
        if (browser.set !== undefined && cookies.length === 0) cookies.push(browser.set);
        return browser.secret;
      },
      cookies,
    };
  }

  private async answerVisit(visit: Visit): Promise<WebAnswer> {
    checkSize(visit);
    const open = this.openRouter.find(visit.path);
    if (open) return this.answerOpen({ ...visit, parameters: open.parameters }, open.route);
    const { session, to } = visit;
    if (!session) return redirect(`${to.signIn}?next=${encodeURIComponent(this.nextOf(visit))}`);
    const match = this.router.find(visit.path);
    if (!match) return this.frame(visit, failureView(visit, { status: 404 }));
    keepSignedIn(visit, session);
    const asked = this.requestOf(visit, session, match);
    return 'answer' in match.route
      ? this.answerEndpoint(visit, match.route, asked)
      : this.answerScreen(visit, { ...match, route: match.route }, asked);
  }

  /** Where a sign-in leads back to: a form that was sent cannot be sent again. */
  private nextOf({ request, url }: Visit): string {
    return request.method === 'POST' ? url.pathname : url.pathname + url.search;
  }

  private requestOf(visit: Visit, session: FoundSession, { parameters }: Match<Route>): ScreenRequest {
    const { url, words, language, theme, to, isSecure, formToken, request } = visit;
    return {
      path: parameters,
      query: url.searchParams,
      url: url.pathname,
      session,
      call: this.deps.callAs(session.caller, request),
      words,
      locale: language,
      theme,
      to,
      isSecure,
      formToken,
      origin: url.origin + this.basePath,
      agent: request.headers['user-agent'] ?? '',
      contentType: request.headers['content-type'] ?? '',
    };
  }

  private async answerEndpoint(visit: Visit, route: Endpoint, asked: ScreenRequest): Promise<WebAnswer> {
    return this.answerScript(visit, route.method, () => route.answer(asked, bodyOf(visit.request)));
  }

  private async answerScript(
    visit: Visit,
    method: Endpoint['method'],
    answer: () => Promise<WebAnswer>,
  ): Promise<WebAnswer> {
    const { request, formToken } = visit;
    const isRead = request.method !== 'POST';
    if (isRead !== (method === 'GET')) throw methodNotAllowed(request.method, [method]);
    const given = request.headers['x-form-token'] ?? '';
    try {
      if (!isRead) checkOrigin(request, { given, expected: formToken });
      return await answer();
    } catch (error) {
      return failureAnswer(this.noted(error, visit));
    }
  }

  private async answerScreen(visit: Visit, { route }: ScreenMatch, asked: ScreenRequest): Promise<WebAnswer> {
    if (visit.request.method !== 'POST') {
      const unread = countUnread(asked);
      return this.shownTo(visit, await route.show(asked), () => unread);
    }
    const fields = await this.fieldsOf(visit);
    const act = actionOf(route.actions, fields);
    try {
      return await this.shownTo(visit, await act(asked, fields), () => countUnread(asked));
    } catch (error) {
      const refused = this.refusalOf(visit, error, fields);
      const unread = countUnread(asked);
      return this.shownTo(visit, await route.show({ ...asked, refused }), () => unread, refused);
    }
  }

  /** With the number of notifications that the person has not read. A screen without it is better than none, or a late one. */
  private async shownTo(
    visit: Visit,
    answer: View | Onward,
    unread: () => Promise<number>,
    refused?: Refusal,
  ): Promise<WebAnswer> {
    if (isOnward(answer)) return onward(answer);
    const { session, request } = visit;
    if (session && answer.organization !== undefined)
      this.presence.note(session, answer.organization, this.deps.callAs(session.caller, request));
    visit.unread = answer.unread ?? (await Promise.race([unread(), pause(unreadMs, 0, { ref: false })]));
    return this.frame(visit, answer, refused);
  }

  private async answerOpen(visit: Visit, route: OpenRoute): Promise<WebAnswer> {
    if ('ask' in route) return this.answerScript(visit, 'POST', async () => jsonAnswer(await route.ask(visit)));
    if (visit.request.method !== 'POST') return this.shown(visit, await route.show(visit));
    const fields = await this.fieldsOf(visit);
    const act = actionOf(route.actions, fields);
    try {
      return onward(await act(visit, fields));
    } catch (error) {
      const refused = this.refusalOf(visit, error, fields);
      return this.shown(visit, await route.show(visit, refused), refused);
    }
  }

  /** Reads the form, and checks that it comes from a page of this browser. */
  private async fieldsOf({ request, formToken }: Visit): Promise<FormFields> {
    const fields = await readForm(bodyOf(request), request.headers['content-type'] ?? '');
    checkOrigin(request, { given: fields.raw('token'), expected: formToken });
    return fields;
  }

  private refusalOf(visit: Visit, error: unknown, fields: FormFields): Refusal {
    const { status, message, reason } = this.noted(error, visit);
    const text = status >= 500 && status !== 501 ? visit.words.frame.unavailableText : message;
    return { status, reason, message: text, fields };
  }

  private shown(visit: Visit, answer: View | Onward, refused?: Refusal): WebAnswer {
    return isOnward(answer) ? onward(answer) : this.frame(visit, answer, refused);
  }

  private frame(visit: Visit, view: View, refused?: Refusal): WebAnswer {
    const { words, language, theme, to, formToken, session, url, unread = 0 } = visit;
    const done = url.searchParams.get('done') ?? '';
    const body = renderScreen(view, {
      words,
      locale: language,
      theme,
      to,
      assets: this.deps.assets,
      assetsPath: `${this.basePath}${appPaths.assets}`,
      formToken,
      unread,
      ...(session ? { user: session.user } : {}),
      ...(view.organization === undefined ? {} : { search: to.search(view.organization) }),
      ...(Object.hasOwn(words.done, done) && !refused ? { done: done as DoneKey } : {}),
      refused,
    });
    return {
      status: refused?.status ?? view.status ?? 200,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'private, no-store',
        'Content-Security-Policy': policyFor({
          scripts: `http://${url.host}${this.basePath}${appPaths.assets}`,
          frames: view.frames ?? [],
          styleNonce: view.styleNonce,
        }),
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Referrer-Policy': 'same-origin',
      },
      body,
      kind: 'screen',
    };
  }

  private refuse(visit: Visit, error: unknown): WebAnswer {
    const failure = this.noted(error, visit);
    if (visit.request.headers['x-form-token'] !== undefined) return failureAnswer(failure);
    return this.frame(visit, failureView(visit, failure));
  }

  /** A person is told nothing of a fault of ours, so that the log is the only place for it. */
  private noted(err: unknown, { path, request: { requestId } }: Visit): Failure {
    // Not the address itself, which may hold an invitation.
    const route = this.openRouter.find(path)?.route.path ?? this.router.find(path)?.route.path;
    if (!isExpected(err)) this.deps.log.error({ err, route, requestId }, 'a screen of the app could not be made');
    return failureOf(err);
  }
}

interface ScreenMatch {
  route: Exclude<Route, Endpoint>;
}

/** Milliseconds that a screen waits for the number of notifications once it is made. */
const unreadMs = scaleMs(500);

const countUnread = ({ call }: ScreenRequest): Promise<number> => call(countUnreadNotifications, {}).catch(() => 0);

const plainText = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };

const bodyOf = ({ body = '' }: AppRequest): Buffer => Buffer.from(body, 'base64');

/** Throws 413 for more than somebody may send: that a browser is signed in, the gateway only sees by a cookie that says so. */
function checkSize({ request, session, words }: Visit): void {
  if (session && request.isTooLarge)
    throw apiError('TOO_LARGE', fill(words.frame.tooLarge, String(maxAppBody.ofMembers / 2 ** 20)));
  if (request.isTooLarge || (!session && bodyOf(request).length > maxAppBody.ofStrangers))
    throw apiError('TOO_LARGE', 'The form is too large');
}

function actionOf<A>(actions: Record<string, A> | undefined, fields: FormFields): A {
  const name = fields.raw('action');
  const act = actions && Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!act) throw methodNotAllowed('POST', ['GET', 'HEAD']);
  return act;
}

/** Lets the cookie of a session last as long as its use has prolonged it. A form may be what ends it. */
function keepSignedIn({ request, isSecure, cookies }: Visit, { isProlonged, expiresAt, secret }: BrowserSession): void {
  if (isProlonged && request.method === 'GET') cookies.push(sessionCookie(secret, expiresAt, { isSecure }));
}
