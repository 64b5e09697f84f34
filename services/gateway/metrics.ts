import { Counter, Histogram } from 'prom-client';
import { metricsRegistry } from '../../shared/metrics.js';

/** What a limited request was counted by: its token, its site (for visitors) or its address. */
export type Limited = 'token' | 'site' | 'address';

export interface Metrics {
  /** Counts an answer. `operation` is an operationId or the kind of page; `seconds` the time until the answer was written. */
  observe(operation: string, status: number, seconds: number): void;
  /** Counts a request that was answered with 429. */
  limited(by: Limited): void;
}

/** Creates the Prometheus metrics of the gateway, once per process. */
export function createMetrics(): Metrics {
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
  const kept = <T>(known: Map<string, T>, key: string, make: () => T): T => {
    const found = known.get(key) ?? make();
    known.set(key, found);
    return found;
  };
  return {
    observe(operation, status, seconds) {
      kept(counters, `${operation} ${status}`, () => requests.labels({ operation, status })).inc();
      kept(durations, operation, () => duration.labels({ operation })).observe(seconds);
    },
    limited: (by) => limited.inc({ by }),
  };
}
