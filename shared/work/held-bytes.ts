export interface HeldLimits {
  /** Bytes of one owner, and of all together. */
  ofOwner: number;
  ofAll: number;
}

/** The bytes that one piece of work holds. */
export interface Holding {
  /** Counts bytes that arrive. False where they are too many, or after `release`: they are not to be kept, and do not count. */
  add(bytes: number): boolean;
  /** Forgets all that was added. */
  release(): void;
}

/**
 * Counts bytes that are held in memory from the moment they arrive. Once all together are at their limit, an owner that holds less than an equal
 * part may still hold more: nobody is shut out by others.
 */
export class HeldBytes {
  private readonly byOwner = new Map<string, number>();
  private all = 0;

  constructor(private readonly limits: HeldLimits) {}

  hold(owner: string): Holding {
    let size = 0;
    let isReleased = false;
    return {
      add: (bytes) => {
        if (isReleased || !this.hasRoom(owner, bytes)) return false;
        size += bytes;
        this.changeCount(owner, bytes);
        return true;
      },
      release: () => {
        if (!isReleased) this.changeCount(owner, -size);
        isReleased = true;
      },
    };
  }

  bytesOf(owner: string): number {
    return this.byOwner.get(owner) ?? 0;
  }

  private hasRoom(owner: string, bytes: number): boolean {
    const { ofOwner, ofAll } = this.limits;
    const own = this.bytesOf(owner) + bytes;
    const owners = this.byOwner.size + (this.byOwner.has(owner) ? 0 : 1);
    return own <= ofOwner && (this.all + bytes <= ofAll || own <= ofAll / owners);
  }

  private changeCount(owner: string, bytes: number): void {
    this.all += bytes;
    const held = this.bytesOf(owner) + bytes;
    if (held > 0) this.byOwner.set(owner, held);
    else this.byOwner.delete(owner);
  }
}
