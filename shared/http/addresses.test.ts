import type { IncomingMessage } from 'node:http';
import { expectLinear } from '../testing/processor-time.js';
import { clientAddress, networkOf, parseRanges } from './addresses.js';

const from = (remoteAddress: string | undefined, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('the address of a client', () => {
  const proxies = ['10.0.0.0/8', '127.0.0.1/32', 'fd00::/8'];

  it.each<[string, string[], string, string | undefined, string]>([
    ['is the peer without proxies', [], '203.0.113.7', undefined, '203.0.113.7'],
    ['is the peer without proxies, whatever the header claims', [], '203.0.113.7', '1.1.1.1', '203.0.113.7'],
    [
      'is the peer when it is not a proxy, whatever the header claims',
      proxies,
      '203.0.113.7',
      '10.0.0.1',
      '203.0.113.7',
    ],
    ['is what the proxy saw', proxies, '10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['is the proxy itself when it sends no header', proxies, '10.0.0.1', undefined, '10.0.0.1'],
    ['is what the first of several proxies saw', proxies, '10.0.0.1', '203.0.113.7, 10.1.1.1,10.2.2.2', '203.0.113.7'],
    ['is never what the client itself wrote', proxies, '10.0.0.1', '1.1.1.1, 203.0.113.7, 10.2.2.2', '203.0.113.7'],
    ['is the farthest proxy when all are trusted', proxies, '10.0.0.1', '10.3.3.3, 10.2.2.2', '10.3.3.3'],
    ['may be IPv6', proxies, 'fd00::1', '2001:DB8:0:0::7', '2001:db8::7'],
    ['is IPv4 when the socket maps it to IPv6', proxies, '::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['is the same for both forms of a peer', [], '::ffff:203.0.113.7', undefined, '203.0.113.7'],
    ['is the same for both forms of a hop', proxies, '10.0.0.1', '::ffff:203.0.113.7', '203.0.113.7'],
    ['may have a port', proxies, '10.0.0.1', '203.0.113.7:4711', '203.0.113.7'],
    ['may be in brackets', proxies, '10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['ends at a hop that is not an address', proxies, '10.0.0.1', '1.1.1.1, unknown', '10.0.0.1'],
    ['ends at an empty hop', proxies, '10.0.0.1', '1.1.1.1, ', '10.0.0.1'],
    ['ends at an empty header', proxies, '10.0.0.1', '', '10.0.0.1'],
    ['is not a number that some read as an address', proxies, '10.0.0.1', '2130706433', '10.0.0.1'],
    ['is not an octal or short form', proxies, '10.0.0.1', '0177.1', '10.0.0.1'],
    ['ends before an invalid hop', proxies, '10.0.0.1', '<script>, 10.2.2.2', '10.2.2.2'],
  ])('%s', (_, trusted, peer, forwarded, client) => {
    expect(clientAddress(from(peer, forwarded), parseRanges(trusted))).toBe(client);
  });

  it('is empty when the connection is gone', () => {
    expect(clientAddress(from(undefined, '1.1.1.1'), parseRanges(['0.0.0.0/0']))).toBe('');
  });

  it.each([
    ['many hops', (size: number) => Array(size).fill('10.0.0.2').join(','), '10.0.0.2'],
    ['many brackets', (size: number) => '['.repeat(10 * size), '10.0.0.1'],
    ['many numbers', (size: number) => `${'1.'.repeat(10 * size)}:`, '10.0.0.1'],
  ])('is found in a header of %s in a time that grows with its length only', (_, header, client) => {
    const trusted = parseRanges(proxies);
    expectLinear((size) => expect(clientAddress(from('10.0.0.1', header(size)), trusted)).toBe(client), 500);
  });
});

test('an IPv6 client counts as its /64, an IPv4 client as itself', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe(networkOf('2001:db8:1:2::1'));
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
});
