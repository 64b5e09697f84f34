/** What was measured of one kind of request: latencies in milliseconds from the time at which it was due, and statuses. */
interface Kind {
  latencies: number[];
  statuses: Map<number | string, number>;
}

const at = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** A record as it goes from process to process. */
export type Recorded = [name: string, latencies: number[], statuses: [number | string, number][]][];

/** Latencies and statuses of a phase, by kind of request. */
export class Record {
  private readonly kinds = new Map<string, Kind>();

  private kind(name: string): Kind {
    const kind = this.kinds.get(name) ?? { latencies: [], statuses: new Map() };
    this.kinds.set(name, kind);
    return kind;
  }

  /** `status`: what was answered, or the code of the error in its place. */
  add(name: string, status: number | string, ms?: number): void {
    const { latencies, statuses } = this.kind(name);
    if (ms !== undefined) latencies.push(ms);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }

  all(): Recorded {
    return [...this.kinds].map(([name, { latencies, statuses }]) => [name, latencies, [...statuses]]);
  }

  static of(recorded: Recorded): Record {
    const record = new Record();
    for (const [name, latencies, statuses] of recorded)
      record.kinds.set(name, { latencies, statuses: new Map(statuses) });
    return record;
  }

  /** Of all kinds together. */
  quantile(share: number): number {
    return at(
      [...this.kinds.values()].flatMap(({ latencies }) => latencies).sort((a, b) => a - b),
      share,
    );
  }

  /** The answers that neither succeed nor are an error that the handbook describes. */
  faults(isExpected: (status: number | string) => boolean): string[] {
    return [...this.kinds].flatMap(([name, { statuses }]) =>
      [...statuses].filter(([status]) => !isExpected(status)).map(([status, count]) => `${name}: ${status} (${count})`),
    );
  }

  /** A line for each kind. */
  lines(): string[] {
    return [...this.kinds].map(([name, { latencies, statuses }]) => {
      const sorted = latencies.toSorted((a, b) => a - b);
      const times = [0.5, 0.99, 1].map((share) => `${Math.round(at(sorted, share))}`.padStart(6)).join('');
      const counts = [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ');
      return `  ${name.padEnd(26)}${sorted.length > 0 ? times : ' '.repeat(18)}  ${counts}`;
    });
  }
}
