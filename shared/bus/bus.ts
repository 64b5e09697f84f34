import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type BrokerOptions, Errors, type Middleware, ServiceBroker } from 'moleculer';
import type { Blobs } from '../blobs/port.js';
import { newTraceId } from '../ids.js';
import type { Log } from '../log.js';
import { BusCalls } from './calls.js';
import { busConnected, NatsTransporter } from './connection.js';
import { BusLog } from './log.js';

const largestMessage = 256 * 1024;
const blobPrefix = 'blob:';
const blobLifetime = 10 * 60_000;

/** Sends a message above 256 KB as a reference to a blob that expires: the bus limits the size of a payload. */
function largeMessages(blobs: Blobs): Middleware {
  const middleware = {
    name: 'LargeMessages',
    transporterSend(next: (topic: string, data: Buffer, meta: object) => Promise<void>) {
      return async (topic: string, data: Buffer, meta: object) => {
        if (data.length <= largestMessage) return next(topic, data, meta);
        const { id } = await blobs.put(data, { expiresAt: new Date(Date.now() + blobLifetime) });
        return next(topic, Buffer.from(blobPrefix + id), meta);
      };
    },
    transporterReceive(next: (command: string, data: Buffer, from: object) => Promise<void>) {
      return async (command: string, data: Buffer, from: object) => {
        if (data.length > 128 || data.subarray(0, blobPrefix.length).toString() !== blobPrefix)
          return next(command, data, from);
        const content = await blobs.read(data.subarray(blobPrefix.length).toString());
        if (!content) throw new Errors.MoleculerError('the content of a message has expired', 503, 'UNAVAILABLE');
        return next(command, content, from);
      };
    },
  };
  return middleware as unknown as Middleware;
}

/** Removes the blobs of messages that nobody fetched. */
function sweepRegularly(blobs: Blobs, log: Log): void {
  const sweep = () =>
    blobs.sweep(new Date()).catch((err) => log.warn({ err }, 'sweeping expired blobs failed; will retry'));
  setInterval(sweep, blobLifetime).unref();
}

/**
 * Creates the bus: NATS when `natsUrl` is set, else all services in this process. With NATS, calls go by name through
 * queue groups, so a node that dies fails only the calls that it held.
 */
export function createBus({
  natsUrl,
  blobs,
  log,
}: {
  natsUrl?: string | undefined;
  blobs: Blobs;
  log: Log;
}): ServiceBroker {
  busConnected.set(natsUrl ? 0 : 1);
  return new ServiceBroker({
    namespace: 'bindery',
    nodeID: `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`,
    logger: new BusLog(log),
    serializer: 'JSON',
    uidGenerator: newTraceId,
    requestTimeout: 10_000,
    tracking: { enabled: true, shutdownTimeout: 8000 },
    retryPolicy: { enabled: false },
    circuitBreaker: { enabled: false },
    bulkhead: { enabled: false },
    heartbeatInterval: 2,
    heartbeatTimeout: 6,
    metrics: { enabled: false },
    tracing: { enabled: false },
    validator: false,
    internalServices: Boolean(natsUrl),
    skipProcessEventRegistration: true,
    ...(natsUrl ? distributed(natsUrl, blobs, log) : {}),
  });
}

function distributed(url: string, blobs: Blobs, log: Log): BrokerOptions {
  sweepRegularly(blobs, log);
  const calls = new BusCalls();
  const transporter = new NatsTransporter({ url, log, changed: (connected) => calls.connectionChanged(connected) });
  return {
    transporter: transporter as unknown as BrokerOptions['transporter'] & object,
    middlewares: [largeMessages(blobs), calls.middleware()],
    disableBalancer: true,
  };
}
