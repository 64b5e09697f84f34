import { mcpServers } from '../../services/sites/mcp-servers/model.js';
import { newOrganization, shared, walk, withStore } from '../support/fixtures.js';
import { newSite, type Site } from '../support/site.js';

const admin = shared();
let organization: string;
let site: Site;
beforeAll(async () => {
  organization = await newOrganization(admin);
  site = await newSite(organization);
});

const secret = 'Bearer 9f3c-of-the-shop';
const stored = (id: string) => withStore([mcpServers], (store) => store.get(mcpServers, id));

it('MCP servers of a site are kept in order, with the values of their headers told to nobody', async () => {
  const { body: made, status } = await site.send('POST', '/mcp-servers', {
    name: 'Shop',
    url: 'https://mcp.example.com/shop',
    headers: { Authorization: secret, 'X-Shop': 'eu' },
    condition: 'visitor.claims.plan == "pro"',
  });
  expect([status, made]).toMatchObject([
    201,
    {
      transport: 'sse',
      headers: { Authorization: '********', 'X-Shop': '********' },
      urls: { location: expect.any(String) },
    },
  ]);
  const { body: other } = await site.send('POST', '/mcp-servers', {
    name: 'Status',
    url: 'https://status.example.com',
    transport: 'http',
    headers: {},
  });
  expect(await walk(admin, site.at('/mcp-servers'), 1)).toEqual([made, other]);
  expect(JSON.stringify(await stored(made.id))).not.toContain('of-the-shop');

  const kept = (await stored(made.id))?.sealed;
  const { body: renamed } = await site.send('PATCH', `/mcp-servers/${made.id}`, {
    name: 'Store',
    headers: made.headers,
    condition: null,
  });
  expect([renamed.name, renamed.headers, renamed.condition]).toEqual(['Store', made.headers, undefined]);
  expect((await stored(made.id))?.sealed).toBe(kept);
  const { body: fewer } = await site.send('PATCH', `/mcp-servers/${made.id}`, { headers: { 'X-Shop': 'us' } });
  expect(fewer.headers).toEqual({ 'X-Shop': '********' });
  expect((await stored(made.id))?.sealed).not.toBe(kept);
  const trail = (await admin.get(`/v1/orgs/${organization}/audit-events?limit=20`)).body;
  expect(JSON.stringify(trail)).not.toMatch(/of-the-shop|sealed/);

  await site.send('DELETE', `/mcp-servers/${made.id}`);
  expect((await admin.get(site.at(`/mcp-servers/${made.id}`))).status).toBe(404);
  const elsewhere = await newSite(organization);
  expect((await admin.get(elsewhere.at(`/mcp-servers/${other.id}`))).status).toBe(404);
});

it.each<[string, object, string]>([
  ['another protocol', { url: 'file:///etc/passwd' }, 'url: '],
  ['a header with a line break', { headers: { A: 'b\r\nHost: c' } }, 'headers.A: '],
  ['a header of the connection', { headers: { Host: 'c' } }, 'headers.Host: '],
  ['a header twice', { headers: { 'x-a': '1', 'X-A': '2' } }, 'headers: '],
  ['a hidden value that stands for none', { headers: { A: '********' } }, 'headers.A: '],
  ['a condition that is none', { condition: '1 +' }, 'condition: '],
])('refuses %s', async (_, wrong, message) => {
  const server = { name: 'A', url: 'https://mcp.example.com', headers: {}, ...wrong };
  const { status, body } = await site.send('POST', '/mcp-servers', server);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
});
