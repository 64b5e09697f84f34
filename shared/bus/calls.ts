import { setTimeout as delay } from 'node:timers/promises';
import type { Middleware, ServiceBroker } from 'moleculer';
import { apiError, failureOf } from '../errors/errors.js';
import { scaleMs } from '../settings/time-scale.js';

/** The part of Moleculer's registry that we use; its types lack it. */
interface ActionRegistry {
  actions: { get(action: string): { endpoints: Endpoint[] } | undefined };
}

/** An action of one process. */
interface Endpoint {
  id: string;
  /** `repeatable`: as the process declares it. One of an earlier release may not. */
  action: { repeatable?: boolean };
}

/** Options of a call in addition to Moleculer's. */
export interface CallOptions {
  timeout?: number;
  /** The call changes nothing, so it may be sent twice. */
  safe?: boolean;
  /** The call may be sent twice, although it changes something, to processes that declare that they run it once. */
  repeatable?: boolean;
}

/** Options of one attempt. `tracking`: whether Moleculer waits for its end when this process stops. */
type AttemptOptions = CallOptions & { tracking: boolean };

/** A call in progress, with its context. */
type Called = Promise<unknown> & { ctx?: unknown };
type Call = (action: string, parameters: unknown, options: CallOptions) => Called;

export interface CallLimits {
  /**
   * Milliseconds after which a safe or repeatable call without an answer is sent again, as often as its time allows, to
   * one process after the other: the one that holds it may be dead.
   */
  againAfterMs: number;
  /** Maximum number of repeated calls at a time, so that a slow system does not get twice the work. */
  maxRetries: number;
  /** Maximum number of calls of this process that wait for one service; more are refused at once, so that they hold up no others. */
  maxWaiting: number;
}

const refusedPauseMs = 50;
const maxRefusals = 4;
/** Milliseconds within which the processes find each other again after an outage of the bus. */
const findingMs = scaleMs(1_000);
const defaultTimeoutMs = scaleMs(10_000);

const usual: CallLimits = { againAfterMs: 2_000, maxRetries: 100, maxWaiting: 1_000 };

const unreachableError = () =>
  apiError('UNAVAILABLE', 'The services behind this operation cannot be reached; try again later');
const overloadedError = (service: string) =>
  apiError('UNAVAILABLE', `Too many requests are waiting for the service ${service}; try again later`, 'busy');
const answerLostError = () =>
  apiError('OUTCOME_UNKNOWN', 'The connection to the services was lost; the outcome is unknown');

/** Calls over a bus that can lose messages. While it is down, calls fail at once; a call that may be sent twice is sent again to another process. */
export class BusCalls {
  private connected = true;
  private findingUntil = 0;
  /** Calls in progress that were sent again. */
  private again = 0;
  /** Calls in progress by service. */
  private readonly waiting = new Map<string, number>();
  private endpoints: (action: string) => Endpoint[] = () => [];
  private readonly underWay = new Set<Attempts>();

  constructor(private readonly limits: CallLimits = usual) {}

  /** With the connection, the answers to the calls in progress are lost. */
  connectionChanged(connected: boolean): void {
    this.connected = connected;
    if (connected) this.findingUntil = performance.now() + findingMs;
    else for (const attempts of [...this.underWay]) attempts.failUnanswered();
  }

  middleware(): Middleware {
    const middleware = {
      name: 'BusCalls',
      created: (broker: ServiceBroker) => {
        const { actions } = broker.registry as unknown as ActionRegistry;
        this.endpoints = (action) => actions.get(action)?.endpoints ?? [];
      },
      call: (next: Call): Call => {
        return (action, parameters, options = {}) =>
          this.callRepeatedly((own) => next(action, parameters, own), action, options);
      },
    };
    return middleware as unknown as Middleware;
  }

  /** The processes that offer an action, by their ids on the bus. */
  private processesOffering(action: string): string[] {
    return this.endpoints(action).map(({ id }) => id);
  }

  /** Whether no process would run a repeated call twice: the bus picks any of them. */
  private isRepeatable(action: string): boolean {
    return this.endpoints(action).every((each) => each.action.repeatable);
  }

  /** Whether nobody has begun the call. The error for an action that no process offers names no node; after an outage, it may be too early to say. */
  private isRefusal(error: unknown, action: string): boolean {
    const { type, data } = (error ?? {}) as { type?: string; data?: { action?: string; nodeID?: string } };
    if (type !== 'SERVICE_NOT_AVAILABLE' || data?.action !== action) return false;
    return data.nodeID !== undefined || performance.now() < this.findingUntil;
  }

  private callRepeatedly(send: (options: AttemptOptions) => Called, action: string, options: CallOptions): Called {
    if (!this.connected) return Promise.reject(unreachableError());
    const [service = ''] = action.split('.', 1);
    const waiting = this.waiting.get(service) ?? 0;
    if (waiting >= this.limits.maxWaiting) return Promise.reject(overloadedError(service));
    this.waiting.set(service, waiting + 1);
    const { safe = false, timeout = defaultTimeoutMs } = options;
    const repeatable = safe || (options.repeatable === true && this.isRepeatable(action));
    const until = performance.now() + timeout;
    let repeating: NodeJS.Timeout | undefined;
    const attempts = new Attempts(safe, () => {
      this.underWay.delete(attempts);
      this.waiting.set(service, (this.waiting.get(service) ?? 1) - 1);
      if (attempts.isRepeated) this.again -= 1;
      clearInterval(repeating);
    });
    // A process that stops waits for those who wait for an answer, not for attempts that another has overtaken.
    const attempt = (to: { nodeID?: string } = {}) =>
      send({ ...options, ...to, timeout: Math.max(1, until - performance.now()), tracking: false });
    const isRefusal = (error: unknown) => this.isRefusal(error, action);
    const sendAgain = () => {
      if (!attempts.isRepeated && this.again >= this.limits.maxRetries) return;
      if (attempts.isFutile(this.processesOffering(action))) return;
      if (!attempts.isRepeated) this.again += 1;
      attempts.isRepeated = true;
      attempts.add(retryRefused(() => attempt(attempts.chooseProcess(this.processesOffering(action))), isRefusal));
    };
    this.underWay.add(attempts);
    if (repeatable && timeout > this.limits.againAfterMs) repeating = setInterval(sendAgain, this.limits.againAfterMs);
    attempts.add(retryRefused(attempt, isRefusal));
    return attempts.called;
  }
}

/** The attempts of one call. It ends with the first answer, or with the first error that is one: a process that is away says nothing. */
class Attempts {
  readonly called: Called;
  isRepeated = false;
  private open = 0;
  private failure: unknown;
  /** The processes that were asked. */
  private readonly asked = new Set<string>();
  private settle: { resolve: (answer: unknown) => void; reject: (error: unknown) => void } | undefined;

  constructor(
    private readonly safe: boolean,
    private readonly over: () => void,
  ) {
    this.called = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
  }

  add(attempt: Called): void {
    this.open += 1;
    const { nodeID } = (attempt.ctx ?? {}) as { nodeID?: string };
    if (nodeID) this.asked.add(nodeID);
    attempt.then(
      (answer) => {
        // The context of the attempt that was answered holds what came with the answer.
        if (this.settle) this.called.ctx = attempt.ctx;
        this.takeSettle()?.resolve(answer);
      },
      (error) => this.noteFailure(error),
    );
  }

  /** Whether every process was asked, and one has failed: it is not theirs to answer. */
  isFutile(offering: string[]): boolean {
    return this.failure !== undefined && offering.every((id) => this.asked.has(id));
  }

  /** One of the processes that offer an action: one that was not asked yet, for the bus may pick a dead one again until it knows. */
  chooseProcess(offering: string[]): { nodeID?: string } {
    const fresh = offering.filter((id) => !this.asked.has(id));
    if (fresh.length === 0) this.asked.clear();
    const among = fresh.length > 0 ? fresh : offering;
    const nodeID = among[Math.floor(Math.random() * among.length)];
    if (nodeID === undefined) return {};
    this.asked.add(nodeID);
    return { nodeID };
  }

  /** Ends without an answer. */
  failUnanswered(): void {
    this.takeSettle()?.reject(this.safe ? unreachableError() : answerLostError());
  }

  private noteFailure(error: unknown): void {
    this.open -= 1;
    const { type } = failureOf(error);
    // An unknown outcome stays unknown whatever the other attempts say.
    if (this.failure === undefined || type === 'OUTCOME_UNKNOWN') this.failure = error;
    const isAway = type === 'OUTCOME_UNKNOWN' || type === 'UNAVAILABLE';
    if (isAway && this.open > 0) return;
    this.takeSettle()?.reject(isAway ? this.failure : error);
  }

  private takeSettle() {
    const { settle } = this;
    this.settle = undefined;
    if (settle) this.over();
    return settle;
  }
}

/** A process that is stopping refuses calls. Nothing was done, so another process is asked. */
function retryRefused(attempt: () => Called, isRefusal: (error: unknown) => boolean): Called {
  const first = attempt();
  const called: Called = first.catch(async (error) => {
    let refusal = error;
    for (let tries = 1; isRefusal(refusal) && tries <= maxRefusals; tries++) {
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
