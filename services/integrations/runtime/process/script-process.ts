import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'undici';
import type { Log } from '../../../../shared/monitoring/log.js';
import { scaleMs } from '../../../../shared/settings/time-scale.js';
import { parseOutput, readLines, watchFlood } from '../events/output.js';
import { type Answer, type Dispatch, postEvent, ScriptEvent } from '../events/script-event.js';
import { type FailureReason, RuntimeFailure, type ScriptLogLine } from '../failure.js';
import type { GuardOptions } from '../guard/guard.js';
import { type Limits, secondsText } from '../limits.js';
import { type Ending, excessEnding, slowNeighbour, slowStartEnding, stopped, unexpectedEnding } from './endings.js';
import { collectTail, type Launcher } from './launched.js';
import { type Program, type Started, startProcess } from './start-process.js';
import { type Watch, watchProcess } from './watch.js';

/** The answer of a script. */
export interface Outcome extends Answer {
  /** All lines of the event, once its work after the answer has ended or was ended. Never rejects. */
  ended: Promise<ScriptLogLine[]>;
}

/** Callbacks for changes of a process. */
export interface ProcessObserver {
  /** It may take another event, has become idle, or is gone. */
  onChange: () => void;
  /** It ended after it was started; called before `onChange`. */
  onEnd: (reason: FailureReason) => void;
}

export interface ScriptProcessOptions extends ProcessObserver {
  program: Program;
  launcher: Launcher;
  guard: Omit<GuardOptions, 'socket' | 'organization' | 'limits'>;
  limits: Limits;
  log: Log;
}

const maxOtherLength = 500;
/** Longest time from a broken connection to the end of the process, if that is what broke it. */
const breakMs = scaleMs(1000);

/** The process of one program. It takes events until it is retired, and ends when it had none for a time. */
export class ScriptProcess {
  readonly startedAt = performance.now();
  /** Since when it has had no event. */
  idleSince = this.startedAt;
  isRetired = false;
  isGone = false;
  /** Resolves when it is gone, with everything that it left. */
  readonly gone: Promise<void>;
  /** Resolves when it listens. Rejects with a `RuntimeFailure` when it ends before, or with what prevented its start. */
  private readonly ready: Promise<void>;
  private setReady: () => void = () => undefined;
  private failReady: (error: unknown) => void = () => undefined;
  private isStarting = true;
  private readonly open = new Map<string, ScriptEvent>();
  private started: Started | undefined;
  private worker: Pool | undefined;
  private health: Pool | undefined;
  private watched: Watch | undefined;
  private isTidying = false;
  private ending: Ending | undefined;
  private idleTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: ScriptProcessOptions) {
    this.ready = new Promise((resolve, reject) => {
      this.setReady = resolve;
      this.failReady = reject;
    });
    this.ready.catch(() => undefined);
    this.gone = this.runToEnd();
  }

  get isIdle(): boolean {
    return this.open.size === 0;
  }

  get mayTake(): boolean {
    const { eventsAtOnce, openEvents } = this.options.limits;
    if (this.isRetired || this.isGone || this.isTidying || this.open.size >= openEvents) return false;
    return this.unanswered < eventsAtOnce;
  }

  private get unanswered(): number {
    return [...this.open.values()].filter(({ isAnswered }) => !isAnswered).length;
  }

  /** Runs an event, which is one of the process from the call on. */
  async run(dispatch: Dispatch): Promise<Outcome> {
    const event = this.openEvent();
    try {
      await this.ready;
      const answer = await this.askWithTimeout(event, dispatch);
      event.isAnswered = true;
      if (this.unanswered === 0) this.collectGarbage();
      this.options.onChange();
      return { ...answer, ended: this.afterAnswer(event) };
    } catch (error) {
      const failure = await this.reportedFailure(event, error);
      this.closeEvent(event, failure);
      throw failure;
    }
  }

  /** Waits until it has started. */
  async check(): Promise<void> {
    const event = this.openEvent();
    try {
      await this.ready;
    } finally {
      this.closeEvent(event);
    }
  }

  /** Takes no further events, and ends when the present ones are over. */
  retire(): void {
    this.isRetired = true;
    if (this.isIdle) this.end(stopped);
  }

  /** Ends it now; its events fail. */
  end(ending: Ending): void {
    this.isRetired = true;
    this.ending ??= ending;
    this.started?.kill();
  }

  private async runToEnd(): Promise<void> {
    const { program, launcher, guard, limits, log } = this.options;
    try {
      this.started = await startProcess(program, launcher, { ...guard, limits });
    } catch (error) {
      this.failReady(error);
      const isTold = error instanceof RuntimeFailure;
      if (isTold && error.cause) log.error({ err: error }, 'a process for a script could not be started');
      this.failOpenEvents(isTold ? error : { reason: 'start', message: 'The process could not be started' });
      return;
    }
    const { started } = this;
    // It may have been ended before there was a process.
    if (this.ending) started.kill();
    const errors = collectTail(started.errorOutput);
    await this.openConnections(started);
    const unwatch = this.watchRunning(started);
    const end = await started.gone;
    unwatch();
    const ending = this.ending ?? unexpectedEnding(end, errors(), this.isStarting);
    this.options.onEnd(ending.reason);
    this.failOpenEvents(ending);
    await Promise.all([this.worker?.destroy(), this.health?.destroy()]);
    await started.remove();
  }

  private async openConnections({ sockets }: Started): Promise<void> {
    const undici = await import('undici');
    this.worker = new undici.Pool('http://worker', { socketPath: sockets.script, headersTimeout: 0, bodyTimeout: 0 });
    this.health = new undici.Pool('http://health', { socketPath: sockets.health, connections: 1 });
  }

  /** Everything that is done to a running process. Returns what ends it. */
  private watchRunning({ use, output, listening }: Started): () => void {
    const { limits } = this.options;
    const endForExcess = (reason: 'processor' | 'memory' | 'logs') =>
      this.end(excessEnding(reason, limits, this.isStarting));
    watchFlood(output, limits.outputBytes, () => endForExcess('logs'));
    readLines(output, (text) => this.onOutput(text));
    const startTimer = setTimeout(() => this.end(slowStartEnding(limits)), limits.startMs);
    void listening.then(() => {
      clearTimeout(startTimer);
      this.isStarting = false;
      this.setReady();
    });
    const watched = watchProcess({
      use,
      limits,
      ask: (collects) => this.askForSign(collects),
      isBusy: () => !this.isIdle,
      onExcess: endForExcess,
    });
    this.watched = watched;
    return () => {
      clearTimeout(startTimer);
      watched.stop();
    };
  }

  private async askForSign(collects: boolean): Promise<void> {
    await this.ready;
    const headers = { 'x-bindery-collect': '1' };
    const request = { path: '/', method: 'GET' } as const;
    const answer = await (collects ? this.worker?.request({ ...request, headers }) : this.health?.request(request));
    await answer?.body.dump();
  }

  private onOutput(text: string): void {
    const written = parseOutput(text);
    const event = written.kind === 'other' ? undefined : this.open.get(written.event);
    if (written.kind === 'over') {
      event?.lines.countDropped(written.dropped);
      event?.setOver();
      return;
    }
    const line: ScriptLogLine = written.kind === 'line' ? written.line : { level: 'info', message: written.text };
    if (event) return void event.lines.add(line);
    const [only, another] = this.open.values();
    const other = { ...line, message: line.message.slice(0, maxOtherLength) };
    if (only && !another) return void only.lines.add(other);
    const { log, program } = this.options;
    log.debug({ integration: program.name, line: other.message }, 'script wrote outside an event');
  }

  private async askWithTimeout(event: ScriptEvent, dispatch: Dispatch): Promise<Answer> {
    const message = `The script took more than ${secondsText(dispatch.timeoutMs)}`;
    const timer = setTimeout(() => event.fail(new RuntimeFailure('time', message)), dispatch.timeoutMs);
    const { program, guard, limits } = this.options;
    const holding = guard.bodies.hold(program.organization);
    try {
      return await postEvent(this.worker as Pool, event, dispatch, { max: limits.answerBytes, holding });
    } finally {
      clearTimeout(timer);
      holding.release();
    }
  }

  private async afterAnswer(event: ScriptEvent): Promise<ScriptLogLine[]> {
    const { afterMs } = this.options.limits;
    const message = `The work after the answer took more than ${secondsText(afterMs)} and was ended`;
    const timer = setTimeout(() => event.fail(new RuntimeFailure('time', message)), afterMs);
    const failure = await Promise.race([event.over, event.failed]);
    clearTimeout(timer);
    this.closeEvent(event, failure);
    return failure ? event.lines.take({ level: 'error', message: failure.message }) : event.lines.take();
  }

  /** Turns an error of an event into the failure to report, with the lines that the event wrote. */
  private async reportedFailure(event: ScriptEvent, error: unknown): Promise<unknown> {
    const { signal } = event.stop;
    if (this.isStarting && !(error instanceof RuntimeFailure)) return error;
    const isBroken = !signal.aborted && !(error instanceof RuntimeFailure);
    if (isBroken) await Promise.race([event.failed, pause(breakMs, undefined, { ref: false })]);
    const known = signal.aborted ? (signal.reason as RuntimeFailure) : error;
    const { reason, message, bystander } =
      known instanceof RuntimeFailure ? known : new RuntimeFailure('crash', 'The script broke off its answer');
    return new RuntimeFailure(reason, message, { bystander, logs: event.lines.take() });
  }

  private openEvent(): ScriptEvent {
    clearTimeout(this.idleTimer);
    const event = new ScriptEvent();
    this.open.set(event.key, event);
    return event;
  }

  private closeEvent(event: ScriptEvent, failure?: unknown): void {
    this.open.delete(event.key);
    const { limits, onChange } = this.options;
    // A script that ran out of time may work on though nobody waits for it, so its process takes no more events and is ended.
    if (failure instanceof RuntimeFailure && failure.reason === 'time') {
      this.isRetired = true;
      setTimeout(() => this.end(slowNeighbour), limits.graceMs).unref();
    }
    if (this.isIdle) this.becomeIdle();
    onChange();
  }

  private becomeIdle(): void {
    this.idleSince = performance.now();
    if (this.isRetired) this.end(stopped);
    else if (!this.isGone) this.startIdleTime();
  }

  private startIdleTime(): void {
    this.idleTimer = setTimeout(() => this.end(stopped), this.options.limits.idleMs);
    this.collectGarbage();
  }

  /** Collects the garbage of past events, so that the next one is not stopped for it; it may come while `waitUntil` work still runs. */
  private collectGarbage(): void {
    const tidied = this.isTidying ? undefined : this.watched?.tidy();
    if (!tidied) return;
    this.isTidying = true;
    void tidied.then(() => {
      this.isTidying = false;
      this.options.onChange();
    });
  }

  private failOpenEvents({ reason, message }: Ending): void {
    this.isGone = true;
    clearTimeout(this.idleTimer);
    this.failReady(new RuntimeFailure(reason, message));
    const bystander = this.open.size > 1;
    for (const event of this.open.values()) event.fail(new RuntimeFailure(reason, message, { bystander }));
    this.options.onChange();
  }
}
