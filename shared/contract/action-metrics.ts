import { Counter, Histogram } from 'prom-client';
import { failureOf } from '../errors/errors.js';
import { metricsRegistry } from '../monitoring/metrics.js';

const registers = [metricsRegistry];

const duration = new Histogram({
  name: 'bindery_action_duration_seconds',
  help: 'Time that this process took for a call, by service and action.',
  labelNames: ['service', 'action'],
  buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
  registers,
});

const failures = new Counter({
  name: 'bindery_action_failures_total',
  help: 'Calls that this process answered with an error, by service, action and type of error.',
  labelNames: ['service', 'action', 'type'],
  registers,
});

/** Counts and times the calls of an action. */
export function measureCalls<A extends unknown[], T>(
  service: string,
  action: string,
  run: (...given: A) => Promise<T>,
): (...given: A) => Promise<T> {
  // Made with the first call: most actions of a process are never called.
  let timed: Histogram.Internal<'service' | 'action'> | undefined;
  return async (...given) => {
    timed ??= duration.labels({ service, action });
    const started = performance.now();
    try {
      return await run(...given);
    } catch (error) {
      failures.inc({ service, action, type: failureOf(error).type });
      throw error;
    } finally {
      timed.observe((performance.now() - started) / 1000);
    }
  };
}
