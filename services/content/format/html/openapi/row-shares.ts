/** Rows of fields that may still be written. */
export interface Rows {
  left: number;
}

/** Shares the rows that are left among those who may need some; what one does not need goes to the next. */
export class RowShares {
  constructor(
    private readonly rows: Rows,
    written: number,
    private sharers: number,
  ) {
    rows.left -= written;
  }

  within<T>(write: (rows: Rows) => T, isSharer = true): T {
    if (!isSharer) return write({ left: 0 });
    const share = Math.max(0, Math.floor(this.rows.left / Math.max(1, this.sharers--)));
    const rows = { left: share };
    const written = write(rows);
    this.rows.left -= share - Math.max(0, rows.left);
    return written;
  }
}
