import { Counter, Histogram } from 'prom-client';
import { metricsRegistry } from '../../../../../shared/monitoring/metrics.js';

const registers = [metricsRegistry];

/** `unchanged`: both sides were the same already. `skipped`: a later operation came first. */
export type Outcome = 'success' | 'unchanged' | 'skipped' | 'failure';

/** Counts the ends of operations. `requestedAt` is an ISO time. */
type CountEnd = (outcome: Outcome, requestedAt: string) => void;

/** The metrics of Git imports or of Git exports. */
export function newOperationMetrics(direction: 'import' | 'export'): CountEnd {
  const ends = new Counter({
    name: `bindery_${direction}s_total`,
    help: `Git ${direction}s that ended in this process, by outcome (success, unchanged, skipped, failure).`,
    labelNames: ['outcome'],
    registers,
  });
  const duration = new Histogram({
    name: `bindery_${direction}_duration_seconds`,
    help: `Time from the request of a Git ${direction} to its end, by outcome.`,
    labelNames: ['outcome'],
    buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 300, 900],
    registers,
  });
  return (outcome, requestedAt) => {
    ends.inc({ outcome });
    duration.observe({ outcome }, Math.max(0, Date.now() - Date.parse(requestedAt)) / 1000);
  };
}
