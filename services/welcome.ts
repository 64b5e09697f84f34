import type { Platform } from '../shared/platform.js';
import type { Config } from '../shared/settings/config.js';
import { scaled } from '../shared/settings/time-scale.js';
import {
  claimAnnouncement,
  type FirstStart,
  pendingAnnouncement,
  recordAnnouncement,
} from './identity/first-start/announcement.js';

const lookMs = 100;
const lookAgainMs = 5_000;
/** The import of the handbook takes a second where the content service runs. Without that service the banner comes after this time. */
const handbookWaitMs = scaled(30_000);

const plain = /^[\w./:=@%+,-]+$/;

/** Quotes text as one word of a POSIX shell. */
const shellWord = (text: string) => (plain.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

interface Banner extends Pick<Config, 'baseUrl'> {
  first: FirstStart;
  /** Whether the handbook is imported. */
  handbook: boolean;
}

/** Words the banner: addresses to open in a browser, and commands to paste for addresses that need the token. */
export function banner({ baseUrl, first, handbook }: Banner): string {
  const { organization, token, space } = first;
  const ask = (path: string) =>
    token === null
      ? `curl -H "Authorization: Bearer $BOOTSTRAP_TOKEN" ${shellWord(`${baseUrl}${path}`)}`
      : `curl -H ${shellWord(`Authorization: Bearer ${token}`)} ${shellWord(`${baseUrl}${path}`)}`;
  return `
  Bindery is ready.

    URL           ${baseUrl}
    API reference ${baseUrl}/docs
    Handbook      ${baseUrl}/handbook
    Organization  ${organization}
    API token     ${token ?? 'the value of BOOTSTRAP_TOKEN'}

  ${token === null ? 'Try' : 'The token is shown this once. Try'}:

    ${ask('/v1/user')}

  The handbook is also the first space${handbook ? '' : ' as soon as the content service runs'}. Its pages:

    ${ask(`/v1/spaces/${space}/content/pages`)}

`;
}

/** Prints the banner after the first start, once among all processes. Failures are retried. */
export function welcome(platform: Platform): { stop(): Promise<void> } {
  const { store, config, log } = platform;
  const began = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();

  /** Returns the milliseconds to wait before the next look; null when nothing is left to announce. */
  async function look(): Promise<number | null> {
    const state = await pendingAnnouncement(store);
    if (!state) return null;
    if (!state.handbook && performance.now() - began < handbookWaitMs) return lookMs;
    const first = await claimAnnouncement(platform);
    if (!first) return lookAgainMs;
    process.stdout.write(banner({ baseUrl: config.baseUrl, first, handbook: state.handbook }));
    await recordAnnouncement(store);
    return null;
  }

  function lookIn(ms: number): void {
    timer = setTimeout(() => {
      looking = look()
        .catch((err) => {
          log.warn({ err }, 'announcing the first start failed; will retry');
          return lookAgainMs;
        })
        .then((next) => {
          if (next !== null && timer) lookIn(next);
        });
    }, ms).unref();
  }
  lookIn(0);
  return {
    async stop() {
      clearTimeout(timer);
      timer = undefined;
      await looking;
    },
  };
}
