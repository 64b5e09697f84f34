const fence = /^\s*(?:(?:[-*+]|\d{1,9}[.)]|>)\s+)*(`{3,}|~{3,})/;

/** Follows the fences around code from line to line. */
export class CodeFences {
  private open: string | undefined;

  /** Whether a line is one of fenced code, with its fences. */
  readIsCode(line: string): boolean {
    const marker = fence.exec(line)?.[1];
    if (this.open === undefined) {
      this.open = marker;
      return marker !== undefined;
    }
    if (marker?.startsWith(this.open) && line.trim() === marker) this.open = undefined;
    return true;
  }
}
