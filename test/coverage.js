import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../dist/services/gateway/contracts.js';
import { answerTo, columns } from '../dist/services/gateway/reference/access-table.js';

/*
 * Which answers of each operation the tests ask for. After a build:
 *   mkdir /tmp/coverage; TEST_COVERAGE=/tmp/coverage npm test; node test/coverage.js /tmp/coverage
 * Ends with 1 where an operation lacks one that it can have.
 */
const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Usage: node test/coverage.js <folder>');

/** Requests by operation, caller and status. */
const requests = readdirSync(folder).flatMap((name) =>
  Object.entries(JSON.parse(readFileSync(join(folder, name), 'utf8'))).map(([key, count]) => {
    const [operation, caller, status] = key.split(' ');
    return { operation, caller, status: Number(status), count };
  }),
);

/** Each kind of answer, and the operations that can have it. */
const kinds = {
  'happy path': {
    isPossible: () => true,
    holds: ({ status }) => status < 300,
  },
  refusal: {
    isPossible: ({ access, path, body, query }) => access !== 'public' || path.includes('{') || body || query,
    holds: ({ status }) => status >= 400 && status < 500,
  },
  'refusal of a role': {
    isPossible: (operation) => columns.some((role) => answerTo(operation, role) !== 'allowed'),
    holds: ({ caller, status }) => caller !== 'admin' && caller !== 'nobody' && [403, 404].includes(status),
  },
  'no token': {
    isPossible: ({ access }) => access !== 'public',
    holds: ({ status }) => status === 401,
  },
  'bad input': {
    isPossible: ({ body, query }) => body || query,
    holds: ({ status }) => [400, 413, 415, 422].includes(status),
  },
};

let lacking = 0;
for (const [name, { isPossible, holds }] of Object.entries(kinds)) {
  const possible = operations.filter(isPossible);
  const asked = requests.filter(holds);
  const found = new Set(asked.map(({ operation }) => operation));
  const missing = possible.filter(({ id }) => !found.has(id)).map(({ id }) => id);
  const count = asked.reduce((sum, each) => sum + each.count, 0);
  console.log(`${name}: ${possible.length - missing.length} of ${possible.length} operations, ${count} requests`);
  if (missing.length > 0) console.log(`  lacking: ${missing.join(', ')}`);
  lacking += missing.length;
}
const statuses = new Set(requests.map(({ operation, status }) => `${operation} ${status}`));
const all = requests.reduce((sum, { count }) => sum + count, 0);
console.log(`${all} requests; ${statuses.size} different statuses of operations`);
process.exitCode = lacking > 0 ? 1 : 0;
