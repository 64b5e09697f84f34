import { SpanKind } from '@opentelemetry/api';
import type { Context, Middleware } from 'moleculer';
import { currentTraceparent, runTraced } from './tracing.js';

type Called = Promise<unknown> & { ctx?: unknown };
type Call = (action: string, parameters: unknown, options?: { meta?: object }) => Called;

const callAttributes = (action: string) => ({ 'rpc.system': 'bindery', 'rpc.method': action });

/** Carries the trace over the bus: a span where a call is made, and one where it is handled. */
export function busTracing(): Middleware {
  const middleware = {
    name: 'Tracing',
    call:
      (next: Call): Call =>
      (action, parameters, options = {}) => {
        let sent: Called | undefined;
        const called: Called = runTraced(
          `call ${action}`,
          { kind: SpanKind.CLIENT, attributes: callAttributes(action) },
          () => {
            const meta = { ...options.meta, traceparent: currentTraceparent() };
            sent = next(action, parameters, { ...options, meta });
            return sent.finally(() => {
              called.ctx = sent?.ctx;
            });
          },
        );
        called.ctx ??= sent?.ctx;
        return called;
      },
    localAction:
      (next: (bus: Context) => Promise<unknown>, { name }: { name: string }) =>
      (bus: Context<unknown, { traceparent?: string; requestId?: string }>) => {
        const { traceparent, requestId } = bus.meta;
        const attributes = { ...callAttributes(name), ...(requestId ? { 'bindery.request_id': requestId } : {}) };
        return runTraced(name, { kind: SpanKind.SERVER, attributes, traceparent }, () => next(bus));
      },
  };
  return middleware as unknown as Middleware;
}
