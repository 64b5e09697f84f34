import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client';
import { Counter, Gauge, Histogram } from 'prom-client';
import { apiError, isExpected } from '../errors/errors.js';
import { type Log, onceASecond, type Tell } from '../monitoring/log.js';
import { metricsRegistry } from '../monitoring/metrics.js';
import { scaleMs } from '../settings/time-scale.js';

/** Rows of one request, as lines of JSON. */
export interface Rows {
  /** The owner of the rows: each may fill only a share of the queue. */
  owner: string;
  lines: string;
  count: number;
  /** Names the rows of a request that may be repeated: rows of the same name are stored once. They are an insert of their own. */
  change?: string | undefined;
}

interface Waiting extends Rows {
  stored: () => void;
  failed: (error: Error) => void;
}

/** Rows of one insert, and characters. */
const maxRows = 10_000;
const maxLength = 8 * 1024 * 1024;
/** Inserts at a time, and the rows for which there is a second one: the next rows are read while the first is stored. */
const maxAtOnce = 2;
const rowsOfSecond = 1_000;
/** Characters that wait, of all owners and of one. */
const maxWaiting = 64 * 1024 * 1024;
const maxOfOwner = maxWaiting / 4;
/** Milliseconds that the first rows wait for others. */
const gatherMs = 2;
/** Milliseconds in which an attempt must succeed; after which an insert whose fate is unclear, or that was refused, is not sent again. */
const attemptMs = scaleMs(5_000);
const unclearMs = scaleMs(7_000);
const refusedMs = scaleMs(1_500);
const pauseMs = 100;

const insertSettings = {
  // Acknowledged when it is durable, whatever the defaults of the server.
  async_insert: 0,
  distributed_foreground_insert: 1,
  date_time_input_format: 'best_effort',
  // Events that are sent later may be of many months.
  max_partitions_per_insert_block: '0',
} as const;

/** Codes of connections that reached nobody. */
const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
/** Errors of the database that pass: busy, read-only, short of memory, or without its keeper. */
const passing = new Set(['202', '203', '225', '236', '241', '242', '243', '252', '279', '285', '394', '425', '999']);
/** After these the rows may be stored, here or there. */
const unclear = new Set(['159', '209', '210', '319']);

const isOutcomeUnclear = (error: unknown) =>
  error instanceof ClickHouseError
    ? unclear.has(error.code)
    : !isExpected(error) && !unreached.has((error as NodeJS.ErrnoException | null)?.code ?? '');
const isPassingError = (error: unknown) =>
  !(error instanceof ClickHouseError) || passing.has(error.code) || unclear.has(error.code);

const notStoredError = () =>
  apiError('UNAVAILABLE', 'The analytics database does not answer; the events are not stored; try again');
const tooManyWaitingError = () =>
  apiError('UNAVAILABLE', 'Too many events are waiting to be stored; try again', 'busy');
const outcomeUnknownError = () =>
  apiError(
    'OUTCOME_UNKNOWN',
    'The analytics database did not answer in time; whether the events are stored is unknown',
  );

/**
 * Inserts the rows of many requests together: each is acknowledged when the insert that holds it is on disk. An insert whose answer is lost is sent
 * again with the same token, by which the database knows it.
 */
export class GroupInserts {
  private waiting: Waiting[] = [];
  private waitingLength = 0;
  private readonly lengthOf = new Map<string, number>();
  private waitingRows = 0;
  private running = 0;
  private gathering = false;
  private idle: (() => void)[] = [];
  private readonly tell: Tell;

  constructor(private readonly options: { client: () => Promise<ClickHouseClient>; table: string; log: Log }) {
    this.tell = onceASecond(options.log);
  }

  /** Resolves when the rows are durable. Throws UNAVAILABLE when they are not stored, OUTCOME_UNKNOWN when nobody knows. */
  insert(rows: Rows): Promise<void> {
    const { owner, lines } = rows;
    const ofOwner = (this.lengthOf.get(owner) ?? 0) + lines.length;
    if (this.waitingLength + lines.length > maxWaiting || ofOwner > maxOfOwner) throw tooManyWaitingError();
    this.waitingLength += lines.length;
    this.waitingRows += rows.count;
    this.lengthOf.set(owner, ofOwner);
    return new Promise((stored, failed) => {
      this.waiting.push({ ...rows, stored, failed });
      this.startNext();
    });
  }

  /** Resolves when nothing waits any more. */
  async drain(): Promise<void> {
    while (this.running > 0 || this.waiting.length > 0) await new Promise<void>((done) => this.idle.push(done));
  }

  /** Starts an insert: the first one when others had a moment to join it, the second one when it is worth it. */
  private startNext(): void {
    if (this.waiting.length === 0 || this.gathering) return;
    if (this.running === 0) {
      this.gathering = true;
      setTimeout(() => {
        this.gathering = false;
        void this.insertWaiting();
      }, gatherMs);
    } else if (this.running < maxAtOnce && this.waitingRows >= rowsOfSecond) void this.insertWaiting();
  }

  private async insertWaiting(): Promise<void> {
    this.running += 1;
    while (this.waiting.length > 0 && (this.running === 1 || this.waitingRows >= rowsOfSecond))
      await this.insertGroup(this.takeGroup(), true);
    this.running -= 1;
    if (this.running === 0 && this.waiting.length === 0) for (const done of this.idle.splice(0)) done();
    this.startNext();
  }

  private async insertGroup(group: Waiting[], mayDivide: boolean): Promise<void> {
    const { table } = this.options;
    const ended = insertDuration.startTimer({ table });
    try {
      await this.sendUntilStored(group);
      insertedRows.inc(
        { table },
        group.reduce((sum, { count }) => sum + count, 0),
      );
      for (const { stored } of group) stored();
    } catch (error) {
      failedInserts.inc({ table });
      if (isPassingError(error)) return this.failAll(group, error);
      // The rows of one request that the database cannot take must not fail those of others.
      if (mayDivide && group.length > 1) for (const each of group) await this.insertGroup([each], false);
      else for (const { failed } of group) failed(error as Error);
    } finally {
      ended();
      waitingCharacters.set({ table }, this.waitingLength);
    }
  }

  /** Fails a group, and what waits: it would only wait for the same end. */
  private failAll(group: Waiting[], cause: unknown): void {
    this.tell('error', 'insert', { err: cause, table: this.options.table }, 'inserting rows failed');
    const error = isOutcomeUnclear(cause) ? outcomeUnknownError() : notStoredError();
    for (const { failed } of group) failed(error);
    while (this.waiting.length > 0) for (const { failed } of this.takeGroup()) failed(notStoredError());
  }

  private takeGroup(): Waiting[] {
    let [rows, length, end] = [0, 0, 0];
    for (const { count, lines, change } of this.waiting) {
      const isFull = rows + count > maxRows || length + lines.length > maxLength;
      if (end > 0 && (isFull || change !== undefined)) break;
      rows += count;
      length += lines.length;
      end += 1;
      if (change !== undefined) break;
    }
    const group = this.waiting.splice(0, end);
    this.waitingLength -= length;
    this.waitingRows -= rows;
    for (const { owner, lines } of group) {
      const left = (this.lengthOf.get(owner) ?? 0) - lines.length;
      if (left > 0) this.lengthOf.set(owner, left);
      else this.lengthOf.delete(owner);
    }
    return group;
  }

  /** Sends an insert until it succeeds, fails for good, or takes too long. Throws what the worst attempt ended with. */
  private async sendUntilStored(group: Waiting[]): Promise<void> {
    const query = `INSERT INTO ${this.options.table} FORMAT JSONEachRow\n${group.map(({ lines }) => lines).join('')}`;
    const settings = { ...insertSettings, insert_deduplication_token: group[0]?.change ?? randomUUID() };
    // Set anew when the client is open: the start of the embedded engine, which may take long on a busy machine, is not the insert's time.
    let began = Date.now();
    let isOpen = false;
    let worst: unknown;
    for (;;) {
      try {
        const client = await this.options.client();
        if (!isOpen) began = Date.now();
        isOpen = true;
        await client.command({ query, clickhouse_settings: settings, abort_signal: AbortSignal.timeout(attemptMs) });
        return;
      } catch (error) {
        if (!isPassingError(error)) throw error;
        if (worst === undefined || isOutcomeUnclear(error)) worst = error;
        if (Date.now() - began > (isOutcomeUnclear(worst) ? unclearMs : refusedMs)) throw worst;
        await delay(pauseMs);
      }
    }
  }
}

const registers = [metricsRegistry];

const insertedRows = new Counter({
  name: 'bindery_inserted_rows_total',
  help: 'Rows that this process has stored in the analytics database, by table.',
  labelNames: ['table'],
  registers,
});

const failedInserts = new Counter({
  name: 'bindery_failed_inserts_total',
  help: 'Inserts into the analytics database that were given up, by table.',
  labelNames: ['table'],
  registers,
});

const insertDuration = new Histogram({
  name: 'bindery_insert_duration_seconds',
  help: 'Time of an insert into the analytics database with all its attempts, by table.',
  labelNames: ['table'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers,
});

const waitingCharacters = new Gauge({
  name: 'bindery_waiting_insert_characters',
  help: 'Characters of rows that wait to be stored in the analytics database, by table.',
  labelNames: ['table'],
  registers,
});
