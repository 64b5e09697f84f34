import type { LookupAddress } from 'node:dns';
import { expect, test } from '@jest/globals';
import { OutboundRefused } from './failure.js';
import { guardedLookup, refuseLiteral } from './lookup.js';

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
