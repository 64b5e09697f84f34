import { collectDefaultMetrics, Registry } from 'prom-client';

/** The metrics of this process; each is defined once, at the module that counts, with the service as a label. */
export const metricsRegistry = new Registry();

collectDefaultMetrics({ register: metricsRegistry });
