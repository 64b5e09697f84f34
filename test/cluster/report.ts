/** Promises that held or broke, and what was measured, by phase. */
export class Report {
  private readonly rows: { phase: string; text: string; ok?: boolean }[] = [];

  promise(phase: string, text: string, ok: boolean): void {
    this.add({ phase, text, ok });
  }

  note(phase: string, text: string): void {
    this.add({ phase, text });
  }

  get isKept(): boolean {
    return this.rows.every(({ ok }) => ok !== false);
  }

  table(): string {
    return this.rows.map(line).join('\n');
  }

  private add(row: { phase: string; text: string; ok?: boolean }): void {
    this.rows.push(row);
    process.stdout.write(`${line(row)}\n`);
  }
}

const marks = new Map([
  [true, 'ok    '],
  [false, 'BROKEN'],
]);

const line = ({ phase, text, ok }: { phase: string; text: string; ok?: boolean }) =>
  `${ok === undefined ? '      ' : marks.get(ok)} ${phase.padEnd(36)} ${text}`;
