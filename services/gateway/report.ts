import { outageOf } from '../../shared/errors.js';
import { type Log, onceASecond } from '../../shared/log.js';
import type { Exchange } from './http/reply.js';
import { clientAddress, type Ranges } from './http/request.js';
import { requestFields } from './http/request-log.js';
import type { Metrics } from './metrics.js';

const slowSeconds = 1;

export interface Answered {
  status: number;
  /** When the exchange began, in milliseconds of `performance.now`. */
  started: number;
  error?: unknown;
}

/** Counts and logs an exchange that has ended. */
export type Report = (exchange: Exchange, answered: Answered) => void;

export interface ReportOptions {
  log: Log;
  metrics: Metrics;
  proxies: Ranges;
  /** Log every request instead of only failed and slow ones. */
  all: boolean;
}

export function createReport({ log, metrics, proxies, all }: ReportOptions): Report {
  const tell = onceASecond(log);
  return (exchange, { status, started, error }) => {
    const { operation } = exchange;
    const seconds = (performance.now() - started) / 1000;
    metrics.observe(operation, status, seconds);
    const failed = error !== undefined && status >= 500 && status !== 501;
    if (!failed && !all && seconds < slowSeconds) return;
    const address = clientAddress(exchange.request, proxies);
    const line = requestFields(exchange, { status, ms: Math.round(seconds * 1000), address });
    if (!failed) log.info(line, 'request');
    else if (status === 500) log.error({ ...line, err: error }, 'request failed');
    else tell('error', outageOf(error), { ...line, err: error }, outageOf(error));
  };
}
