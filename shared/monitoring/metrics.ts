import { collectDefaultMetrics, Registry } from 'prom-client';

/** The metrics of this process. Each is defined once, in the module that counts, with the service as a label. */
export const metricsRegistry = new Registry();

// By default the lag of the event loop is measured a hundred times a second: most of what an idle process would do.
collectDefaultMetrics({ register: metricsRegistry, eventLoopMonitoringPrecision: 50 });

/** Milliseconds within which scrapes share a measurement: nobody makes the store count more often. */
const measureMs = 1_000;

/** Measures when somebody asks, and not before. */
export class Measurements {
  private readonly measures = new Set<() => Promise<void>>();
  private measured: Promise<unknown> | undefined;
  private at = 0;

  /** Adds a measurement, which must not reject; returns the function that removes it. */
  add(measure: () => Promise<void>): () => void {
    this.measures.add(measure);
    return () => this.measures.delete(measure);
  }

  /** Measures all that was added; called by `collect` of each gauge that it sets. */
  measure(): Promise<unknown> {
    const now = performance.now();
    if (!this.measured || now - this.at >= measureMs) {
      this.at = now;
      this.measured = Promise.all([...this.measures].map((measure) => measure()));
    }
    return this.measured;
  }
}
