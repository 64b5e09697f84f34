import { setTimeout as delay } from 'node:timers/promises';
import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { failureOf } from '../errors/errors.js';
import { type Log, onceASecond } from '../monitoring/log.js';
import { version } from '../process/version.js';
import type { Config } from '../settings/config.js';
import { scaleMs } from '../settings/time-scale.js';

export type { Attributes } from '@opentelemetry/api';

/** A process that stops waits no longer than this for its collector. */
const maxFarewellMs = scaleMs(3_000);

/** Undefined while tracing is off: then nothing is made or kept for it. */
let tracer: Tracer | undefined;

export const isTracing = (): boolean => tracer !== undefined;

/** Spans that wait to be sent; more are dropped. */
const maxWaiting = 8192;

/**
 * Sends the spans of this process to the collector of `OTEL_EXPORTER_OTLP_ENDPOINT`, if that is set. The returned function sends what
 * is left. A collector that is away costs spans, and nothing else.
 */
export async function startTracing(
  settings: Pick<
    Config,
    'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER_ARG'
  >,
  log: Log,
): Promise<() => Promise<void>> {
  const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return async () => {};
  const { BatchSpanProcessor, NodeTracerProvider, TraceIdRatioBasedSampler } = await import(
    '@opentelemetry/sdk-trace-node'
  );
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const tell = onceASecond(log);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS,
    timeoutMillis: scaleMs(5_000),
  });
  const loggingExporter: Pick<typeof exporter, 'export' | 'shutdown'> = {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error) tell('warn', 'traces', { err: result.error }, 'traces could not be sent');
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.OTEL_SERVICE_NAME, 'service.version': version }),
    // By the trace id, so that all processes decide alike, and no client decides for us.
    sampler: new TraceIdRatioBasedSampler(settings.OTEL_TRACES_SAMPLER_ARG),
    spanProcessors: [new BatchSpanProcessor(loggingExporter, { maxQueueSize: maxWaiting })],
  });
  provider.register();
  tracer = trace.getTracer('bindery', version);
  return async () => {
    tracer = undefined;
    await Promise.race([provider.shutdown().catch(() => {}), delay(maxFarewellMs)]);
  };
}

interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes | undefined;
  /** The parent of the span, as a W3C `traceparent`; the current span by default. */
  traceparent?: string | undefined;
}

/** Runs work as a span; without tracing, just runs it. The span fails where the work fails by a fault of ours. */
export function runTraced<T>(
  name: string,
  { kind = SpanKind.INTERNAL, attributes = {}, traceparent }: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  if (!tracer) return work(undefined);
  const parent = traceparent === undefined ? context.active() : contextFromParent(traceparent);
  if (isLeftOut(parent)) return context.with(parent, () => work(undefined));
  return tracer.startActiveSpan(name, { kind, attributes }, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      const { status, type } = failureOf(error);
      span.setAttribute('error.type', type);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR, message: type });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Whether this trace is not among those that are kept. */
function isLeftOut(parent: Context): boolean {
  const above = trace.getSpanContext(parent);
  return above !== undefined && (above.traceFlags & TraceFlags.SAMPLED) === 0;
}

const contextFromParent = (traceparent: string): Context => propagation.extract(context.active(), { traceparent });

/** The `traceparent` of what is going on, to travel with a call. */
export function currentTraceparent(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** Makes a span of each call of an object's asynchronous methods that is made within a trace, named `<name>.<method>`. */
export function traceCalls<T extends object>(
  name: string,
  target: T,
  attributesOf: (first: unknown) => Attributes = () => ({}),
): T {
  if (!tracer) return target;
  return new Proxy(target, {
    get(_, method) {
      const value = Reflect.get(target, method, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        if (!trace.getActiveSpan()?.isRecording()) return value.apply(target, given);
        const attributes = attributesOf(given[0]);
        return runTraced(`${name}.${String(method)}`, { kind: SpanKind.CLIENT, attributes }, () =>
          value.apply(target, given),
        );
      };
    },
  });
}
