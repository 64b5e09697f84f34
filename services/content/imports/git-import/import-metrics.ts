import { Counter, Histogram } from 'prom-client';
import { metricsRegistry } from '../../../../shared/metrics.js';

const registers = [metricsRegistry];

/** `unchanged`: the space had this commit already. `skipped`: a later operation came first. */
export type ImportOutcome = 'success' | 'unchanged' | 'skipped' | 'failure';

const imports = new Counter({
  name: 'bindery_imports_total',
  help: 'Git imports that ended in this process, by outcome (success, unchanged, skipped, failure).',
  labelNames: ['outcome'],
  registers,
});

const duration = new Histogram({
  name: 'bindery_import_duration_seconds',
  help: 'Time from the request of a Git import to its end, by outcome.',
  labelNames: ['outcome'],
  buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 300, 900],
  registers,
});

const pages = new Counter({
  name: 'bindery_imported_pages_total',
  help: 'Pages that Git imports brought in.',
  registers,
});

/** `requestedAt` is an ISO time. */
export function countImport(outcome: ImportOutcome, requestedAt: string, imported = 0): void {
  imports.inc({ outcome });
  duration.observe({ outcome }, Math.max(0, Date.now() - Date.parse(requestedAt)) / 1000);
  pages.inc(imported);
}
