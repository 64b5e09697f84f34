/** How the text of a writer stands. */
export type KeepingState =
  /** Everything is kept, since when. */
  | { kind: 'kept'; savedAt: string | undefined }
  | { kind: 'changed' }
  | { kind: 'keeping' }
  /** The server does not answer; it is asked again after so many milliseconds. */
  | { kind: 'waiting'; inMs: number }
  /** The server will not keep it, for a reason in words. */
  | { kind: 'refused'; message: string }
  /** Another window of the writer kept another text. */
  | { kind: 'conflict'; version: string };

/** The answer to a text that is to be kept. */
export type KeepAnswer =
  | { kind: 'kept'; version: string; savedAt: string }
  | { kind: 'conflict'; version: string }
  | { kind: 'refused'; message: string }
  | { kind: 'unreached' };

export interface Keeping {
  /** The text as it is now. */
  read(): string;
  /** Sends a text; `version`: the kept one that it replaces. */
  send(markdown: string, version: string | undefined): Promise<KeepAnswer>;
  /** Calls after so many milliseconds; returns the function that calls it off. */
  later(act: () => void, ms: number): () => void;
  show(state: KeepingState): void;
}

/** Milliseconds without a key after which a text is kept; while somebody types on, it is kept this often. */
const restMs = 1_000;
const maxWaitMs = 5_000;
const firstRetryMs = 1_000;
const maxRetryMs = 30_000;

/** Keeps the text of a writer as a draft while it is typed. It counts as kept only when the server has answered. */
export class DraftKeeper {
  private changes = 0;
  private keptChanges = 0;
  private sending: Promise<void> | undefined;
  private isHeld = false;
  private retryMs = firstRetryMs;
  private resting: (() => void) | undefined;
  private maxWait: (() => void) | undefined;
  private state: KeepingState = { kind: 'kept', savedAt: undefined };

  constructor(
    private readonly keeping: Keeping,
    private version: string | undefined,
  ) {}

  /** Whether something of the text is not kept yet. */
  get isUnsaved(): boolean {
    return this.changes > this.keptChanges;
  }

  get keptVersion(): string | undefined {
    return this.version;
  }

  /** The text was changed. */
  changed(): void {
    this.changes += 1;
    // While the server does not answer, the next attempt is planned already.
    if (this.isHeld || (this.state.kind === 'waiting' && this.maxWait)) return;
    if (this.state.kind === 'conflict') {
      this.meetAgain(restMs);
      return;
    }
    if (this.state.kind === 'kept' || this.state.kind === 'refused') this.enter({ kind: 'changed' });
    this.resting?.();
    this.resting = this.keeping.later(() => void this.keep(), restMs);
    this.maxWait ??= this.keeping.later(() => void this.keep(), maxWaitMs);
  }

  /** Keeps the text at once, where it is not kept. */
  async keep(): Promise<void> {
    if (this.state.kind === 'conflict') return;
    this.callOff();
    if (!this.isUnsaved || this.sending || this.isHeld) return;
    this.sending = this.send().finally(() => {
      this.sending = undefined;
    });
    await this.sending;
    this.goOn();
  }

  /** Keeps nothing until it is released: the text is about to be saved for good. What is under way ends first. */
  async hold(): Promise<void> {
    this.isHeld = true;
    this.callOff();
    await this.sending;
    this.callOff();
  }

  release(): void {
    this.isHeld = false;
    if (this.isUnsaved) this.changed();
  }

  /** The text as it is now was saved for good, and its draft is gone. `changed`: what was typed meanwhile is not. */
  saved(savedAt: string, changed: boolean): void {
    this.version = undefined;
    this.isHeld = false;
    this.keptChanges = this.changes;
    this.enter({ kind: 'kept', savedAt });
    if (changed) this.changed();
  }

  /** The writer saw what another window kept: the next text replaces it. */
  settled(version: string | undefined): void {
    this.version = version;
    this.enter({ kind: 'changed' });
    this.changed();
  }

  /** The server does not say what another window kept: it is asked again later. */
  postpone(): void {
    this.keeping.show({ kind: 'waiting', inMs: this.retryMs });
    this.meetAgain(this.retryMs);
    this.retryMs = Math.min(2 * this.retryMs, maxRetryMs);
  }

  /** Shows a conflict again that was not settled. */
  private meetAgain(ms: number): void {
    this.resting?.();
    this.resting = this.keeping.later(() => this.enter(this.state), ms);
  }

  private async send(): Promise<void> {
    const sent = this.changes;
    if (this.state.kind !== 'waiting') this.enter({ kind: 'keeping' });
    const answer = await this.keeping.send(this.keeping.read(), this.version);
    if (answer.kind === 'unreached') {
      this.enter({ kind: 'waiting', inMs: this.retryMs });
      return;
    }
    this.retryMs = firstRetryMs;
    if (answer.kind !== 'kept') return this.enter(answer);
    this.version = answer.version;
    this.keptChanges = Math.max(this.keptChanges, sent);
    this.enter(this.isUnsaved ? { kind: 'changed' } : { kind: 'kept', savedAt: answer.savedAt });
  }

  /** Plans the next attempt, where one is needed. */
  private goOn(): void {
    const { kind } = this.state;
    if (this.isHeld || this.resting || this.maxWait || (kind !== 'waiting' && kind !== 'changed')) return;
    const inMs = kind === 'waiting' ? this.retryMs : restMs;
    if (kind === 'waiting') this.retryMs = Math.min(2 * inMs, maxRetryMs);
    this.maxWait = this.keeping.later(() => void this.keep(), inMs);
  }

  private enter(state: KeepingState): void {
    this.state = state;
    this.keeping.show(state);
  }

  private callOff(): void {
    this.resting?.();
    this.maxWait?.();
    this.resting = undefined;
    this.maxWait = undefined;
  }
}
