import { mcpSite, parsed, post } from '../testing/mcp-site.js';

const version = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const send = (method: string, params: object = {}, headers: Record<string, string | undefined> = {}, site = mcpSite) =>
  post(
    { jsonrpc: '2.0', id: 1, method, params: { _meta: meta, ...params } },
    { 'mcp-protocol-version': version, 'mcp-method': method, ...headers },
    site,
  );

describe('a client of 2026-07-28', () => {
  it('asks without initialize what the server can do', async () => {
    const answer = await send('server/discover');
    expect(answer.status).toBe(200);
    const { result } = parsed(answer);
    expect(result.supportedVersions).toEqual([version, '2025-11-25', '2025-06-18', '2025-03-26']);
    expect(result).toMatchObject({
      resultType: 'complete',
      cacheScope: 'public',
      capabilities: { tools: {}, resources: {} },
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'bindery' } },
    });
    expect(result).toHaveProperty('ttlMs', expect.any(Number));
  });

  it('calls tools, whose results are not kept', async () => {
    const params = { name: 'searchDocumentation', arguments: { query: 'turn' } };
    const { result } = parsed(await send('tools/call', params, { 'mcp-name': 'searchDocumentation' }));
    expect(result).toMatchObject({ resultType: 'complete', isError: false });
    expect(result).not.toHaveProperty('ttlMs');
  });

  it('reads resources, whose addresses may come encoded', async () => {
    const uri = 'https://www.acme.example/docs/día';
    const name = `=?base64?${Buffer.from(uri).toString('base64')}?=`;
    const { result } = parsed(await send('resources/read', { uri }, { 'mcp-name': name }));
    expect(result.contents).toEqual([{ uri, mimeType: 'text/markdown', text: '# Día\n' }]);
    const none = 'https://www.acme.example/docs/none';
    expect(parsed(await send('resources/read', { uri: none }, { 'mcp-name': none })).error?.code).toBe(-32602);
  });

  it('keeps lists of a closed site to itself', async () => {
    const answer = await send('tools/list', {}, {}, { ...mcpSite, open: false });
    expect(parsed(answer).result.cacheScope).toBe('private');
  });

  it.each(['ping', 'initialize', 'subscriptions/listen', 'nothing'])('knows no %s: 404', async (method) => {
    const answer = await send(method);
    expect([answer.status, parsed(answer).error?.code]).toEqual([404, -32601]);
  });

  it.each<[string, string, object, Record<string, string | undefined>]>([
    ['a version', 'tools/list', {}, { 'mcp-protocol-version': undefined }],
    ['another version', 'tools/list', {}, { 'mcp-protocol-version': '2025-06-18' }],
    ['a method', 'tools/list', {}, { 'mcp-method': undefined }],
    ['another method', 'tools/list', {}, { 'mcp-method': 'tools/call' }],
    ['a name', 'tools/call', { name: 'getPage' }, {}],
    ['another name', 'tools/call', { name: 'getPage' }, { 'mcp-name': 'searchDocumentation' }],
    ['a version in its body', 'tools/list', { _meta: {} }, {}],
  ])('is refused when a header lacks or has %s', async (_, method, params, headers) => {
    const answer = await send(method, params, headers);
    expect([answer.status, parsed(answer).error?.code]).toEqual([400, -32020]);
  });

  it('is told the versions when it speaks another', async () => {
    const params = { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } };
    const answer = await send('tools/list', params, { 'mcp-protocol-version': '2099-01-01' });
    expect(answer.status).toBe(400);
    expect(parsed(answer).error).toMatchObject({ code: -32022, data: { requested: '2099-01-01' } });
  });

  it('says what it is capable of', async () => {
    const params = { _meta: { 'io.modelcontextprotocol/protocolVersion': version } };
    const answer = await send('tools/list', params);
    expect([answer.status, parsed(answer).error?.code]).toEqual([400, -32602]);
  });
});
