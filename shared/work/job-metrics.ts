import { Counter, Gauge, Histogram } from 'prom-client';
import { metricsRegistry } from '../metrics.js';

const registers = [metricsRegistry];

/** As the store has it, so the same in every process of a service. */
export const jobsWaiting = new Gauge({
  name: 'bindery_jobs',
  help: 'Jobs of all processes by service, kind and state (queued, running).',
  labelNames: ['service', 'kind', 'state'],
  registers,
});

/** `retried` runs failed and are tried again, `failed` ones are not. */
export const jobRuns = new Counter({
  name: 'bindery_job_runs_total',
  help: 'Runs of jobs in this process by service, kind and outcome (completed, failed, retried).',
  labelNames: ['service', 'kind', 'outcome'],
  registers,
});

export const jobDuration = new Histogram({
  name: 'bindery_job_duration_seconds',
  help: 'Time a run of a job took in this process, by service and kind.',
  labelNames: ['service', 'kind'],
  buckets: [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900],
  registers,
});
