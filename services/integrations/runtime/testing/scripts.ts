import { createLog } from '../../../../shared/monitoring/log.js';
import { createOutbound } from '../../../../shared/outbound/client.js';
import { HeldBytes } from '../../../../shared/work/held-bytes.js';
import { bodyLimits } from '../limits.js';
import {
  createRuntime,
  type Dispatch,
  type LogLine,
  launcherHere,
  type Program,
  RuntimeFailure,
  type RuntimeOptions,
} from '../runtime.js';

export interface TestedOptions extends Partial<RuntimeOptions> {
  allowCidrs?: string[];
}

/** A runtime whose scripts reach nothing but the API and what is allowed. */
export function testedRuntime({ allowCidrs = [], ...options }: TestedOptions = {}) {
  const outbound = createOutbound({ allowCidrs });
  const runtime = createRuntime({
    log: createLog('fatal'),
    launcher: launcherHere('auto', createLog('fatal')),
    outbound,
    apiEndpoint: 'http://127.0.0.1:9',
    bodies: new HeldBytes(bodyLimits),
    ...options,
  });
  return {
    ...runtime,
    async close() {
      await runtime.close();
      await outbound.close();
    },
  };
}

let made = 0;

/** A program of its own, of an organization of its own. */
export const programOf = (script: string, program: Partial<Program> = {}): Program => ({
  name: `script-${made++}`,
  organization: `organization-${made}`,
  version: '1',
  format: 'v2',
  script: async () => script,
  ...program,
});

/** A module whose `fetch` has this body. */
export const moduleOf = (body: string, top = '') => `${top}
export default { async fetch(request, env, context) { ${body} } };`;

/** A promise of a script that takes so many milliseconds. */
export const rest = (ms: number | string) => `new Promise((go) => setTimeout(go, ${ms}))`;

/** Longer than any test: a promise that nothing can resolve is ended by the engine. */
export const forever = rest(600_000);

export const eventOf = (dispatch: Partial<Dispatch> = {}): Dispatch => ({
  event: { eventId: 'event', type: 'fetch' },
  environment: {},
  timeoutMs: 600_000,
  ...dispatch,
});

export const messages = (lines: LogLine[]) => lines.map(({ message }) => message);

/** What a dispatch failed with. */
export async function failureOf(work: Promise<unknown>): Promise<RuntimeFailure> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof RuntimeFailure) return error;
  throw new Error(`it did not fail as expected: ${error}`);
}
