import { operations } from '../../services/gateway/contracts.js';
import type { AnyOperation } from '../../shared/contract/operation.js';
import { shared } from '../support/fixtures.js';

const client = shared();

/** A query with a parameter that no schema takes; empty where an operation takes none. */
function badQuery({ query }: AnyOperation): string {
  const [parameter] = Object.keys(query?.shape ?? {});
  return parameter === undefined ? '' : `${parameter}=${'x'.repeat(3000)}&${parameter}=`;
}

const readers = operations.filter((operation) => operation.body !== undefined || badQuery(operation) !== '');

it.each(readers.map((operation) => [operation.id, operation] as const))(
  '%s refuses what cannot be a request of it, before it looks for anything',
  async (_, operation) => {
    const path = `/v1${operation.path.replace(/\{\w+\}/g, 'unknown')}`;
    const query = badQuery(operation);
    const answers = [
      ...(query ? [await client.request(operation.method, `${path}?${query}`)] : []),
      ...(operation.body ? [await client.request(operation.method, path, [])] : []),
    ];
    expect(answers.length).toBeGreaterThan(0);
    for (const { status, body } of answers)
      expect([status, body]).toEqual([
        400,
        { error: { code: 400, message: expect.stringMatching(/./), reason: 'invalid_request' } },
      ]);
  },
);
