/** 256 KiB: less than a millisecond of copying. */
const slicesATurn = 4;

interface Waiting {
  /** Bytes of the answer that are written. */
  sent: number;
  write: () => void;
}

/**
 * The pace of large answers: a few slices of all together are written in each turn of the event loop, so that others come in
 * between. The answer that has waited longest goes on, and those that have got least so far.
 */
export class Pace {
  private left = slicesATurn;
  private isTurning = false;
  private readonly waiting: Waiting[] = [];

  /** Resolves when an answer of which `sent` bytes are written may go on. */
  async turn(sent: number): Promise<void> {
    this.endTurn();
    if (this.left > 0) this.left -= 1;
    else await new Promise<void>((write) => this.waiting.push({ sent, write }));
  }

  private endTurn(): void {
    if (this.isTurning) return;
    this.isTurning = true;
    setImmediate(() => this.beginTurn());
  }

  private beginTurn(): void {
    this.isTurning = false;
    this.left = slicesATurn;
    for (let next = this.waiting.shift(); next; next = this.takeLeast()) {
      next.write();
      this.left -= 1;
      if (this.left === 0) break;
    }
    if (this.waiting.length > 0) this.endTurn();
  }

  private takeLeast(): Waiting | undefined {
    let least = 0;
    for (let at = 1; at < this.waiting.length; at++)
      if ((this.waiting[at] as Waiting).sent < (this.waiting[least] as Waiting).sent) least = at;
    return this.waiting.splice(least, 1)[0];
  }
}
