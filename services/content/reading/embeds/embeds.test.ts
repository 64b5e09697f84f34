import type { ServerResponse } from 'node:http';
import { createOutbound } from '../../../../shared/outbound/client.js';
import { eventually } from '../../../../shared/testing/eventually.js';
import { workHere } from '../../format/workers/testing/work-here.js';
import { Embeds } from './embeds.js';
import { linkEmbed } from './link-embed.js';
import { json, OtherSite, page } from './testing/other-site.js';

const outbound = createOutbound({ allowCidrs: ['127.0.0.0/8'] });
let isSilent = true;
const waiting: ServerResponse[] = [];
const held: ServerResponse[] = [];
const site = new OtherSite({
  '/page': page('<title>A page</title>'),
  '/video': page('<title>Not asked for</title>'),
  '/video-of-page': page('<title>The page itself</title>'),
  '/oembed': json({ type: 'video', html: '<iframe src="https://v.example/e"></iframe>', title: 'Known' }),
  '/silent': (_, reply) => (isSilent ? waiting.push(reply) : reply.writeHead(404).end()),
  '/held': (_, reply) => held.push(reply),
  '/dripping': (_, reply) => {
    reply.setHeader('content-type', 'text/html').write('<title>Never');
    waiting.push(reply);
  },
});
const endpoints: Record<string, string> = { '/video': '/oembed', '/video-of-page': '/none' };
const openEmbeds = (timeoutMs?: number) =>
  new Embeds(
    { outbound, work: workHere },
    (address) => {
      const endpoint = endpoints[new URL(address).pathname];
      return endpoint && site.url + endpoint;
    },
    timeoutMs,
  );

beforeAll(() => site.open());
afterAll(async () => {
  await site.close();
  await outbound.close();
});
const asksFor = (path: string) => site.asked.filter((asked) => asked.startsWith(path)).length;

describe('embeds', () => {
  it('ask a site once for all organizations, and keep what it says', async () => {
    const embeds = openEmbeds();
    const address = `${site.url}/page?once`;
    const link = { ...linkEmbed(address), title: 'A page' };
    expect(await Promise.all(['a', 'a', 'b'].map((each) => embeds.embedOf(address, each)))).toEqual([link, link, link]);
    expect(await embeds.embedOf(address, 'c')).toEqual(link);
    expect(asksFor('/page?once')).toBe(1);
  });

  it('keep for a while that an address has nothing', async () => {
    const embeds = openEmbeds();
    const address = `${site.url}/none?kept`;
    for (const organization of ['a', 'b'])
      expect(await embeds.embedOf(address, organization)).toEqual(linkEmbed(address));
    expect(asksFor('/none?kept')).toBe(1);
  });

  it('of a known site come from its endpoint, and where that fails from the page', async () => {
    const embeds = openEmbeds();
    expect(await embeds.embedOf(`${site.url}/video`, 'a')).toMatchObject({ type: 'rich', title: 'Known' });
    expect(asksFor('/video')).toBe(0);
    expect(await embeds.embedOf(`${site.url}/video-of-page`, 'a')).toMatchObject({ title: 'The page itself' });
  });

  it('of one organization visit four sites at a time, and those of others do not wait for them', async () => {
    const embeds = openEmbeds();
    const visits = Array.from({ length: 9 }, (_, at) => embeds.embedOf(`${site.url}/silent?${at}`, 'a'));
    await eventually('four visits', () => waiting.length === 4);
    expect(await embeds.embedOf(`${site.url}/page?beside`, 'b')).toMatchObject({ title: 'A page' });
    expect(asksFor('/silent?')).toBe(4);
    isSilent = false;
    for (const reply of waiting.splice(0)) reply.writeHead(404).end();
    await Promise.all(visits);
    expect(asksFor('/silent?')).toBe(9);
  });

  it('visit 120 addresses in a minute for one organization; others are links by their address, and are not kept', async () => {
    const embeds = openEmbeds();
    const addresses = Array.from({ length: 125 }, (_, at) => `${site.url}/page?many=${at}`);
    const titles: string[] = [];
    for (const address of addresses) titles.push((await embeds.embedOf(address, 'a')).title);
    expect(titles.filter((title) => title === 'A page')).toHaveLength(120);
    expect(titles.at(-1)).toBe(linkEmbed(addresses.at(-1) as string).title);
    expect((await embeds.embedOf(addresses.at(-1) as string, 'b')).title).toBe('A page');
  });

  it('are answered in time, whatever the sites do', async () => {
    const embeds = openEmbeds(50);
    isSilent = true;
    const addresses = ['/silent?late', '/dripping', ...Array.from({ length: 6 }, (_, at) => `/silent?queued=${at}`)];
    const answers = await Promise.all(addresses.map((path) => embeds.embedOf(site.url + path, 'a')));
    expect(answers).toEqual(addresses.map((path) => linkEmbed(site.url + path)));
  });

  it('that come too late for one who has little time are there for the next', async () => {
    const embeds = openEmbeds();
    const address = `${site.url}/held`;
    expect(await embeds.embedWithin(address, 'a', 1)).toBeUndefined();
    await eventually('the visit', () => held.length === 1);
    for (const reply of held) reply.setHeader('content-type', 'text/html').end('<title>Held</title>');
    expect(await embeds.embedOf(address, 'a')).toMatchObject({ title: 'Held' });
    expect(await embeds.embedWithin(address, 'b', 1)).toMatchObject({ title: 'Held' });
    expect(asksFor('/held')).toBe(1);
  });
});
