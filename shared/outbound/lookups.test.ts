import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../testing/eventually.js';
import { createOutbound } from './client.js';
import { OutboundRefused } from './failure.js';
import { allowedAddresses, refuseLiteral } from './lookup.js';
import { Lookups } from './lookups.js';
import { MachineNames } from './machine-names.js';
import { openNameServer, type Said } from './testing/name-server.js';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const { signal } = new AbortController();
const asking = { owner: 'somebody', signal };

/** Lookups with a name server that says this of names, and nothing from the machine but what is given. */
async function lookupsWith(
  said: Record<string, Said> | ((name: string) => Said | undefined),
  { hosts = '', resolv = '', ...asked }: { hosts?: string; resolv?: string; longestMs?: number } = {},
) {
  const saidOf = typeof said === 'function' ? said : (name: string) => said[name];
  const server = await openNameServer(saidOf);
  const folder = mkdtempSync(join(tmpdir(), 'bindery-names-'));
  ends.push(() => rmSync(folder, { recursive: true }), server.close);
  const files = { hosts: join(folder, 'hosts'), resolv: join(folder, 'resolv.conf') };
  writeFileSync(files.hosts, hosts);
  writeFileSync(files.resolv, resolv);
  const lookups = new Lookups({ machine: new MachineNames(files), servers: [server.at], ...asked });
  const find = async (name: string, owner = 'somebody') =>
    (await lookups.findAddresses(name, { owner, signal })).map(({ address }) => address);
  return { lookups, find, files, asked: server.asked };
}

async function served(): Promise<number> {
  const server = createServer((_, reply) => void reply.end('hello')).listen(0, '127.0.0.1');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((listening) => server.once('listening', listening));
  return (server.address() as AddressInfo).port;
}

describe('silent name servers', () => {
  const isSilent = (name: string) => name.endsWith('.silent.example');

  it('that one organization asks hold up no request of another, and nothing is asked for a request that is gone', async () => {
    const { lookups, asked } = await lookupsWith((name) => (isSilent(name) ? 'silence' : ['127.0.0.1']));
    const outbound = createOutbound({ allowCidrs: ['127.0.0.1/32'], lookups });
    ends.push(() => outbound.close());
    const port = await served();
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const get = (host: string, owner: string) =>
      outbound.fetch(`http://${host}:${port}/`, { owner, timeoutMs: 600_000, signal: stop.signal });
    let ended = 0;
    const attack = Array.from({ length: 200 }, (_, at) =>
      get(`a${at}.silent.example`, 'attacker').catch((error) => {
        ended += 1;
        return error.reason;
      }),
    );
    await eventually(
      'eight lookups',
      () => new Set(asked.filter(isSilent)).size,
      (size) => size === 8,
    );
    for (let at = 0; at < 5; at += 1) expect((await get(`honest${at}.example`, 'honest')).status).toBe(200);
    expect(ended).toBe(0);
    stop.abort();
    expect(new Set(await Promise.all(attack))).toEqual(new Set(['aborted']));
    const again = await outbound.fetch(`http://later.example:${port}/`, { owner: 'attacker' });
    expect(again.body.toString()).toBe('hello');
    expect(new Set(asked.filter(isSilent)).size).toBe(8);
  });

  it('are told in the failure', async () => {
    const { lookups } = await lookupsWith({ 'a.silent.example': 'silence' }, { longestMs: 50 });
    await expect(lookups.findAddresses('a.silent.example', asking)).rejects.toMatchObject({
      reason: 'timeout',
      message: 'the name servers of a.silent.example did not answer in time',
    });
  });
});

describe('a name', () => {
  it('has the IPv4 and IPv6 addresses that name servers say, whichever there are', async () => {
    const six = '2001:0db8:0000:0000:0000:0000:0000:0001';
    const { find } = await lookupsWith({ 'both.example': ['192.0.2.1', six], 'six.example': [six] });
    expect(await find('both.example')).toEqual(['192.0.2.1', '2001:db8::1']);
    expect(await find('six.example')).toEqual(['2001:db8::1']);
    await expect(find('none.example')).rejects.toMatchObject({
      reason: 'network',
      message: 'none.example could not be found',
    });
  });

  it('of the machine is found in its hosts file as it is now, and no name server is asked', async () => {
    const { find, files, asked } = await lookupsWith({}, { hosts: '10.1.2.3\tWiki.corp wiki # old\n::5 wiki\n' });
    expect(await find('WIKI')).toEqual(['10.1.2.3', '::5']);
    expect(await find('wiki.corp.')).toEqual(['10.1.2.3']);
    expect(await find('localhost')).toEqual(['127.0.0.1', '::1']);
    expect(await find('app.localhost')).toEqual(['127.0.0.1', '::1']);
    writeFileSync(files.hosts, '10.9.9.9 wiki localhost\n');
    await eventually(
      'the changed file',
      () => find('wiki'),
      ([first]) => first === '10.9.9.9',
    );
    expect(await find('localhost')).toEqual(['10.9.9.9']);
    expect(asked).toEqual([]);
  });

  it('that is short is found in the search domains of the machine, as its own lookups do', async () => {
    const resolv = 'nameserver 10.0.0.10\nsearch one.example. two.example\noptions timeout:1 ndots:2\n';
    const said: Record<string, Said> = {
      'git.one.example': 'failure',
      'git.two.example': ['10.0.0.2'],
      'a.example.two.example': ['10.0.0.3'],
      'a.example': ['10.0.0.4'],
      'b.a.example': ['10.0.0.5'],
    };
    const { find, asked } = await lookupsWith(said, { resolv });
    expect(await find('git')).toEqual(['10.0.0.2']);
    expect(await find('a.example')).toEqual(['10.0.0.3']);
    expect(await find('a.example.')).toEqual(['10.0.0.4']);
    expect(asked.splice(0).slice(-3)).toEqual(['a.example.one.example', 'a.example.two.example', 'a.example']);
    expect(await find('b.a.example')).toEqual(['10.0.0.5']);
    expect(asked).toEqual(['b.a.example']);
  });

  it('is asked for once by requests of an organization that follow each other', async () => {
    const { find, asked } = await lookupsWith({ 'a.example': ['192.0.2.1'] });
    await find('a.example');
    expect(await find('a.example')).toEqual(['192.0.2.1']);
    expect(asked).toEqual(['a.example']);
    await find('a.example', 'another');
    expect(asked).toEqual(['a.example', 'a.example']);
  });
});

describe('the addresses that requests may go to', () => {
  it('are the allowed ones of a name; one that has only others is refused', async () => {
    const said = {
      'inside.example': ['10.0.0.1', '127.0.0.1'],
      'mixed.example': ['10.0.0.1', '192.88.99.1', '8.8.8.8'],
    };
    const { lookups } = await lookupsWith(said);
    const allowed = (host: string, allowCidrs: string[] = []) =>
      allowedAddresses(host, { lookups, allowCidrs, ...asking });
    for (const host of ['inside.example', 'localhost', '127.0.0.1', '::ffff:10.0.0.1'])
      await expect(allowed(host)).rejects.toThrow(OutboundRefused);
    expect(await allowed('mixed.example')).toEqual([{ address: '8.8.8.8', family: 4 }]);
    expect(await allowed('localhost', ['127.0.0.0/8'])).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(await allowed('127.0.0.1', ['127.0.0.0/8'])).toEqual([{ address: '127.0.0.1', family: 4 }]);
  });

  it('are those that are connected to, also when the name server says another address the next time', async () => {
    let said = 0;
    const { lookups } = await lookupsWith({ 'rebinding.example': () => [said++ === 0 ? '127.0.0.1' : '127.0.0.2'] });
    const outbound = createOutbound({ allowCidrs: ['127.0.0.1/32'], lookups });
    ends.push(() => outbound.close());
    const port = await served();
    expect((await outbound.fetch(`http://rebinding.example:${port}/`, { owner: 'a' })).status).toBe(200);
    await expect(outbound.fetch(`http://rebinding.example:${port}/`, { owner: 'b' })).rejects.toThrow(OutboundRefused);
  });

  it('are checked for literals, which need no lookup', () => {
    expect(() => refuseLiteral('127.0.0.1', [])).toThrow(OutboundRefused);
    expect(() => refuseLiteral('::1', ['127.0.0.0/8'])).toThrow(OutboundRefused);
    expect(() => refuseLiteral('127.0.0.1', ['127.0.0.0/8'])).not.toThrow();
    expect(() => refuseLiteral('example.com', [])).not.toThrow();
  });
});
