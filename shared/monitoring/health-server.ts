import { createServer, type Server } from 'node:http';
import { scaleMs } from '../settings/time-scale.js';
import { cacheForASecond } from '../work/one-second-cache.js';
import { metricsRegistry } from './metrics.js';

export interface HealthServerOptions {
  host: string;
  port: number;
  /** Rejects while this process cannot work, with the reason. */
  ready: () => Promise<void>;
}

/** Serves `/healthz`, `/readyz` and `/metrics` of a process until the process ends. Rejects when it cannot listen. */
export async function startHealthServer({ host, port, ready }: HealthServerOptions): Promise<Server> {
  const state = cacheForASecond(ready);
  const metrics = cacheForASecond(() => metricsRegistry.metrics());
  const answers: Record<string, () => Promise<[status: number, type: string, text: string]>> = {
    '/healthz': async () => [200, 'application/json', JSON.stringify({ status: 'ok' })],
    '/readyz': () =>
      state().then(
        () => [200, 'application/json', JSON.stringify({ status: 'ok' })],
        ({ message }: Error) => [503, 'application/json', JSON.stringify({ status: 'not ready', reason: message })],
      ),
    '/metrics': async () => [200, metricsRegistry.contentType, await metrics()],
  };
  const server = createServer(async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const answer = Object.hasOwn(answers, path) && (request.method === 'GET' || request.method === 'HEAD');
    const [status, type, text] = answer
      ? await (answers[path] as (typeof answers)[string])()
      : [
          404,
          'application/json',
          JSON.stringify({ error: { code: 404, message: 'Path not found', reason: 'not_found' } }),
        ];
    response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : text);
  });
  server.headersTimeout = scaleMs(5_000);
  server.requestTimeout = scaleMs(5_000);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server.unref();
}
