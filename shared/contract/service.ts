import type { Context as BusContext, ServiceBroker, ServiceSchema } from 'moleculer';
import { z } from 'zod';
import { conflict, invalid, untouched } from '../errors.js';
import { messageOf, placeOf, problemsOf } from '../schema-messages.js';
import { StoreConflict, StoreDuplicate, type Write } from '../store/port.js';
import {
  type Access,
  type AccessQuestion,
  type AskAccess,
  authorize,
  type ResourceKind,
  resolveAccess,
} from './access.js';
import { type Audit, type AuditRecord, auditRecord } from './audit.js';
import { anonymous, type Caller, system } from './caller.js';
import type { DeliveredEvent } from './event.js';
import type { Answer, AnyOperation, CallRequest, Contract, Request } from './operation.js';
import type { Verb } from './verb.js';

/** What travels with every bus call. Deadlines are epoch milliseconds and shrink hop by hop. */
export interface Meta {
  caller: Caller;
  deadline: number;
  requestId: string;
  /** Set on the way back: the version of the answer. */
  version?: string;
  /** Set on the way back: the operation changed what the caller is. */
  callerChanged?: true;
}

/** Calls another service, or this one, on behalf of the same caller and within the same deadline. */
export interface Call {
  <O extends AnyOperation>(operation: O, request: CallRequest<O>): Promise<Answer<O>>;
  <P, R>(verb: Verb<P, R>, parameters: P): Promise<R>;
}

export interface Context {
  caller: Caller;
  requestId: string;
  call: Call;
  /** What the caller is to the resource the operation declares; absent where it declares none. */
  access: Access;
  /** Names the version of the answer, for operations whose contract says `cache`. */
  version(id: string): void;
  /** The audit record of this operation, to be written with its change. */
  audit: Audit;
}

/** An operation without a response schema answers nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: it stands for what a function returns
type Handled<A> = [A] extends [undefined] ? void : A;

export type Handlers<C extends Contract> = {
  [K in keyof C]: (request: Request<C[K]>, context: Context) => Promise<Handled<Answer<C[K]>>>;
};

/** The handlers of a room: those of the operations that it declares. */
export type HandlersOf<C extends Contract, O extends Record<string, unknown>> = Pick<Handlers<C>, keyof O & keyof C>;

export interface ServiceDefinition<C extends Contract> {
  name: string;
  contract: C;
  handlers: Handlers<C>;
  /** Rejects while the service cannot reach its stores. */
  ready: () => Promise<void>;
  /** One for each kind of resource the service owns. */
  resolvers?: { kind: ResourceKind; resolve: (question: AccessQuestion) => Promise<(Access | null)[]> }[];
  verbs?: Implementation[];
  /** What it does about the events that it consumes: a `receiver`. */
  receive?: (events: DeliveredEvent[]) => Promise<void>;
  /** By the names of hints: what drops caches and wakes workers. */
  hints?: Record<string, (payload: unknown) => void>;
  /** Where the audit records of its operations go; `wake` is called when one was written. */
  auditTrail?: { write: (record: AuditRecord) => Write; wake?: () => void };
  checkResponses?: boolean;
  started?: (broker: ServiceBroker) => Promise<void>;
  stopped?: () => Promise<void>;
}

export interface Implementation {
  action: string;
  run: (parameters: never, context: Context) => Promise<unknown>;
}

export const implement = <P, R>(
  verb: Verb<P, R>,
  run: (parameters: P, context: Context) => Promise<R>,
): Implementation => ({
  action: verb.action,
  run,
});

const defaultTimeout = 10_000;

const metaOf = (context: BusContext): Meta => context.meta as Meta;

const noAudit: Audit = () => {
  throw new Error('this service keeps no audit trail');
};

function contextOf(bus: BusContext): Context {
  const meta = metaOf(bus);
  return {
    audit: noAudit,
    caller: meta.caller ?? anonymous,
    requestId: meta.requestId,
    call: callFrom(bus.broker, meta, bus),
    access: { organization: '', role: null, state: 'active' },
    version(id) {
      meta.version = id;
    },
  };
}

/** The typed call: an operation takes `{path, query, body}`, a verb its parameters. */
export function callFrom(broker: ServiceBroker, meta: Meta, parentCtx?: BusContext): Call {
  return ((target: { action: string; method?: string; safe?: boolean }, parameters: object) => {
    const timeout = Math.max(1, meta.deadline - Date.now());
    const complete = target.method ? { path: {}, query: {}, ...parameters } : parameters;
    const options = { meta, timeout, safe: target.safe ?? target.method === 'GET' };
    return broker.call(target.action, complete, parentCtx ? { ...options, parentCtx } : options);
  }) as Call;
}

/** A call that the house makes for itself: jobs, start-up, relays. */
export const callAsSystem = (broker: ServiceBroker, timeout = defaultTimeout): Call =>
  callFrom(broker, { caller: system, deadline: Date.now() + timeout, requestId: '' });

const parameterSchema = (path: string) => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  return z.object(Object.fromEntries(names.map((name) => [name, z.string().min(1).max(512)])));
};

function requestSchema(operation: AnyOperation) {
  return z.object({
    path: parameterSchema(operation.path),
    query: operation.query ?? z.object({}),
    body: operation.body ?? z.unknown().optional(),
  });
}

const placeName = ([place, ...rest]: PropertyKey[]) =>
  rest.length > 0 ? placeOf(rest) : place === 'body' ? 'the body' : String(place);

/** A person's text that names the field and the bound. */
function invalidRequest(error: z.ZodError): Error {
  const [first, ...others] = problemsOf(error.issues).map(({ path, message }) => `${placeName(path)}: ${message}`);
  return invalid(others.length > 2 ? `${first} (and ${others.length} more)` : [first, ...others].join('; '));
}

/** Reads the parameters of an operation by its schemas; 400 names what is wrong with them. */
export function requestReader(operation: AnyOperation): (parameters: unknown) => Request {
  const schema = requestSchema(operation);
  return (parameters) => {
    const parsed = schema.safeParse(parameters, { error: messageOf });
    if (!parsed.success) throw invalidRequest(parsed.error);
    return parsed.data as Request;
  };
}

type Resolvers = ReadonlyMap<ResourceKind, (question: AccessQuestion) => Promise<(Access | null)[]>>;

type Handler = (request: Request, context: Context) => Promise<unknown>;

type Options = Pick<ServiceDefinition<Contract>, 'auditTrail' | 'checkResponses'>;

/** Audit records of one call of an operation. */
function auditOf(operation: AnyOperation, context: Context, trail: NonNullable<Options['auditTrail']>): Audit {
  return (type, id, options) => {
    const { caller, requestId, access } = context;
    const organization = access.organization === '' ? null : access.organization;
    return trail.write(
      auditRecord({ operation: operation.id, caller, organization, requestId }, { type, id }, options),
    );
  };
}

function actionOf(operation: AnyOperation, handler: Handler, own: Resolvers, { auditTrail, checkResponses }: Options) {
  const read = requestReader(operation);
  return async (bus: BusContext) => {
    const request = read(bus.params);
    const context = contextOf(bus);
    const ask: AskAccess = async (kind, question) => {
      const resolve = own.get(kind);
      return (resolve ? resolve(question) : context.call(resolveAccess(kind), question)).catch(untouched);
    };
    context.access = await authorize(operation.access, request.path, context.caller, ask);
    let recorded = false;
    if (auditTrail) {
      const audit = auditOf(operation, context, auditTrail);
      context.audit = (...about) => {
        recorded = true;
        return audit(...about);
      };
    }
    const answer = await handler(request, context).catch(asApiError);
    if (recorded) auditTrail?.wake?.();
    if (operation.changesCaller) metaOf(bus).callerChanged = true;
    if (checkResponses) checkAnswer(operation, answer);
    return answer;
  };
}

/** A lost race or a taken name is the caller's to know. */
function asApiError(error: unknown): never {
  if (error instanceof StoreConflict) throw conflict('Another request has changed this; read it again and retry');
  if (error instanceof StoreDuplicate) throw conflict(`${error.fields.join(', ')}: already taken`);
  throw error;
}

function checkAnswer(operation: AnyOperation, answer: unknown): void {
  const checked = operation.response?.safeParse(answer, { error: messageOf });
  if (checked && !checked.success)
    throw new Error(
      `${operation.id} answers another shape than its contract: ${invalidRequest(checked.error).message}`,
    );
}

interface Receipt {
  events: DeliveredEvent[];
}

/** Binds a contract to its handlers: a Moleculer service whose actions validate, authorize, act. */
export function bindService<C extends Contract>(definition: ServiceDefinition<C>): ServiceSchema {
  const { name, contract, handlers, resolvers = [], verbs = [], receive, hints = {} } = definition;
  const own: Resolvers = new Map(resolvers.map(({ kind, resolve }) => [kind, resolve]));
  const local = (action: string) => action.slice(name.length + 1);
  const operations = Object.values(contract as Contract).map((operation) => [
    operation.id,
    actionOf(operation, handlers[operation.id as keyof C] as Handler, own, definition),
  ]);
  const kinds = resolvers.map(({ kind, resolve }) => [
    local(resolveAccess(kind).action),
    (bus: BusContext) => resolve(bus.params as AccessQuestion),
  ]);
  const internal = verbs.map(({ action, run }) => [
    local(action),
    (bus: BusContext) => run(bus.params as never, contextOf(bus)),
  ]);
  const receiving = receive && { receive: (bus: BusContext) => receive((bus.params as Receipt).events) };
  // Without `context` Moleculer hands a handler the payload alone, null where there is none.
  const events = Object.entries(hints).map(([event, run]) => [
    event,
    { context: true, handler: (bus: BusContext) => run(bus.params) },
  ]);
  return {
    name,
    actions: {
      ...Object.fromEntries([...operations, ...kinds, ...internal, ['ready', definition.ready]]),
      ...receiving,
    },
    events: Object.fromEntries(events),
    async started() {
      await definition.started?.(this.broker);
    },
    async stopped() {
      await definition.stopped?.();
    },
  };
}
