/** The processor time that a process has used by a moment, both in milliseconds. */
export interface ProcessorUse {
  at: number;
  used: number;
}

export interface ProcessorLimits {
  /** The processor time that a task may use, in milliseconds. */
  withinMs: number;
  /** Whether nobody waits for the task: then it goes on as long as it gets anything of a processor. */
  isPatient: boolean;
}

/** Multiple of `withinMs` within which a task must get that much processor time or, if it is patient, any. */
const patience = 3;
/** Shortest pause until the next look, in milliseconds: the system measures processor time no finer. */
const minMs = 10;

/** Decides when a task has used too much of a processor, or got too little of one. */
export class ProcessorTime {
  /** A patient task gets its time anew with each progress. */
  private progress: ProcessorUse;

  constructor(
    private readonly limits: ProcessorLimits,
    private readonly began: ProcessorUse,
  ) {
    this.progress = began;
  }

  /** Why the task ends now, or the milliseconds until it is to be looked at again. */
  look(now: ProcessorUse): 'deadline' | 'late' | number {
    const { withinMs, isPatient } = this.limits;
    const left = withinMs - (now.used - this.began.used);
    // Not a number where the system does not report what was used.
    if (!(left > 0)) return 'deadline';
    if (isPatient && now.used > this.progress.used) this.progress = now;
    const mayWait = withinMs * patience - (now.at - this.progress.at);
    return mayWait > 0 ? Math.max(minMs, Math.min(left, mayWait)) : 'late';
  }
}
