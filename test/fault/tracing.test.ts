import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { startServer } from '../support/server.js';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

/** A collector of traces that keeps what it gets. */
async function openCollector() {
  const spans: Span[] = [];
  const asked: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    asked.push(`${request.url} ${request.headers['x-key']}`);
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    for (const { scopeSpans } of body.resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
    response.setHeader('Content-Type', 'application/json');
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, spans, asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

describe('traces', () => {
  it('follow a request from its client through the bus to the stores', async () => {
    const collector = await openCollector();
    const server = await startServer({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: 'X-Key=a%20key' },
    });
    const organization = await newOrganization(server);
    const space = await newSpace(server, organization);
    const headers = { traceparent, 'X-Request-Id': 'asked-for' };
    expect((await server.get(`/v1/spaces/${space}?limit=1`, { headers })).status).toBe(200);
    expect(await server.stop()).toBe(0);
    collector.server.close();

    expect(new Set(collector.asked)).toEqual(new Set(['/v1/traces a key']));
    const spans = collector.spans.filter((span) => span.traceId === traceId);
    const named = (name: string) => spans.find((span) => span.name === name) as Span;
    const [request, call, handled] = [
      named('GET getSpaceById'),
      named('call content.getSpaceById'),
      named('content.getSpaceById'),
    ];
    expect(request.parentSpanId).toBe('b7ad6b7169203331');
    expect([call.parentSpanId, handled.parentSpanId]).toEqual([request.spanId, call.spanId]);
    expect(attributesOf(request)).toEqual({
      'http.request.method': 'GET',
      'bindery.request_id': 'asked-for',
      'bindery.organization': organization,
      'url.path': `/v1/spaces/${space}`,
      'http.response.status_code': 200,
      'http.route': '/v1/spaces/{spaceId}',
    });
    const read = spans.filter(({ name }) => name.startsWith('store.')) as Span[];
    expect(read.length).toBeGreaterThan(0);
    const ids = new Set(spans.map(({ spanId }) => spanId));
    for (const { parentSpanId = '' } of read) expect(ids).toContain(parentSpanId);
    expect(JSON.stringify(collector.spans)).not.toContain(server.token);
  });

  it('cost no request when their collector is away', async () => {
    const server = await startServer({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' } });
    for (let i = 0; i < 20; i++) expect((await server.get('/v1/user')).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });
});
