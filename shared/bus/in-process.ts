import { type Context, Errors, type Middleware, type ServiceBroker } from 'moleculer';
import { scaleMs } from '../settings/time-scale.js';

type Run = (bus: Context) => Promise<unknown>;

/** A call in progress, with its context. */
type Called = Promise<unknown> & { ctx?: Pick<Context, 'params' | 'meta'> };

interface CallOptions {
  meta?: object;
  timeout?: number;
  /** The call that this one is made in. */
  parentCtx?: unknown;
}

type Call = (action: string, parameters: unknown, options?: CallOptions) => Called;

/** Calls under way in a service. */
interface Running {
  calls: number;
  /** Called when the last one has ended, while the service waits for that. */
  ended?: () => void;
}

interface Action {
  run: Run;
  service: string;
}

/** A call whose caller gets no answer after `until`, in milliseconds of `performance.now`. */
interface Waiting {
  until: number;
  fail: () => void;
}

/** How much later than its deadline a call may end. */
const deadlineEveryMs = 250;
const usualTimeoutMs = scaleMs(10_000);
const maxStoppingMs = scaleMs(8_000);

/**
 * Calls between services of one process: function calls. Nothing is lost on the way, so nothing is sent again, and one clock ends
 * all that takes too long. Moleculer makes the other calls: those of actions that are not there fail as they do everywhere.
 */
export class InProcessCalls {
  private readonly actions = new Map<string, Action>();
  private readonly services = new Map<string, Running>();
  private readonly deadlines = new Deadlines();

  /** `isCalledHere`: whether calls of a service that is in this process stay in it; by default all do. */
  constructor(private readonly isCalledHere: (service: string) => boolean = () => true) {}

  /**
   * Middlewares that lie between them see each call on both sides where `calls` is the first and `actions` the last of all, and neither side
   * where it is the other way round.
   */
  middlewares(): { calls: Middleware; actions: Middleware } {
    let broker: ServiceBroker;
    const calls = {
      name: 'InProcessCalls',
      created: (made: ServiceBroker) => {
        broker = made;
      },
      call:
        (next: Call): Call =>
        (name, parameters, options = {}) => {
          const action = this.actions.get(name);
          const running = action && this.services.get(action.service);
          return running
            ? this.call(broker, { name, ...action, running }, parameters, options)
            : next(name, parameters, options);
        },
      serviceStarted: async ({ name }: { name: string }) => {
        if (this.isCalledHere(name)) this.services.set(name, { calls: 0 });
      },
      serviceStopping: ({ name }: { name: string }) => this.awaitCalls(name),
    };
    const actions = {
      name: 'InProcessActions',
      localAction: (run: Run, { name, service }: { name: string; service: { name: string } }) => {
        this.actions.set(name, { run, service: service.name });
        return run;
      },
    };
    return { calls: calls as unknown as Middleware, actions: actions as unknown as Middleware };
  }

  private call(
    broker: ServiceBroker,
    { name, run, running }: Action & { name: string; running: Running },
    params: unknown = {},
    { meta, timeout = usualTimeoutMs, parentCtx }: CallOptions,
  ): Called {
    // What the called service adds to the meta is for its caller alone.
    const bus = { broker, params, meta: { ...meta } } as unknown as Context;
    running.calls += 1;
    const ran = run(bus);
    // A call within another ends with that one, whose caller has been told by then.
    const called: Called = parentCtx ? ran : this.deadlines.limit(ran, timeout, () => timeoutError(name, broker));
    called.ctx = bus;
    const end = () => {
      running.calls -= 1;
      if (running.calls === 0) running.ended?.();
    };
    ran.then(end, end);
    return called;
  }

  /** Resolves when no call is under way in a service, at the latest after 8 s. */
  private awaitCalls(service: string): Promise<void> | undefined {
    const running = this.services.get(service);
    if (!running?.calls) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, maxStoppingMs);
      running.ended = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const timeoutError = (action: string, { nodeID }: ServiceBroker) => new Errors.RequestTimeoutError({ action, nodeID });

/** One timer for the deadlines of all calls. */
class Deadlines {
  private readonly waiting = new Set<Waiting>();
  private timer: NodeJS.Timeout | undefined;

  /** A promise that ends as `ran` does, or fails after `timeout` milliseconds or a little later. */
  limit(ran: Promise<unknown>, timeout: number, makeError: () => Error): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const waiting = { until: performance.now() + timeout, fail: () => reject(makeError()) };
      this.waiting.add(waiting);
      this.timer ??= setInterval(() => this.failLate(), deadlineEveryMs);
      ran.then(
        (answer) => {
          this.waiting.delete(waiting);
          resolve(answer);
        },
        (error) => {
          this.waiting.delete(waiting);
          reject(error);
        },
      );
    });
  }

  private failLate(): void {
    const now = performance.now();
    for (const waiting of this.waiting) {
      if (waiting.until > now) continue;
      this.waiting.delete(waiting);
      waiting.fail();
    }
    if (this.waiting.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
