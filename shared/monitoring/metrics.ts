import { collectDefaultMetrics, Registry } from 'prom-client';

/** The metrics of this process. Each is defined once, in the module that counts, with the service as a label. */
export const metricsRegistry = new Registry();

collectDefaultMetrics({ register: metricsRegistry });
