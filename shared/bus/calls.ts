import { setTimeout as delay } from 'node:timers/promises';
import type { Middleware } from 'moleculer';
import { apiError } from '../errors.js';

/** How a call may be made besides what Moleculer knows. */
export interface CallOptions {
  timeout?: number;
  /** It changes nothing: it may be sent twice. */
  safe?: boolean;
}

/** A call under way, with its context. */
type Called = Promise<unknown> & { ctx?: unknown };
type Call = (action: string, parameters: unknown, options: CallOptions) => Called;

export interface CallLimits {
  /** A safe call that is unanswered for so long is sent once more: who held it may be dead. */
  againAfterMs: number;
  /** So many second calls at a time, so that a slow system is not asked for twice the work. */
  mostAgain: number;
}

const refusedPauseMs = 50;
const mostRefusals = 4;
const defaultTimeoutMs = 10_000;

const unreachable = () =>
  apiError('UNAVAILABLE', 'The services behind this operation cannot be reached, try again later');
const lost = () => apiError('OUTCOME_UNKNOWN', 'The connection to the services was lost, the outcome is unknown');

/** Calls over a bus that loses messages: at once refused while it is down, safe ones sent again to another process. */
export class BusCalls {
  private connected = true;
  private again = 0;
  /** Ends of the calls under way, for the moment the bus goes. */
  private readonly underWay = new Set<() => void>();

  constructor(private readonly limits: CallLimits = { againAfterMs: 2_000, mostAgain: 100 }) {}

  /** The answers to what is under way are lost with the connection. */
  connectionChanged(connected: boolean): void {
    this.connected = connected;
    if (!connected) for (const end of [...this.underWay]) end();
  }

  middleware(): Middleware {
    const middleware = {
      name: 'BusCalls',
      call: (next: Call): Call => {
        return (action, parameters, options = {}) => this.call((own) => next(action, parameters, own), action, options);
      },
    };
    return middleware as unknown as Middleware;
  }

  private call(send: (options: CallOptions) => Called, action: string, options: CallOptions): Called {
    if (!this.connected) return Promise.reject(unreachable());
    const { safe = false, timeout = defaultTimeoutMs } = options;
    const until = performance.now() + timeout;
    const attempt = () => send({ ...options, timeout: Math.max(1, until - performance.now()) });
    const called: Called = new Promise((resolve, reject) => {
      const end = () => settle(() => reject(safe ? unreachable() : lost()));
      const settle = (how: () => void) => {
        clearTimeout(second);
        this.underWay.delete(end);
        how();
      };
      const answered = (sent: Called) =>
        sent.then(
          (answer) => {
            // Whose answer it is says what came with it.
            called.ctx = sent.ctx;
            settle(() => resolve(answer));
          },
          (error) => settle(() => reject(error)),
        );
      const sendAgain = () => {
        if (this.again >= this.limits.mostAgain) return;
        this.again += 1;
        void answered(unrefused(attempt, action)).then(() => {
          this.again -= 1;
        });
      };
      this.underWay.add(end);
      const worthIt = safe && timeout > this.limits.againAfterMs;
      const second = worthIt ? setTimeout(sendAgain, this.limits.againAfterMs) : undefined;
      void answered(unrefused(attempt, action));
    });
    return called;
  }
}

/** A process that is stopping refuses what comes in: nothing was done, so another one is asked. */
function unrefused(attempt: () => Called, action: string): Called {
  const first = attempt();
  const called: Called = first.catch(async (error) => {
    let refusal = error;
    for (let tries = 1; isRefusal(refusal, action) && tries <= mostRefusals; tries++) {
      await delay(refusedPauseMs * tries);
      const next = attempt();
      called.ctx = next.ctx;
      try {
        return await next;
      } catch (failure) {
        refusal = failure;
      }
    }
    throw refusal;
  });
  called.ctx = first.ctx;
  return called;
}

/** Only a refusal names a node: where no process offers an action there is none to name. */
function isRefusal(error: unknown, action: string): boolean {
  const { type, data } = (error ?? {}) as { type?: string; data?: { action?: string; nodeID?: string } };
  return type === 'SERVICE_NOT_AVAILABLE' && data?.action === action && data.nodeID !== undefined;
}
