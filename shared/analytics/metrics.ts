import { Counter, Gauge, Histogram } from 'prom-client';
import { metricsRegistry } from '../monitoring/metrics.js';

const registers = [metricsRegistry];

export const insertedRows = new Counter({
  name: 'bindery_inserted_rows_total',
  help: 'Rows that this process has stored in the analytics database, by table.',
  labelNames: ['table'],
  registers,
});

export const failedInserts = new Counter({
  name: 'bindery_failed_inserts_total',
  help: 'Inserts into the analytics database that were given up, by table.',
  labelNames: ['table'],
  registers,
});

export const insertDuration = new Histogram({
  name: 'bindery_insert_duration_seconds',
  help: 'Time of an insert into the analytics database with all its attempts, by table.',
  labelNames: ['table'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers,
});

export const waitingCharacters = new Gauge({
  name: 'bindery_waiting_insert_characters',
  help: 'Characters of rows that wait to be stored in the analytics database, by table.',
  labelNames: ['table'],
  registers,
});
