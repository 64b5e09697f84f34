import type { Child } from '../../../../../shared/workers/children.js';
import { GitFailure } from '../command/failure.js';
import { type GitPlace, startGit, stopGit } from '../command/run.js';

interface Waiting {
  oid: string;
  resolve(bytes: Buffer): void;
  reject(error: Error): void;
}

const NEWLINE = 10;
const MAX_HEADER = 200;

/** Reads blobs through one `git cat-file --batch`: requests are written ahead, answers arrive in the same order. */
export class BlobReader {
  private readonly waiting: Waiting[] = [];
  private child: Promise<Child> | undefined;
  private ended: Error | undefined;
  private header = '';
  private blob: Buffer | undefined;
  private filled = 0;

  constructor(private readonly place: GitPlace) {}

  read(oid: string): Promise<Buffer> {
    if (this.ended) return Promise.reject(this.ended);
    this.child ??= this.startGitReader();
    const { child } = this;
    return new Promise((resolve, reject) => {
      this.waiting.push({ oid, resolve, reject });
      child.then(
        ({ stdin }) => stdin.write(`${oid}\n`),
        () => this.failPending(damagedCopy()),
      );
    });
  }

  /** Ends git; pending reads fail with `reason`. */
  async close(reason: Error = new GitFailure('aborted', 'the tree was closed')): Promise<void> {
    this.failPending(reason);
    const child = await this.child?.catch(() => undefined);
    if (!child) return;
    stopGit(child);
    await child.closed;
  }

  private async startGitReader(): Promise<Child> {
    const child = await startGit(['cat-file', '--batch'], this.place);
    child.stdout.on('data', (chunk: Buffer) => this.takeOutput(chunk));
    child.stderr.resume();
    void child.closed.then(() => this.failPending(damagedCopy()));
    return child;
  }

  private failPending(error: Error): void {
    this.ended ??= error;
    for (const { reject } of this.waiting.splice(0)) reject(this.ended);
  }

  /** One answer is `<oid> blob <size>\n<bytes>\n`. */
  private takeOutput(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !this.ended) {
      if (!this.blob) {
        const end = chunk.indexOf(NEWLINE, at);
        this.header += chunk.toString('latin1', at, end < 0 ? chunk.length : end);
        at = end < 0 ? chunk.length : end + 1;
        if (end >= 0 || this.header.length > MAX_HEADER) this.openBlob();
      } else if (this.filled < this.blob.length) {
        const copied = chunk.copy(this.blob, this.filled, at);
        this.filled += copied;
        at += copied;
      } else {
        at++;
        this.waiting.shift()?.resolve(this.blob);
        this.blob = undefined;
      }
    }
  }

  private openBlob(): void {
    const [oid, type, size] = this.header.split(' ');
    this.header = '';
    if (oid !== this.waiting[0]?.oid || type !== 'blob') {
      this.failPending(damagedCopy());
      return;
    }
    this.blob = Buffer.allocUnsafe(Number(size));
    this.filled = 0;
  }
}

function damagedCopy(): GitFailure {
  return new GitFailure('corrupt', 'the local copy of the repository is damaged');
}
