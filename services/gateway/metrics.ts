import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  registry: Registry;
  /** `operation` is an operationId, or the kind of page; `seconds` until the answer was written. */
  observe(operation: string, status: number, seconds: number): void;
  /** Whether the bus is connected, 1 or 0. */
  bus: Gauge;
}

/** Prometheus metrics; the default ones tell the event loop's lag and the memory. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'bindery_http_requests_total',
    help: 'Requests by operation and status.',
    labelNames: ['operation', 'status'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'bindery_http_request_duration_seconds',
    help: 'Time until the answer was written, by operation.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const bus = new Gauge({
    name: 'bindery_bus_connected',
    help: 'Whether the bus is connected.',
    registers: [registry],
  });
  // A metric with its labels is found once: finding it costs more than counting.
  const counters = new Map<string, Counter.Internal>();
  const durations = new Map<string, Histogram.Internal<'operation'>>();
  const kept = <T>(known: Map<string, T>, key: string, make: () => T): T => {
    const found = known.get(key) ?? make();
    known.set(key, found);
    return found;
  };
  return {
    registry,
    bus,
    observe(operation, status, seconds) {
      kept(counters, `${operation} ${status}`, () => requests.labels({ operation, status })).inc();
      kept(durations, operation, () => duration.labels({ operation })).observe(seconds);
    },
  };
}
