import { Counter, Gauge, Histogram } from 'prom-client';
import { Measurements, metricsRegistry } from '../monitoring/metrics.js';

const registers = [metricsRegistry];

export const jobMeasurements = new Measurements();

/** Counted in the store, so the same in every process of a service. */
export const jobsWaiting = new Gauge({
  name: 'bindery_jobs',
  help: 'Jobs of all processes, by service, kind and state (queued, running).',
  labelNames: ['service', 'kind', 'state'],
  registers,
  collect: () => jobMeasurements.measure() as Promise<void>,
});

/** A `retried` run failed and is tried again; a `failed` one is not. A job `set_aside` ended or froze its process twice. */
export const jobRuns = new Counter({
  name: 'bindery_job_runs_total',
  help: 'Job runs of this process, by service, kind and outcome (completed, failed, retried, set_aside).',
  labelNames: ['service', 'kind', 'outcome'],
  registers,
});

export const jobDuration = new Histogram({
  name: 'bindery_job_duration_seconds',
  help: 'Duration of job runs in this process, by service and kind.',
  labelNames: ['service', 'kind'],
  buckets: [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900],
  registers,
});
