import { type Act, call as answerOf, close, compare, get, lastPage } from './large.js';

/**
 * Lists and searches of a large organization against its first page: 20,000 members in 500 teams. On an SQLite file, or
 * with MONGODB_URL on that database.
 */
const members = Number(process.env.BENCH_MEMBERS ?? 20_000);
const teams = Number(process.env.BENCH_TEAMS ?? 500);

interface Answer {
  id: string;
  users: string[];
  count: number;
  items: { id: string }[];
  next?: { page: string };
}

const call = (method: string, path: string, body?: unknown) => answerOf<Answer>(method, path, body);

const first = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Radia', 'Ken', 'Margaret', 'Dennis'];

async function fill(organization: string): Promise<void> {
  const ids: string[] = [];
  for (let at = 0; at < members; at += 500) {
    const emails = Array.from(
      { length: Math.min(500, members - at) },
      (_, i) => `${first[(at + i) % 10]?.toLowerCase()}.${(at + i).toString(36)}@people.example`,
    );
    ids.push(...(await call('POST', `/orgs/${organization}/invites`, { emails, role: 'read' })).users);
  }
  for (let at = 0; at < teams; at++) {
    const size = at % 10 === 0 ? 1000 : 50;
    const start = (at * 977) % Math.max(1, ids.length - size);
    await call('PUT', `/orgs/${organization}/teams`, { title: `Team ${at}`, members: ids.slice(start, start + size) });
  }
}

const list = (path: string): [string, Act] => ['the first page', get(path)];

try {
  const { id: organization } = await call('POST', '/orgs', { title: 'Bench' });
  const began = performance.now();
  await fill(organization);
  process.stdout.write(
    `${members} members in ${teams} teams made in ${((performance.now() - began) / 1000).toFixed(0)} s\n`,
  );
  const people = `/orgs/${organization}/members`;
  const groups = `/orgs/${organization}/teams`;
  const plain = `${people}?limit=100`;
  const inLargest = `${groups}/${(await call('GET', `${groups}?limit=1`)).items[0]?.id}/members`;
  const last = async (name: string, path: string, start: string) =>
    compare(`last page of ${name}`, 1.5, list(start), get(await lastPage(path, 100)));
  const search = (whom: string, text: string) =>
    compare(`search of ${whom}`, 5, list(plain), get(`${plain}&search=${text}`));
  const results = [
    await last('members', people, plain),
    await last('a role', `${people}?role=read`, `${plain}&role=read`),
    await last('teams', groups, `${groups}?limit=100`),
    await last('a team', inLargest, `${inLargest}?limit=100`),
    await search('one member', 'grace.abd'),
    await search('a tenth', 'margaret'),
    await search('everybody', 'people.example'),
    await search('nobody', 'nobody+at+all'),
  ];
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  await close();
}
