import { setTimeout as delay } from 'node:timers/promises';
import type { Middleware, ServiceBroker } from 'moleculer';
import { apiError } from '../errors.js';

/** The part of Moleculer's registry that we use; its types lack it. */
interface ActionRegistry {
  actions: { get(action: string): { endpoints: { id: string }[] } | undefined };
}

/** Options of a call in addition to Moleculer's. */
export interface CallOptions {
  timeout?: number;
  /** The call changes nothing, so it may be sent twice. */
  safe?: boolean;
  /** The call may be sent twice, although it changes something: its service runs it once. */
  repeatable?: boolean;
}

/** A call in progress, with its context. */
type Called = Promise<unknown> & { ctx?: unknown };
type Call = (action: string, parameters: unknown, options: CallOptions) => Called;

export interface CallLimits {
  /**
   * Milliseconds after which a safe or repeatable call without an answer is sent again, as often as its time allows, to
   * one process after the other: the one that holds it may be dead.
   */
  againAfterMs: number;
  /** Most calls at a time that were sent again, so that a slow system does not get twice the work. */
  mostAgain: number;
  /** Most calls of this process that wait for one service; more are refused at once, so that they neither pile up nor hold up others. */
  mostWaiting: number;
}

const refusedPauseMs = 50;
const mostRefusals = 4;
const defaultTimeoutMs = 10_000;

const usual: CallLimits = { againAfterMs: 2_000, mostAgain: 100, mostWaiting: 1_000 };

const unreachable = () =>
  apiError('UNAVAILABLE', 'The services behind this operation cannot be reached; try again later');
const overloaded = (service: string) =>
  apiError('UNAVAILABLE', `Too many requests are waiting for the service ${service}; try again later`);
const lost = () => apiError('OUTCOME_UNKNOWN', 'The connection to the services was lost; the outcome is unknown');

/** Calls over a bus that can lose messages. While it is down, calls fail at once; a call that may be sent twice is sent again to another process. */
export class BusCalls {
  private connected = true;
  private again = 0;
  /** Calls in progress by service. */
  private readonly waiting = new Map<string, number>();
  /** The processes that offer an action, by their ids on the bus. */
  private offering: (action: string) => string[] = () => [];
  private turn = 0;
  /** Ends the calls in progress when the connection is lost. */
  private readonly underWay = new Set<() => void>();

  constructor(private readonly limits: CallLimits = usual) {}

  /** With the connection, the answers to the calls in progress are lost. */
  connectionChanged(connected: boolean): void {
    this.connected = connected;
    if (!connected) for (const end of [...this.underWay]) end();
  }

  middleware(): Middleware {
    const middleware = {
      name: 'BusCalls',
      created: (broker: ServiceBroker) => {
        const { actions } = broker.registry as unknown as ActionRegistry;
        this.offering = (action) => actions.get(action)?.endpoints.map(({ id }) => id) ?? [];
      },
      call: (next: Call): Call => {
        return (action, parameters, options = {}) => this.call((own) => next(action, parameters, own), action, options);
      },
    };
    return middleware as unknown as Middleware;
  }

  private call(send: (options: CallOptions) => Called, action: string, options: CallOptions): Called {
    if (!this.connected) return Promise.reject(unreachable());
    const [service = ''] = action.split('.', 1);
    const waiting = this.waiting.get(service) ?? 0;
    if (waiting >= this.limits.mostWaiting) return Promise.reject(overloaded(service));
    this.waiting.set(service, waiting + 1);
    const { safe = false, repeatable = safe, timeout = defaultTimeoutMs } = options;
    const until = performance.now() + timeout;
    const attempt = (to: { nodeID?: string } = {}) =>
      send({ ...options, ...to, timeout: Math.max(1, until - performance.now()) });
    const called: Called = new Promise((resolve, reject) => {
      let repeating: NodeJS.Timeout | undefined;
      const end = () => settle(() => reject(safe ? unreachable() : lost()));
      const settle = (how: () => void) => {
        if (!this.underWay.delete(end)) return;
        this.waiting.set(service, (this.waiting.get(service) ?? 1) - 1);
        clearInterval(repeating);
        how();
      };
      const answered = (sent: Called) =>
        sent.then(
          (answer) => {
            // The context of the attempt that was answered holds what came with the answer.
            called.ctx = sent.ctx;
            settle(() => resolve(answer));
          },
          (error) => settle(() => reject(error)),
        );
      const sendAgain = () => {
        if (this.again >= this.limits.mostAgain) return;
        this.again += 1;
        void answered(unrefused(() => attempt(this.nextOffering(action)), action)).then(() => {
          this.again -= 1;
        });
      };
      this.underWay.add(end);
      if (repeatable && timeout > this.limits.againAfterMs)
        repeating = setInterval(sendAgain, this.limits.againAfterMs);
      void answered(unrefused(attempt, action));
    });
    return called;
  }

  /** The processes that offer an action in turn, not as the bus picks them: it may pick a dead one again, until it knows. */
  private nextOffering(action: string): { nodeID?: string } {
    const nodes = this.offering(action);
    const nodeID = nodes[this.turn++ % nodes.length];
    return nodeID === undefined ? {} : { nodeID };
  }
}

/** A process that is stopping refuses calls. Nothing was done, so another process is asked. */
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

/** Only a refusal names a node; the error for an action that no process offers names none. */
function isRefusal(error: unknown, action: string): boolean {
  const { type, data } = (error ?? {}) as { type?: string; data?: { action?: string; nodeID?: string } };
  return type === 'SERVICE_NOT_AVAILABLE' && data?.action === action && data.nodeID !== undefined;
}
