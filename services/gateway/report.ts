import type { IncomingMessage } from 'node:http';
import { Counter, Histogram } from 'prom-client';
import { outageText } from '../../shared/errors/errors.js';
import { type Log, onceASecond } from '../../shared/monitoring/log.js';
import { metricsRegistry } from '../../shared/monitoring/metrics.js';
import type { Exchange } from './http/reply.js';
import { requestFields } from './http/request-log.js';

const slowSeconds = 1;

export interface Outcome {
  status: number;
  /** When the exchange began, in milliseconds of `performance.now`. */
  started: number;
  error?: unknown;
}

/** The key by which a limited request was counted: its token, its site (for visitors) or its address. */
export type Limited = 'token' | 'site' | 'address';

export interface Report {
  /** Counts and logs an exchange that has ended. */
  report(exchange: Exchange, outcome: Outcome): void;
  /** Counts a request that is answered with 429. */
  countLimited(by: Limited): void;
}

export interface ReportOptions {
  log: Log;
  /** The IP address that a request comes from. */
  address: (request: IncomingMessage) => string;
  /** Log every request instead of only failed and slow ones. */
  all: boolean;
}

export function createReport({ log, address, all }: ReportOptions): Report {
  const logOnce = onceASecond(log);
  const { observe, countLimited } = createMetrics();
  return {
    countLimited,
    report(exchange, { status, started, error }) {
      const seconds = (performance.now() - started) / 1000;
      observe(exchange.operation, status, seconds);
      const failed = error !== undefined && status >= 500 && status !== 501;
      if (!failed && !all && seconds < slowSeconds) return;
      const ms = Math.round(seconds * 1000);
      const line = requestFields(exchange, { status, ms, address: address(exchange.request) });
      if (!failed) log.info(line, 'request');
      else if (status === 500) log.error({ ...line, err: error }, 'request failed');
      else logOnce('error', outageText(error), { ...line, err: error }, outageText(error));
    },
  };
}

/** Creates the Prometheus metrics of the gateway, once per process. */
function createMetrics() {
  const registers = [metricsRegistry];
  const requests = new Counter({
    name: 'bindery_http_requests_total',
    help: 'Requests, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'bindery_http_request_duration_seconds',
    help: 'Time until the answer was written, by operation.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const limited = new Counter({
    name: 'bindery_rate_limited_total',
    help: 'Requests answered with 429, by what they are counted by (token, site, address).',
    labelNames: ['by'],
    registers,
  });
  // Kept by their labels: looking a metric up costs more than counting.
  const counters = new Map<string, Counter.Internal>();
  const durations = new Map<string, Histogram.Internal<'operation'>>();
  const labelledChild = <T>(known: Map<string, T>, key: string, make: () => T): T => {
    const found = known.get(key) ?? make();
    known.set(key, found);
    return found;
  };
  return {
    /** `operation` is an operationId or the kind of page; `seconds` the time until the answer was written. */
    observe(operation: string, status: number, seconds: number) {
      labelledChild(counters, `${operation} ${status}`, () => requests.labels({ operation, status })).inc();
      labelledChild(durations, operation, () => duration.labels({ operation })).observe(seconds);
    },
    countLimited: (by: Limited) => limited.inc({ by }),
  };
}
