import { ask, mcpSite, parsed, post } from '../testing/mcp-site.js';
import { handleMcp, maxMcpBodyLength } from './handle-mcp.js';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const clientInfo = { name: 'test', version: '1' };

describe('the address of an MCP server', () => {
  it.each(['GET', 'DELETE', 'PUT', 'HEAD'])('takes no %s', async (method) => {
    const answer = await handleMcp({ method, headers: {}, body: '' }, mcpSite);
    expect([answer.status, answer.headers.Allow]).toEqual([405, 'POST, OPTIONS']);
  });

  it('answers JSON to a request and nothing to a notification', async () => {
    const answer = await post(ping);
    expect(answer.status).toBe(200);
    expect(answer.headers['Content-Type']).toMatch(/^application\/json/);
    expect(parsed(answer)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    const notified = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([notified.status, notified.body]).toEqual([202, '']);
    expect((await post({ jsonrpc: '2.0', id: 1, result: {} })).status).toBe(202);
  });

  it.each<[string, unknown, number, number]>([
    ['no JSON', '{', 400, -32700],
    ['no message', '"x"', 400, -32600],
    ['another protocol', { ...ping, jsonrpc: '1.0' }, 400, -32600],
    ['no method', { jsonrpc: '2.0', id: 1 }, 400, -32600],
    ['an id that is none', { ...ping, id: null }, 400, -32600],
    ['an id that is a fraction', { ...ping, id: 1.5 }, 400, -32600],
    ['parameters by position', { ...ping, params: [1] }, 400, -32600],
    ['a method that does not exist', { ...ping, method: '__proto__' }, 200, -32601],
    ['too much nesting', '['.repeat(10_000), 400, -32600],
    ['too long a body', ' '.repeat(maxMcpBodyLength + 1), 413, -32600],
  ])('refuses %s', async (_, body, status, code) => {
    const answer = await post(body);
    expect([answer.status, parsed(answer).error?.code]).toEqual([status, code]);
  });

  it('names the request that an error is about, where it has an id', async () => {
    expect(parsed(await post({ jsonrpc: '2.0', id: 'a' })).id).toBe('a');
    expect(parsed(await post('[1')).id).toBeNull();
  });

  it('takes JSON and gives JSON only', async () => {
    expect((await post(ping, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(ping, { accept: 'text/event-stream' })).status).toBe(406);
    expect((await post(ping, { accept: undefined })).status).toBe(200);
  });

  it('is open to programs on all pages where the site is open to everybody, else to those on its own', async () => {
    const headers = { origin: 'https://evil.example' };
    const open = await post(ping, headers);
    expect([open.status, open.headers['Access-Control-Allow-Origin']]).toEqual([200, '*']);
    const closed = { ...mcpSite, open: false };
    expect((await post(ping, headers, closed)).status).toBe(403);
    expect((await post(ping, { origin: 'null' }, closed)).status).toBe(403);
    const own = await post(ping, { origin: 'https://www.acme.example' }, closed);
    expect([own.status, own.headers['Access-Control-Allow-Origin']]).toEqual([200, undefined]);
    const preflight = await handleMcp({ method: 'OPTIONS', headers, body: '' }, mcpSite);
    expect([preflight.status, preflight.headers['Access-Control-Allow-Methods']]).toEqual([204, 'POST, OPTIONS']);
  });
});

describe('a client that begins with initialize', () => {
  const initialize = (protocolVersion: string) => ask('initialize', { protocolVersion, capabilities: {}, clientInfo });

  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])('speaks %s', async (version) => {
    const { result } = await initialize(version);
    expect(result.protocolVersion).toBe(version);
    expect(result.capabilities).toEqual({ tools: {}, resources: {} });
    expect(result.serverInfo).toMatchObject({ name: 'bindery', title: 'Acme "docs"' });
    expect(result.instructions).toContain('All about anvils');
  });

  it.each(['2024-11-05', '2026-07-28', '9999-01-01', '__proto__'])(
    'is told the latest when it says %s',
    async (version) => {
      expect((await initialize(version)).result.protocolVersion).toBe('2025-11-25');
    },
  );

  it('says who it is', async () => {
    expect((await ask('initialize', { protocolVersion: '2025-06-18' })).error?.code).toBe(-32602);
  });

  it('is refused later with a version that nobody agreed on', async () => {
    const answer = await post(ping, { 'mcp-protocol-version': '1999-01-01' });
    expect(answer.status).toBe(400);
    expect(parsed(answer)).toMatchObject({ id: 1, error: { code: -32022, data: { requested: '1999-01-01' } } });
  });
});

describe('a batch', () => {
  it('is answered in order, without its notifications', async () => {
    const answer = await post([
      { ...ping, id: 'a' },
      { jsonrpc: '2.0', method: 'notifications/cancelled' },
      { jsonrpc: '2.0', id: 'b', method: 'nothing' },
      5,
      { jsonrpc: '2.0', id: 'c', method: 'initialize' },
    ]);
    const answers = JSON.parse(answer.body) as { id: string | null; error?: { code: number } }[];
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      ['a', undefined],
      ['b', -32601],
      [null, -32600],
      ['c', -32600],
    ]);
  });

  it('of notifications only has no answer', async () => {
    expect((await post([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).status).toBe(202);
  });

  it('has a size, and exists in 2025-03-26 only', async () => {
    expect((await post([])).status).toBe(400);
    expect((await post(Array(21).fill(ping))).status).toBe(400);
    expect((await post([ping], { 'mcp-protocol-version': '2025-06-18' })).status).toBe(400);
    expect((await post([ping], { 'mcp-protocol-version': '2025-03-26' })).status).toBe(200);
  });
});
