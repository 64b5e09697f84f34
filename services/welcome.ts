import type { Platform } from '../shared/platform.js';
import type { Config } from '../shared/settings/config.js';
import { claimTelling, type FirstStart, noteTold, untold } from './identity/bootstrap.js';

const lookMs = 100;
const lookAgainMs = 5_000;
/** The handbook takes a second where the content service runs; without it the token does not wait for ever. */
const handbookWaitMs = 30_000;

const plain = /^[\w./:=@%+,-]+$/;

/** As one word of a POSIX shell. */
const shellWord = (text: string) => (plain.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** What the one who started it reads: addresses that open in a browser, and commands to paste for those that take the token. */
export function banner({ baseUrl }: Config, { organization, token, space }: FirstStart, handbook: boolean): string {
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
    API token     ${token ?? 'the one of BOOTSTRAP_TOKEN'}

  ${token === null ? 'Try' : 'The token is shown this once. Try'}:

    ${ask('/v1/user')}

  The handbook is also the first space${handbook ? '' : ' as soon as the content service runs'}. Its pages:

    ${ask(`/v1/spaces/${space}/content/pages`)}

`;
}

/** Tells a newcomer what the first start made, once among all processes; whatever goes wrong is tried again. */
export function welcome({ store, config, exclusive, log }: Platform): { stop(): Promise<void> } {
  const began = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();

  /** How long to wait before the next look; null when there is nothing left to tell. */
  async function look(): Promise<number | null> {
    const state = await untold(store);
    if (!state) return null;
    if (!state.handbook && performance.now() - began < handbookWaitMs) return lookMs;
    const first = await claimTelling(store, config, exclusive);
    if (!first) return lookAgainMs;
    process.stdout.write(banner(config, first, state.handbook));
    await noteTold(store);
    return null;
  }

  function lookIn(ms: number): void {
    timer = setTimeout(() => {
      looking = look()
        .catch((err) => {
          log.warn({ err }, 'telling of the first start failed; will retry');
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
