import type { Context as BusContext, ServiceBroker } from 'moleculer';
import { scaleMs } from '../settings/time-scale.js';
import type { Access } from './access.js';
import type { Audit } from './audit.js';
import { anonymous, type Caller, system } from './caller.js';
import { Encoded } from './encoded.js';
import type { Answer, AnyOperation, CallRequest } from './operation.js';
import type { Verb } from './verb.js';

/** Metadata of every bus call. Deadlines are epoch milliseconds and shrink hop by hop. */
export interface Meta {
  caller: Caller;
  deadline: number;
  requestId: string;
  /** The network that a request of a caller without an account came from. */
  network?: string;
  client?: Client;
  /** Set on the way back: the organization of what the operation is about. */
  organization?: string;
  /** Set on the way back: the version of the answer. */
  version?: string;
  /** Set on the way back: how caches may keep the answer. */
  cacheControl?: string;
  /** Set on the way back: the caller has this version, so nothing is answered. */
  unchanged?: true;
  /** Set on the way back: the answer is that of an earlier request with the same `Idempotency-Key`. */
  replayed?: true;
  /** Set on the way back: the operation changed what the caller is. */
  callerChanged?: true;
}

/** Where a request came from, for operations that declare `headers`. */
export interface Client {
  /** Its IP address. */
  address: string;
  /** The headers that the operation declares, where the request has them. */
  headers: Record<string, string>;
}

/** Calls any service on behalf of the same caller and within the same deadline. */
export interface Call {
  <O extends AnyOperation>(operation: O, request: CallRequest<O>): Promise<Answer<O>>;
  <P, R>(verb: Verb<P, R>, parameters: P): Promise<R>;
}

/** Everything that a handler is given besides its request. */
export interface Context {
  caller: Caller;
  requestId: string;
  /** The network that a request of a caller without an account came from; empty for all others. */
  network: string;
  /** Empty for operations that declare no `headers`. */
  client: Client;
  call: Call;
  /** The caller's role on the resource that the operation declares; `organization` is empty where it declares none. */
  access: Access;
  /**
   * Sets the version of the answer, for operations whose contract says `cache`. A handler that calls it before it makes the answer
   * ends here for a caller who has this version.
   */
  declareVersion(id: string): void;
  /** As `declareVersion`, but tells whether the caller has this version: a handler then answers `unchangedAnswer`. Ending by an error costs more. */
  hasVersion(id: string): boolean;
  /** Sets how caches may keep the answer, as `Cache-Control`, for operations whose contract does not say `cache`; `no-store` by default. */
  cacheControl(value: string): void;
  /** Names the change of a request with an `Idempotency-Key`, the same when it is performed again. */
  change?: string;
  /** Makes the write of an audit record of this operation, for the batch of its change. */
  audit: Audit;
}

const nowhere: Client = { address: '', headers: {} };

const defaultTimeout = scaleMs(10_000);

const noAudit: Audit = () => {
  throw new Error('this service keeps no audit trail');
};

/** Thrown by `declareVersion`, once for all: making an error costs more than most answers. */
export const unchanged = new Error('the caller has this version');

/** The answer to a caller that has this version: nobody reads it. */
export const unchangedAnswer = new Encoded<never>(Buffer.alloc(0));

export const metaOf = (bus: BusContext): Meta => bus.meta as Meta;

/** The context of one bus call, before its access is known and without an audit trail. */
export function contextOfCall(bus: BusContext): Context {
  const meta = metaOf(bus);
  const hasVersion = (id: string): boolean => {
    meta.version = id;
    const { known } = bus.params as { known?: string[] };
    if (!known?.some((version) => version === '*' || version === id)) return false;
    meta.unchanged = true;
    return true;
  };
  return {
    audit: noAudit,
    caller: meta.caller ?? anonymous,
    requestId: meta.requestId,
    network: meta.network ?? '',
    client: meta.client ?? nowhere,
    call: callFrom(bus.broker, meta, { parentCtx: bus }),
    access: { organization: '', role: null, state: 'active' },
    hasVersion,
    declareVersion(id) {
      if (hasVersion(id)) throw unchanged;
    },
    cacheControl(value) {
      meta.cacheControl = value;
    },
  };
}

interface CallOptions {
  /** The bus call that it is made in. */
  parentCtx?: BusContext;
  /** Called when an operation changed what its caller is. */
  callerChanged?: () => void;
}

/** The typed call: an operation takes `{path, query, body}`, a verb its parameters. */
export function callFrom(broker: ServiceBroker, meta: Meta, { parentCtx, callerChanged }: CallOptions = {}): Call {
  return ((target: { action: string; method?: string; safe?: boolean }, parameters: object) => {
    const timeout = Math.max(1, meta.deadline - Date.now());
    const complete = target.method ? { path: {}, query: {}, ...parameters } : parameters;
    const options = { meta, timeout, safe: target.safe ?? target.method === 'GET' };
    const called: Calling = broker.call(target.action, complete, parentCtx ? { ...options, parentCtx } : options);
    if (!target.method) return called;
    return called.then((answer) => {
      if (called.ctx?.meta.callerChanged) callerChanged?.();
      return decodeAnswer(answer);
    });
  }) as Call;
}

/** A call in progress carries its context, whose meta the service may add to. */
export type Calling = Promise<unknown> & { ctx?: { meta: Meta } };

const decodeAnswer = (answer: unknown) => (answer instanceof Encoded ? answer.decode() : answer);

/** Calls on behalf of the system itself: for jobs, start-up and relays. `timeout` is in milliseconds from now. */
export const callAsSystem = (broker: ServiceBroker, timeout = defaultTimeout): Call =>
  callFrom(broker, { caller: system, deadline: Date.now() + timeout, requestId: '' });

export type HasCallAs = { callAs: (caller: Caller) => Call };

export type HasCallAsSystem = { callAsSystem: () => Call };
