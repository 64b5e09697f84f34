import { ask, mcpSite, post } from '../testing/mcp-site.js';

const call = (name: string, given?: object, version?: string) => ask('tools/call', { name, arguments: given }, version);

describe('the tools of a site', () => {
  it('are a search and a page, and only read', async () => {
    const { result } = await ask('tools/list');
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(['searchDocumentation', 'getPage']);
    for (const tool of result.tools) {
      expect(tool.description).toContain('Acme "docs"');
      expect(tool.inputSchema.type).toBe('object');
      expect(tool.annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    }
  });

  it('search: each hit is a text with title, link and content', async () => {
    const { result } = await call('searchDocumentation', { query: 'turn' });
    expect(result).toEqual({
      content: [
        {
          type: 'text',
          text: 'Title: Install\nLink: https://www.acme.example/docs/guides/install\nContent: # Install\n\nTurn it on.',
        },
      ],
      isError: false,
    });
    const none = await call('searchDocumentation', { query: 'zebra' });
    expect(none.result).toMatchObject({ isError: false, content: [{ text: expect.stringContaining('No page') }] });
  });

  it.each([
    { url: 'https://www.acme.example/docs/guides/install' },
    { url: 'https://www.acme.example/docs/guides/install.md?a=b#c' },
    { path: 'guides/install' },
    { path: '/guides/install/' },
    { path: '/docs/guides/install' },
    { url: 'guides/install.md' },
  ])('read the page at %j', async (given) => {
    const { result } = await call('getPage', given);
    expect(result).toEqual({ content: [{ type: 'text', text: '# Install\n\nTurn it on.\n' }], isError: false });
  });

  it('read the front page, and paths in any script', async () => {
    const textOf = async (given: object) => (await call('getPage', given)).result.content[0].text;
    for (const given of [{ path: '' }, { path: '/' }, { url: mcpSite.url }, { path: 'index.md' }])
      expect(await textOf(given)).toBe('# Acme\n');
    for (const given of [{ path: 'día' }, { url: 'https://www.acme.example/docs/d%C3%ADa' }])
      expect(await textOf(given)).toBe('# Día\n');
  });

  it.each([
    { url: 'https://evil.example/docs/guides/install' },
    { url: 'https://www.acme.example/guides/install' },
    { url: 'file:///etc/passwd' },
    { path: '../docs2/guides/install' },
    { path: '%' },
    { path: `${'a/'.repeat(1000)}` },
    { path: '__proto__' },
  ])('find nothing at %j, and say so to the model', async (given) => {
    expect((await call('getPage', given)).result).toMatchObject({ isError: true, content: [{ type: 'text' }] });
  });

  it('cut a page that is too long for an answer', async () => {
    const site = { ...mcpSite, readPage: async () => '😀'.repeat(1_000_000) };
    const { result } = await ask('tools/call', { name: 'getPage', arguments: { path: 'x' } }, '2025-06-18', site);
    const [{ text }] = result.content;
    expect(text.length).toBeLessThan(300_000);
    expect(text.isWellFormed()).toBe(true);
    expect(text).toContain('longer than one answer');
  });

  it.each<[string, object | undefined]>([
    ['searchDocumentation', undefined],
    ['searchDocumentation', { query: '  ' }],
    ['searchDocumentation', { query: 'x'.repeat(501) }],
    ['searchDocumentation', { query: 'x', limit: 5 }],
    ['getPage', {}],
    ['getPage', { url: 'a', path: 'b' }],
    ['getPage', { path: 5 }],
  ])('%s: wrong arguments are an error, which later versions show to the model', async (name, given) => {
    expect((await call(name, given, '2025-06-18')).error?.code).toBe(-32602);
    expect((await call(name, given, '2025-11-25')).result).toMatchObject({ isError: true });
  });

  it.each(['nothing', '__proto__', 'constructor'])('have no %s', async (name) => {
    expect((await call(name, {}, '2025-11-25')).error?.code).toBe(-32602);
    expect((await ask('tools/call', { arguments: {} })).error?.code).toBe(-32602);
  });

  it('let through what the site throws: the caller answers it as it does everywhere', async () => {
    const fault = new Error('content is gone');
    const site = { ...mcpSite, search: () => Promise.reject(fault) };
    const params = { name: 'searchDocumentation', arguments: { query: 'x' } };
    await expect(post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, {}, site)).rejects.toBe(fault);
  });
});

describe('the pages of a site as resources', () => {
  it('are listed one page after the other', async () => {
    const first = await ask('resources/list');
    expect(first.result).toMatchObject({
      nextCursor: '2',
      resources: [{ uri: mcpSite.url, mimeType: 'text/markdown' }, {}],
    });
    const second = await ask('resources/list', { cursor: first.result.nextCursor });
    expect(second.result.resources).toHaveLength(1);
    expect(second.result).not.toHaveProperty('nextCursor');
  });

  it.each(['3', '', 5])('have no list at the cursor %j', async (cursor) => {
    expect((await ask('resources/list', { cursor })).error?.code).toBe(-32602);
  });

  it('are read by their addresses', async () => {
    const uri = 'https://www.acme.example/docs/guides/install';
    const { result } = await ask('resources/read', { uri });
    expect(result.contents).toEqual([{ uri, mimeType: 'text/markdown', text: '# Install\n\nTurn it on.\n' }]);
  });

  it.each(['https://evil.example/', 'guides/install', 'https://www.acme.example/docs/none'])(
    '%s is not one',
    async (uri) => {
      expect((await ask('resources/read', { uri })).error).toMatchObject({ code: -32002, data: { uri } });
    },
  );

  it('have a template, and there are no prompts', async () => {
    const { result } = await ask('resources/templates/list');
    expect(result.resourceTemplates).toMatchObject([{ uriTemplate: 'https://www.acme.example/docs/{+path}' }]);
    expect((await ask('prompts/list')).result).toEqual({ prompts: [] });
    expect((await ask('resources/read', {})).error?.code).toBe(-32602);
  });
});
