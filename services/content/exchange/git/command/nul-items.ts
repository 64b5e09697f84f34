/** Cuts the output of a git command with `-z` into items, chunk by chunk. Leaves out items of more than `longest` bytes. */
export class NulItems {
  private parts: Buffer[] = [];
  private length = 0;
  /** Items that were too long. */
  leftOut = 0;

  constructor(private readonly maxItemBytes: number) {}

  *takeChunk(chunk: Buffer): Generator<Buffer> {
    let from = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      this.holdPart(chunk.subarray(from, end));
      if (this.length <= this.maxItemBytes) yield Buffer.concat(this.parts);
      else this.leftOut++;
      this.parts = [];
      this.length = 0;
      from = end + 1;
    }
    this.holdPart(chunk.subarray(from));
  }

  private holdPart(part: Buffer): void {
    this.length += part.length;
    if (this.length <= this.maxItemBytes) this.parts.push(part);
    else this.parts = [];
  }
}
