import type { IncomingMessage } from 'node:http';
import { givenRequestId } from './request.js';

describe('a request id', () => {
  it.each([
    ['abc-1:2.3_4', true],
    ['a'.repeat(128), true],
    ['a'.repeat(129), false],
    ['', false],
    ['a b', false],
    ['a\nb', false],
    ['a"b', false],
  ])('%j is accepted: %s', (id, taken) => {
    const request = { headers: { 'x-request-id': id } } as unknown as IncomingMessage;
    expect(givenRequestId(request)).toBe(taken ? id : undefined);
  });
});
