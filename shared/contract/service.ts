import type { Context as BusContext, ServiceBroker, ServiceSchema } from 'moleculer';
import { Counter, Histogram } from 'prom-client';
import type { z } from 'zod';
import { apiError, conflict, failureOf, notFound, rethrowUnchanged } from '../errors/errors.js';
import { metricsRegistry } from '../monitoring/metrics.js';
import { scaleMs } from '../settings/time-scale.js';
import { StoreConflict, StoreDuplicate } from '../store/port.js';
import {
  type Access,
  type AccessQuestion,
  type AskAccess,
  authorize,
  type ResourceKind,
  resolveAccess,
} from './access.js';
import { type Auditing, type AuditTrail, openAudit } from './audit.js';
import { belongsToOrganization } from './caller.js';
import { type Context, contextOfCall, metaOf, unchanged, unchangedAnswer } from './context.js';
import type { Encoded, EncodedSchema } from './encoded.js';
import type { DeliveredEvent, Received } from './event.js';
import type { Asked, KeyedRequests, Run } from './keyed-requests.js';
import type { Answer, AnyOperation, AnyOptions, Contract, Operation, QuerySchema, Request } from './operation.js';
import { type StoredKind, usageQuestion } from './usage.js';
import { checkAnswer, requestReader } from './validation.js';
import type { Verb } from './verb.js';

export {
  type Call,
  type Calling,
  type Context,
  callAsSystem,
  callFrom,
  type Meta,
  unchangedAnswer,
} from './context.js';

/** The result of a handler: nothing where the operation has no response schema. */
type Handled<O extends AnyOperation> =
  // biome-ignore lint/suspicious/noConfusingVoidType: it stands for what a function returns
  [Answer<O>] extends [undefined] ? void : IsEncoded<O> extends true ? Encoded<Answer<O>> : Answer<O>;
type IsEncoded<O extends AnyOperation> =
  O extends Operation<string, QuerySchema, z.ZodType, infer R> ? (R extends EncodedSchema ? true : false) : false;

/** A handler for each operation of a contract. */
export type Handlers<C extends Contract> = {
  [K in keyof C]: (request: Request<C[K]>, context: Context) => Promise<Handled<C[K]>>;
};

/** A handler for each operation that a room declares. */
export type HandlersOf<O extends Record<string, AnyOptions>> = Handlers<Contract<O>>;

/** All that a service is made of. */
export interface ServiceDefinition<C extends Contract> {
  name: string;
  contract: C;
  handlers: Handlers<C>;
  /** Rejects while the service cannot reach its stores. */
  ready: () => Promise<void>;
  /** Throws while nothing may be added to the stores. */
  writable?: () => void;
  /** One for each kind of resource the service owns. */
  resolvers?: { kind: ResourceKind; resolve: (question: AccessQuestion) => Promise<(Access | null)[]> }[];
  verbs?: Implementation[];
  /** Handles the events that it consumes: a `receiver`. */
  receive?: (events: DeliveredEvent[]) => Promise<Received>;
  /** Handlers of hints, by the name of the hint: they drop caches and wake workers. */
  hints?: Record<string, (payload: unknown) => void>;
  auditTrail?: AuditTrail;
  /** Keeps the answers to writes that clients may repeat. */
  keyedRequests?: KeyedRequests;
  /** Reports what the service stores of an organization, besides the answers that it keeps. */
  usage?: (organization: string) => Promise<StoredKind[]>;
  /** Check every answer against the schema of its operation. */
  checkResponses?: boolean;
  /** Prepares what handlers need; requests wait for it. */
  started?: (broker: ServiceBroker) => Promise<void>;
  /** Starts jobs and relays; called when the process takes requests. */
  background?: () => Promise<void>;
  stopped?: () => Promise<void>;
}

/** A verb with the function that runs it. */
export interface Implementation {
  action: string;
  run: (parameters: never, context: Context) => Promise<unknown>;
}

export const implementVerb = <P, R>(
  verb: Verb<P, R>,
  run: (parameters: P, context: Context) => Promise<R>,
): Implementation => ({
  action: verb.action,
  run,
});

type Resolvers = ReadonlyMap<ResourceKind, (question: AccessQuestion) => Promise<(Access | null)[]>>;

type Handler = (request: Request, context: Context) => Promise<unknown>;

type Options = Pick<ServiceDefinition<Contract>, 'auditTrail' | 'keyedRequests' | 'checkResponses' | 'writable'>;

/** The answer that a request waits for still has to travel. */
const waitMarginMs = scaleMs(1_000);

/** Methods that add data and so need room; a removal makes room. */
const adding = new Set<string>(['POST', 'PUT', 'PATCH']);
const mayAddData = ({ method, safe }: AnyOperation) => !safe && adding.has(method);

/** The steps of every operation: validate, authorize, act. */
function operationAction(operation: AnyOperation, handler: Handler, own: Resolvers, options: Options) {
  const { auditTrail, keyedRequests, checkResponses, writable } = options;
  const read = requestReader(operation);

  async function authorizeRequest(bus: BusContext, request: Request): Promise<Context> {
    const context = contextOfCall(bus);
    const askAccess: AskAccess = (kind, question) => {
      const resolve = own.get(kind);
      return (resolve ? resolve(question) : context.call(resolveAccess(kind), question)).catch(rethrowUnchanged);
    };
    context.access = await authorize(operation.access, request.path, context.caller, askAccess);
    metaOf(bus).organization = context.access.organization;
    return context;
  }

  async function performOperation(bus: BusContext, request: Request, run?: Run): Promise<unknown> {
    const context = await authorizeRequest(bus, request);
    if (run) context.change = run.change;
    if (mayAddData(operation)) writable?.();
    const auditing = auditTrail && openAudit(operation.id, context, { trail: auditTrail, mark: run?.mark });
    if (auditing) context.audit = auditing.audit;
    const answer = await handler(request, context).catch((error) => answerFailure(error, auditing));
    if (answer === unchanged || answer === unchangedAnswer) return undefined;
    if (checkResponses) checkAnswer(operation, answer);
    return answer;
  }

  async function performOnce(bus: BusContext, request: Request, requests: KeyedRequests, key: string) {
    const { caller, network } = contextOfCall(bus);
    const meta = metaOf(bus);
    const until = meta.deadline - waitMarginMs;
    const asked = { caller, network, organization: '', key, operation: operation.id, request, until };
    // Nobody hears of an earlier request who might not make it now.
    await authorizeRequest(bus, request).catch((error) => mayRepeat(error, asked, requests));
    asked.organization = meta.organization || (request.path.organizationId ?? '');
    const { answer, replayed, organization } = await requests.answerOnce(asked, (run) =>
      performOperation(bus, request, run),
    );
    if (!replayed) return answer;
    // Some operations need nothing of the organization that they change: who joins one is no member yet.
    const changed = organization ?? request.path.organizationId;
    if (operation.response && changed !== undefined && !belongsToOrganization(caller, changed))
      throw notFound('Organization');
    meta.replayed = true;
    return answer;
  }

  /** Lets a repeated DELETE succeed though its resource is gone, for a caller who still belongs there; throws `error` otherwise. */
  async function mayRepeat(error: unknown, asked: Asked, requests: KeyedRequests): Promise<void> {
    if (operation.method !== 'DELETE' || failureOf(error).type !== 'NOT_FOUND') throw error;
    const organization = await requests.changedOrganization(asked);
    if (organization === undefined || !belongsToOrganization(asked.caller, organization)) throw error;
  }

  return async (bus: BusContext) => {
    const request = read(bus.params);
    const { key } = bus.params as { key?: string };
    const answer = await (key !== undefined && keyedRequests && !operation.safe
      ? performOnce(bus, request, keyedRequests, key)
      : performOperation(bus, request));
    if (operation.changesCaller) metaOf(bus).callerChanged = true;
    return answer;
  };
}

/**
 * Answers a lost race and a taken name with 409, and nothing to a caller who has this version. A change that was made, but whose answer
 * could not be, has an unknown outcome: 503 would say that nothing was changed.
 */
function answerFailure(error: unknown, auditing: Auditing | undefined): typeof unchanged {
  if (error === unchanged) return unchanged;
  if (error instanceof StoreConflict) throw conflict('Another request has changed this; read it again and retry');
  if (error instanceof StoreDuplicate) throw conflict(`${error.fields.join(', ')}: already taken`, 'taken');
  if (failureOf(error).type !== 'UNAVAILABLE' || !auditing?.isApplied()) throw error;
  const unknown = apiError('OUTCOME_UNKNOWN', 'The request was carried out, but its answer could not be made');
  throw Object.assign(unknown, { cause: error });
}

interface Receipt {
  events: DeliveredEvent[];
}

/** Binds a contract to its handlers: a Moleculer service whose actions validate, authorize, act. */
export function bindService<C extends Contract>(definition: ServiceDefinition<C>): ServiceSchema {
  const {
    name,
    contract,
    handlers,
    resolvers = [],
    verbs = [],
    receive,
    hints = {},
    keyedRequests,
    usage,
  } = definition;
  const own: Resolvers = new Map(resolvers.map(({ kind, resolve }) => [kind, resolve]));
  const localName = (action: string) => action.slice(name.length + 1);
  const operations = Object.values(contract as Contract).flatMap((operation) => {
    const run = operationAction(operation, handlers[operation.id as keyof C] as Handler, own, definition);
    return [operation.id, operation.formerly].flatMap((id) => (id === undefined ? [] : [[id, run]]));
  });
  const kinds = resolvers.map(({ kind, resolve }) => [
    localName(resolveAccess(kind).action),
    (bus: BusContext) => resolve(bus.params as AccessQuestion),
  ]);
  const internal = verbs.map(({ action, run }) => [
    localName(action),
    (bus: BusContext) => run(bus.params as never, contextOfCall(bus)),
  ]);
  const readUsage = async (bus: BusContext) => {
    const { organization } = bus.params as { organization: string };
    return Promise.all([keyedRequests?.usage(organization), usage?.(organization)]).then((kinds) =>
      kinds.flatMap((each) => each ?? []),
    );
  };
  const receiving = receive && { receive: (bus: BusContext) => receive((bus.params as Receipt).events) };
  // Without `context`, Moleculer passes only the payload, null where there is none.
  const events = Object.entries(hints).map(([event, run]) => [
    event,
    { context: true, handler: (bus: BusContext) => run(bus.params) },
  ]);
  const actions: Record<string, (bus: BusContext) => Promise<unknown>> = {
    ...Object.fromEntries([...operations, ...kinds, ...internal]),
    [localName(usageQuestion(name).action)]: readUsage,
    ...receiving,
  };
  // Processes of releases that would run a write with a key twice do not declare this.
  const repeatable = keyedRequests !== undefined;
  const measuredActions = Object.entries(actions).map(([action, run]) => [
    action,
    { handler: measureCalls(name, action, run), repeatable },
  ]);
  return {
    name,
    actions: { ...Object.fromEntries(measuredActions), ready: definition.ready },
    events: Object.fromEntries(events),
    methods: {
      async background() {
        keyedRequests?.start();
        await definition.background?.();
      },
    },
    async started() {
      await keyedRequests?.prepare();
      await definition.started?.(this.broker);
    },
    async stopped() {
      keyedRequests?.stop();
      await definition.stopped?.();
    },
  };
}

const registers = [metricsRegistry];

const duration = new Histogram({
  name: 'bindery_action_duration_seconds',
  help: 'Time that this process took for a call, by service and action.',
  labelNames: ['service', 'action'],
  buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
  registers,
});

const failures = new Counter({
  name: 'bindery_action_failures_total',
  help: 'Calls that this process answered with an error, by service, action and type of error.',
  labelNames: ['service', 'action', 'type'],
  registers,
});

/**
 * Counts and times the calls of an action, and refuses those whose deadline passed while the process was frozen or flooded: their callers have
 * been answered with a failure.
 */
function measureCalls(service: string, action: string, run: (bus: BusContext) => Promise<unknown>) {
  // Made with the first call: most actions of a process are never called.
  let timed: Histogram.Internal<'service' | 'action'> | undefined;
  return async (bus: BusContext): Promise<unknown> => {
    timed ??= duration.labels({ service, action });
    const started = performance.now();
    try {
      if (Date.now() > metaOf(bus).deadline) throw apiError('UNAVAILABLE', 'The request came too late; try again');
      return await run(bus);
    } catch (error) {
      failures.inc({ service, action, type: failureOf(error).type });
      throw error;
    } finally {
      timed.observe((performance.now() - started) / 1000);
    }
  };
}
