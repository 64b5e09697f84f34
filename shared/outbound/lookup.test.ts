import { createSocket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createOutbound } from './client.js';
import { OutboundRefused } from './failure.js';
import { guardedLookup, lookUpByNameServers, refuseLiteral } from './lookup.js';

function lookedUp(name: string, allowCidrs: string[]): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    guardedLookup(allowCidrs)(name, { all: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses as LookupAddress[]);
    });
  });
}

test('a name that resolves only to private addresses is refused', async () => {
  for (const name of ['localhost', '0x7f.1', '2130706433']) {
    await expect(lookedUp(name, [])).rejects.toThrow(OutboundRefused);
  }
});

test('only the allowed addresses of a name are returned, also for many lookups at once', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => lookedUp('localhost', ['127.0.0.0/8'])));
  for (const answer of answers) expect(answer.map(({ address }) => address)).toEqual(['127.0.0.1']);
});

test('an IP literal, which needs no lookup, is checked separately', () => {
  expect(() => refuseLiteral('127.0.0.1', [])).toThrow(OutboundRefused);
  expect(() => refuseLiteral('::1', ['127.0.0.0/8'])).toThrow(OutboundRefused);
  expect(() => refuseLiteral('127.0.0.1', ['127.0.0.0/8'])).not.toThrow();
  expect(() => refuseLiteral('example.com', [])).not.toThrow();
});

/** A name server that knows one IPv4 address of every name, and says nothing about names that begin with `silent`. */
async function nameServer(address: string): Promise<{ at: string; close(): void }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address: client }) => {
    const end = query.indexOf(0, 12) + 5;
    if (query.subarray(13, 19).toString() === 'silent') return;
    const isFour = query.readUInt16BE(end - 4) === 1;
    const header = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, isFour ? 1 : 0, 0, 0, 0, 0]);
    const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...address.split('.').map(Number)];
    const answer = Buffer.concat([header, query.subarray(12, end), Buffer.from(isFour ? record : [])]);
    socket.send(answer, port, client);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { at: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

test('a name that strangers choose is asked of name servers, whose silence holds up no other lookup', async () => {
  const server = await nameServer('127.0.0.9');
  const outbound = createOutbound({ lookUp: lookUpByNameServers([server.at]) });
  try {
    const silent = Array.from({ length: 20 }, (_, at) =>
      outbound.fetch(`http://silent${at}.example/`, { timeoutMs: 300 }),
    );
    const late = Promise.allSettled(silent);
    await expect(outbound.fetch('http://inside.example/')).rejects.toThrow(OutboundRefused);
    expect((await lookedUp('localhost', ['127.0.0.0/8'])).map(({ address }) => address)).toEqual(['127.0.0.1']);
    for (const ended of await late) expect(ended).toMatchObject({ reason: { reason: 'timeout' } });
    expect(await lookUpByNameServers([server.at])('public.example')).toEqual([{ address: '127.0.0.9', family: 4 }]);
  } finally {
    await outbound.close();
    server.close();
  }
});
