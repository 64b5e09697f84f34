import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type BrokerOptions, Loggers, type Middleware, ServiceBroker } from 'moleculer';
import type { Blobs } from '../blobs/port.js';
import { type Log, onceASecond } from '../monitoring/log.js';
import { scaleMs } from '../settings/time-scale.js';
import { busTracing } from '../tracing/bus-tracing.js';
import { isTracing } from '../tracing/tracing.js';
import { newTraceId } from '../values/ids.js';
import { BusCalls } from './calls.js';
import { busConnected, NatsTransporter } from './connection.js';
import { InProcessCalls } from './in-process.js';
import { blobLifetime, EncodedAnswers, largeMessages } from './messages.js';

/** Removes the blobs of messages that nobody fetched. */
function sweepBlobsRegularly(blobs: Blobs, log: Log): void {
  const sweepBlobs = () =>
    blobs.sweep(new Date()).catch((err) => log.warn({ err }, 'sweeping expired blobs failed; will retry'));
  setInterval(sweepBlobs, blobLifetime).unref();
}

/**
 * Creates the bus: NATS when `natsUrl` is set, else all services in this process. With NATS, calls go by name through
 * queue groups, so a node that dies fails only the calls that it held; those of `calledHere` stay in a process that has the service.
 */
export function createBus({
  natsUrl,
  blobs,
  log,
  calledHere = [],
}: {
  natsUrl?: string | undefined;
  blobs: Blobs;
  log: Log;
  /** Services whose calls do not leave a process that has them. */
  calledHere?: readonly string[];
}): ServiceBroker {
  busConnected.set(natsUrl ? 0 : 1);
  const tracing = isTracing() ? [busTracing()] : [];
  return new ServiceBroker({
    namespace: 'bindery',
    nodeID: `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`,
    logger: new BusLog(log),
    uidGenerator: newTraceId,
    requestTimeout: scaleMs(10_000),
    tracking: { enabled: true, shutdownTimeout: scaleMs(8000) },
    retryPolicy: { enabled: false },
    circuitBreaker: { enabled: false },
    bulkhead: { enabled: false },
    // A service that waits for others looks for them this often; Moleculer's second would be half of a start.
    dependencyInterval: 20,
    heartbeatInterval: 2,
    heartbeatTimeout: scaleMs(6),
    metrics: { enabled: false },
    tracing: { enabled: false },
    validator: false,
    internalServices: Boolean(natsUrl),
    skipProcessEventRegistration: true,
    ...(natsUrl ? distributedOptions({ url: natsUrl, blobs, log, tracing, calledHere }) : embeddedOptions(tracing)),
  });
}

/** The first of the middlewares is the innermost, for calls and for actions. */
function embeddedOptions(tracing: Middleware[]): BrokerOptions {
  const { calls, actions } = new InProcessCalls().middlewares();
  return { middlewares: [calls, ...tracing, actions] };
}

interface Distribution {
  url: string;
  blobs: Blobs;
  log: Log;
  tracing: Middleware[];
  calledHere: readonly string[];
}

function distributedOptions({ url, blobs, log, tracing, calledHere }: Distribution): BrokerOptions {
  sweepBlobsRegularly(blobs, log);
  const calls = new BusCalls();
  const transporter = new NatsTransporter({ url, log, changed: (connected) => calls.connectionChanged(connected) });
  const answers = new EncodedAnswers(blobs);
  const here = new InProcessCalls((service) => calledHere.includes(service)).middlewares();
  return {
    serializer: answers,
    transporter: transporter as unknown as BrokerOptions['transporter'] & object,
    // What stays in this process meets nothing of the bus: neither its large messages nor its outages.
    middlewares: [here.actions, ...tracing, largeMessages(blobs, answers), calls.middleware(), here.calls],
    disableBalancer: true,
  };
}

/** Lines that repeat an error which the caller gets and reports itself. */
const reportedByErrors = [
  /^Service '[^']*' is not (available|registered|found)/,
  /^Request '[^']*' is timed out\.$/,
  /^Unable to send '[^']*' request/,
  /^NATS error\./,
];

const quoted = /'[^']*'/g;

interface Line {
  text: string;
  err?: Error;
  detail?: object;
}

/** Moleculer logs like `console`: texts, errors and objects in any order. */
function logLineOf(parts: unknown[]): Line {
  const err = parts.find((part): part is Error => part instanceof Error);
  const detail = parts.find((part): part is object => typeof part === 'object' && part !== null && part !== err);
  const texts = parts.filter((part) => typeof part !== 'object').map(String);
  return { text: texts.join(' ') || (err?.message ?? ''), ...(err && { err }), ...(detail && { detail }) };
}

/** Writes Moleculer's lines in our format. A line that repeats is written once a second, with its count. */
export class BusLog extends Loggers.Base {
  constructor(private readonly log: Log) {
    super({ level: 'warn' });
  }

  override getLogHandler({ mod: module }: { mod?: string } = {}): Loggers.LogHandler {
    const tell = onceASecond(this.log);
    return (level, parts) => {
      if (level !== 'warn' && level !== 'error' && level !== 'fatal') return;
      const { text, ...rest } = logLineOf(parts);
      if (reportedByErrors.some((pattern) => pattern.test(text))) return;
      tell(level, text.replace(quoted, ''), { module, ...rest }, text);
    };
  }
}
