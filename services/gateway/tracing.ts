import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { runTraced } from '../../shared/tracing/tracing.js';
import type { Exchange } from './http/reply.js';
import { loggablePath } from './http/request-log.js';

/** Makes a span of an exchange, within the trace of its client. */
export function traceExchange(exchange: Exchange, answer: () => Promise<void>): Promise<void> {
  const { request, response, requestId } = exchange;
  const { method = 'GET', headers } = request;
  const attributes = { 'http.request.method': method, 'bindery.request_id': requestId };
  const traceparent = typeof headers.traceparent === 'string' ? headers.traceparent : '';
  return runTraced(method, { kind: SpanKind.SERVER, attributes, traceparent }, async (span) => {
    await answer();
    const { operation, matched, path, organization } = exchange;
    span?.updateName(`${method} ${operation}`).setAttributes({
      'url.path': loggablePath(path, matched),
      'http.response.status_code': response.statusCode,
      ...(matched ? { 'http.route': `/v1${matched.path}` } : {}),
      ...(organization ? { 'bindery.organization': organization } : {}),
    });
    if (response.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
  });
}
