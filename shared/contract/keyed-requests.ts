import { setTimeout as delay } from 'node:timers/promises';
import { apiError, conflict, failureOf } from '../errors/errors.js';
import type { Log } from '../monitoring/log.js';
import type { Secrets } from '../secrets/secrets.js';
import { scaleMs } from '../settings/time-scale.js';
import { type Collection, collection, type Store, StoreDuplicate, type Write, write } from '../store/port.js';
import { sortKeys } from '../text/canonical.js';
import { newId, sha256, timeIn, timestamp } from '../values/ids.js';
import type { Caller, ContentCaller } from './caller.js';
import { Encoded } from './encoded.js';
import { type Keeper, type KeyedBounds, KeyedUsages } from './keyed-usage.js';

/** A write that its client named by an `Idempotency-Key`. */
interface KeyedRequest {
  /** Made of the caller and the key. */
  _id: string;
  /** Made of the operation and all that it was asked: a key stands for one request. */
  request: string;
  /** The id of the run that holds the request. A run that another has taken over writes nothing more. */
  run: string;
  /** Stays the same over its runs. */
  change: string;
  /** `applied` is set in the batch of the change, by `mark`. */
  state: 'running' | 'applied' | 'answered';
  /** When the run counts as dead. */
  until: string;
  expiresAt: string;
  /** Where the change was made, for one that is audited. */
  organization?: string;
  /** The answer as JSON, encrypted: it may hold a secret. Absent where it is too long. */
  answer?: string;
}

const keptMs = 24 * 3600_000;
const sweepEveryMs = 3600_000;
/** Characters of the longest answer that is kept. */
const maxAnswerLength = 256 * 1024;
const firstPauseMs = 20;
const maxPauseMs = 250;

export interface KeyedRequestsOptions {
  store: Store;
  secrets: Secrets;
  log: Log;
  service: string;
  /** This process alone uses the store, so runs found at the start belong to a dead process. */
  exclusive: boolean;
  /** Milliseconds after which a run without a sign of life counts as dead. */
  leaseMs?: number;
  /** Limits on the bytes that are kept in a day. */
  bounds?: KeyedBounds;
}

export interface Asked {
  caller: Caller;
  /** The network of a caller without an account. */
  network: string;
  /** The organization that the operation is about; empty for none. */
  organization: string;
  key: string;
  operation: string;
  /** The parameters of the operation, by which a repetition is recognised. */
  request: unknown;
  /** How long to wait for the same request that is under way, in epoch milliseconds. */
  until: number;
}

/** The means by which a run makes its change only once. */
export interface Run {
  /** Makes a write for the batch of the change in an organization: with it, the request is run again only if nothing was changed. */
  mark: (organization: string) => Write;
  /** Names the change, the same in each run: for a store that recognises what it has by a name. */
  change: string;
}

/** The outcome of a request with a key. */
export interface Kept {
  answer: unknown;
  /** It was answered before. */
  replayed: boolean;
  /** Where the change was made, for a replayed request that is audited. */
  organization?: string | undefined;
}

/** Runs each write that has a key once, however often it is sent, and keeps its answer for a day. */
export class KeyedRequests {
  private readonly requests: Collection<KeyedRequest>;
  private readonly usages: KeyedUsages;
  private readonly leaseMs: number;
  private sweeping: NodeJS.Timeout | undefined;

  constructor(private readonly options: KeyedRequestsOptions) {
    this.requests = collection<KeyedRequest>(`${options.service}_keyed_requests`, [
      { on: { expiresAt: 1 } },
      { on: { until: 1 } },
    ]);
    this.usages = new KeyedUsages(options.store, options.service, options.bounds);
    this.leaseMs = options.leaseMs ?? scaleMs(5_000);
  }

  async prepare(): Promise<void> {
    const { store, exclusive } = this.options;
    await store.prepare([this.requests, this.usages.usages] as Collection<never>[]);
    if (exclusive)
      await store.updateMany(this.requests, { until: { $gt: timestamp() } }, { $set: { until: timestamp() } });
  }

  /** Reports the bytes kept today for an organization. */
  readonly usage = (organization: string) => this.usages.keptUsage(organization);

  start(): void {
    this.sweeping = setInterval(() => void this.removeOld(), sweepEveryMs).unref();
    void this.removeOld();
  }

  stop(): void {
    clearInterval(this.sweeping);
  }

  /**
   * Answers what was answered before, or performs the request. Errors are not kept. Throws 422 for a key of another request; 504 if the
   * same request is still under way at the end of the wait, and 503 if that failed meanwhile; 409 if it was applied by a process that
   * died before it answered; 429 for a new key where no more may be kept.
   */
  async answerOnce(asked: Asked, perform: (run: Run) => Promise<unknown>): Promise<Kept> {
    const own = this.newRequest(asked);
    const keeper = keeperOf(asked);
    const held = await this.claimRun(own, asked.until);
    if (held.run !== own.run)
      return { answer: this.decryptAnswer(held), replayed: true, organization: held.organization };
    const renewing = setInterval(() => void this.renewLease(own), this.leaseMs / 3).unref();
    try {
      const run: Run = { mark: (organization) => this.appliedMark(own, organization), change: held.change };
      const performed = this.usages.checkRoom(keeper).then(() => perform(run));
      const answer = await performed.catch(async (error) => {
        await this.releaseRequest(own, failureOf(error).type === 'OUTCOME_UNKNOWN');
        throw (await this.isTakenOver(own)) ? takenOverError(error) : error;
      });
      await this.keepAnswer(own, keeper, answer);
      return { answer, replayed: false };
    } finally {
      clearInterval(renewing);
    }
  }

  /** The organization in which the same request has made its change; undefined where it has made none. */
  async changedOrganization(asked: Asked): Promise<string | undefined> {
    const { _id, request } = this.newRequest(asked);
    const found = await this.options.store.get(this.requests, _id);
    return found?.request === request && found.state !== 'running' ? found.organization : undefined;
  }

  private newRequest({ caller, network, key, operation, request }: Asked): KeyedRequest {
    return {
      _id: sha256(JSON.stringify([ownerOf(caller, network), key])),
      request: sha256(JSON.stringify([operation, request])),
      run: newId(),
      change: newId(),
      state: 'running',
      until: timeIn(this.leaseMs),
      expiresAt: timeIn(keptMs),
    };
  }

  /** Returns the same request that was answered before, or the one that this run has to perform. */
  private async claimRun(own: KeyedRequest, until: number): Promise<KeyedRequest> {
    let found = await this.insertOrFind(own);
    for (let pause = firstPauseMs; ; pause = Math.min(maxPauseMs, pause * 2)) {
      if (!found) return own;
      const taken = await this.takeOver(found, own);
      if (taken) return taken;
      if (found.request !== own.request)
        throw apiError(
          'UNPROCESSABLE',
          'Idempotency-Key: this key was used for another request; choose a new one',
          'idempotency_key_reused',
        );
      if (found.state === 'answered') return found;
      if (found.state === 'applied' && isOver(found.until)) throw keptAnswerLostError();
      if (Date.now() + pause > until) throw stillRunningError();
      await delay(pause);
      found = await this.options.store.get(this.requests, own._id);
      // Its error was the answer. One that had waited and then succeeded would contradict it.
      if (!found) throw firstRunFailedError();
    }
  }

  private async insertOrFind(own: KeyedRequest): Promise<KeyedRequest | null> {
    const { store } = this.options;
    for (;;) {
      try {
        await store.insert(this.requests, own);
        return null;
      } catch (error) {
        if (!(error instanceof StoreDuplicate)) throw error;
      }
      const found = await store.get(this.requests, own._id);
      if (found) return found;
    }
  }

  /** Takes the key of a request that is not kept any longer, or the same request of a dead process that changed nothing. */
  private async takeOver(found: KeyedRequest, own: KeyedRequest): Promise<KeyedRequest | null> {
    const isDead = found.state === 'running' && found.request === own.request && isOver(found.until);
    if (!isDead && !isOver(found.expiresAt)) return null;
    const { _id, run, state } = found;
    const { _id: _, ...fields } = { ...own, until: timeIn(this.leaseMs), ...(isDead ? { change: found.change } : {}) };
    return this.options.store.update(
      this.requests,
      { _id, run, state },
      { $set: fields, $unset: { answer: true, organization: true } },
    );
  }

  private appliedMark({ _id, run }: KeyedRequest, organization: string): Write {
    return write.update(this.requests, { _id, run }, { $set: { state: 'applied', organization } }, { expect: 1 });
  }

  private async renewLease({ _id, run }: KeyedRequest): Promise<void> {
    const update = { $set: { until: timeIn(this.leaseMs) } };
    // A run that cannot renew its lease is taken over, and then writes nothing.
    await this.options.store.update(this.requests, { _id, run }, update).catch(() => {});
  }

  /** Keeps the answer to a change that was made. If it is too long or cannot be stored, a repetition gets an error that says so. */
  private async keepAnswer({ _id, run }: KeyedRequest, keeper: Keeper, answer: unknown): Promise<void> {
    const { store, secrets, log, service } = this.options;
    const text = answer instanceof Encoded ? answer.bytes.toString() : JSON.stringify(answer ?? null);
    const kept: { answer?: string } = text.length > maxAnswerLength ? {} : { answer: secrets.encrypt(text) };
    await Promise.all([
      store.update(this.requests, { _id, run }, { $set: { state: 'answered', ...kept } }),
      this.usages.countKept(keeper, kept.answer?.length ?? 0),
    ]).catch((err) => log.warn({ err, service }, 'the answer to a request with an Idempotency-Key could not be kept'));
  }

  /** A failed request may be sent again, unless its change was made. Where nobody knows, the next run is one of the same change. */
  private async releaseRequest({ _id, run }: KeyedRequest, isUnknown: boolean): Promise<void> {
    const { store } = this.options;
    const own = { _id, run, state: 'running' } as const;
    const released: Promise<unknown> = isUnknown
      ? store.update(this.requests, own, { $set: { until: timestamp() } })
      : store.delete(this.requests, own);
    await released.catch(() => {});
  }

  /** Whether another run has the request by now. Then what this one ended with says nothing of the request. */
  private async isTakenOver({ _id, run }: KeyedRequest): Promise<boolean> {
    const found = await this.options.store.get(this.requests, _id).catch(() => null);
    return found !== null && found.run !== run;
  }

  private decryptAnswer({ answer }: KeyedRequest): unknown {
    if (answer === undefined) throw keptAnswerLostError();
    try {
      return JSON.parse(this.options.secrets.decrypt(answer));
    } catch {
      // Its key is no longer among those of SECRET_KEY.
      throw keptAnswerLostError();
    }
  }

  private async removeOld(): Promise<void> {
    const { store, log, service } = this.options;
    const over = { expiresAt: { $lt: timestamp() } };
    await Promise.all([store.deleteMany(this.requests, over), store.deleteMany(this.usages.usages, over)]).catch(
      (err) => log.warn({ err, service }, 'removing old idempotency keys failed; will retry in an hour'),
    );
  }
}

const stillRunningError = () =>
  apiError(
    'OUTCOME_UNKNOWN',
    'Idempotency-Key: the first request with this key is still under way; repeat it later',
    'request_under_way',
  );
const takenOverError = (cause: unknown) =>
  Object.assign(
    apiError(
      'OUTCOME_UNKNOWN',
      'Idempotency-Key: another process has taken this request over; repeat it later',
      'request_under_way',
    ),
    { cause },
  );
const firstRunFailedError = () =>
  apiError(
    'UNAVAILABLE',
    'Idempotency-Key: the first request with this key failed and changed nothing; repeat it',
    'first_request_failed',
  );
const keptAnswerLostError = () =>
  conflict(
    'Idempotency-Key: the first request with this key was applied, but its answer is lost; read what it changed',
    'answer_lost',
  );

const isOver = (time: string) => time <= timestamp();

const keeperOf = ({ caller, network, organization }: Asked): Keeper => ({
  owner: sha256(ownerOf(caller, network)),
  kind: caller.kind,
  organization,
});

/** Keys of different callers are different. */
function ownerOf(caller: Caller, network: string): string {
  switch (caller.kind) {
    case 'user':
      return `user ${caller.user}`;
    case 'integration':
      return `integration ${caller.integration}`;
    case 'installation':
      return `installation ${caller.installation}`;
    case 'content':
      return `visitor of ${caller.site} ${visitorOf(caller, network)}`;
    default:
      return `${caller.kind} ${network}`;
  }
}

/** Names a visitor by its token, or by its network where the token has no claims. */
const visitorOf = ({ claims, signedBy, shareKey, preview }: ContentCaller, network: string): string =>
  JSON.stringify(
    Object.keys(claims).length > 0 ? sortKeys({ claims, signedBy, shareKey, preview }) : [network, shareKey, preview],
  );
