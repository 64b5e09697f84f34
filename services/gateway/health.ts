import type { Call } from '../../shared/contract/service.js';
import { readiness } from '../../shared/contract/verb.js';
import { type Exchange, sendJson } from './http/reply.js';

export interface ReadinessQuestion {
  call: Call;
  services: string[];
  closing: boolean;
}

const within = <T>(ms: number, promise: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });

async function check(question: ReadinessQuestion, service: string): Promise<[string, string]> {
  try {
    await within(2000, question.call(readiness(service), {}));
    return [service, 'ok'];
  } catch (error) {
    return [service, (error as Error).message];
  }
}

/** Answers liveness (`question` null: this process answers) or readiness: the bus reaches every service, and each reaches its stores. */
export async function sendHealth(exchange: Exchange, question: ReadinessQuestion | null): Promise<void> {
  exchange.headers['Cache-Control'] = 'no-store';
  if (!question) return sendJson(exchange, 200, { status: 'ok' });
  const checks = await Promise.all(question.services.map((service) => check(question, service)));
  const ready = !question.closing && checks.every(([, state]) => state === 'ok');
  await sendJson(exchange, ready ? 200 : 503, {
    status: ready ? 'ok' : question.closing ? 'stopping' : 'not ready',
    services: Object.fromEntries(checks),
  });
}
