import type { Call } from '../../shared/contract/service.js';
import { readiness } from '../../shared/contract/verb.js';
import { scaleMs } from '../../shared/settings/time-scale.js';
import { cacheForASecond } from '../../shared/work/one-second-cache.js';
import { type Exchange, sendJson } from './http/reply.js';

export const isHealthPath = (path: string): boolean => path === '/healthz' || path === '/readyz';

interface ReadinessOptions {
  call: () => Call;
  services: string[];
}

/** Asks each service, by name: `ok`, or why not. */
export type Readiness = () => Promise<Record<string, string>>;

const rejectAfter = <T>(ms: number, promise: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });

async function checkService({ call }: ReadinessOptions, service: string): Promise<[string, string]> {
  try {
    await rejectAfter(scaleMs(2000), call()(readiness(service), {}));
    return [service, 'ok'];
  } catch (error) {
    return [service, (error as Error).message];
  }
}

/** Asks, once a second at most, whether the bus reaches every service, and each reaches its stores. */
export const createReadiness = (options: ReadinessOptions): Readiness =>
  cacheForASecond(async () =>
    Object.fromEntries(await Promise.all(options.services.map((service) => checkService(options, service)))),
  );

/** Answers liveness: this process answers. */
export function sendHealth(exchange: Exchange): Promise<void> {
  exchange.headers['Cache-Control'] = 'no-store';
  return sendJson(exchange, 200, { status: 'ok' });
}

export function sendReadiness(exchange: Exchange, services: Record<string, string>, stopping: boolean): Promise<void> {
  exchange.headers['Cache-Control'] = 'no-store';
  const ready = !stopping && Object.values(services).every((state) => state === 'ok');
  return sendJson(exchange, ready ? 200 : 503, {
    status: ready ? 'ok' : stopping ? 'stopping' : 'not ready',
    services,
  });
}
