import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** The number of imports from one part to another, as "from to". */
type Arrows = Map<string, number>;

export interface Pairs {
  /** By service: the rooms and doors that import each other. */
  rooms: Record<string, string[]>;
  services: string[];
  /** Those of content. */
  groups: string[];
  /** Between groups of content, in both directions. */
  groupArrows: Arrows;
}

const doors = new Set([
  'contract.ts',
  'resources.ts',
  'events.ts',
  'dependencies.ts',
  'subscriptions.ts',
  'service.ts',
]);
const specifier = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)\.js'/g;

function importsOf(root: string): [from: string, to: string][] {
  const sources = readdirSync(posix.join(root, 'services'), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join('services', name))
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|\/testing\/|^services\/commands\//.test(path));
  return sources.flatMap((from) =>
    [...readFileSync(posix.join(root, from), 'utf8').matchAll(specifier)].map(([, to]): [string, string] => [
      from,
      `${posix.join(posix.dirname(from), to as string)}.ts`,
    ]),
  );
}

/** A group has rooms in it, and no file of its own but doors. */
function isGroup(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const entries = readdirSync(folder, { withFileTypes: true });
  const own = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'));
  return entries.some((entry) => entry.isDirectory()) && own.every(({ name }) => doors.has(name));
}

/** Names service, group and room of a file; a door of a service is a room by its own name, with the folder of that name. */
function placeOf(root: string, path: string): { service: string; group?: string; room: string } | undefined {
  const [, service = '', first = '', second = ''] = path.split('/');
  if (!first) return undefined;
  const group = !first.endsWith('.ts') && isGroup(posix.join(root, 'services', service, first)) ? first : undefined;
  const room = group ? `${first}/${second.replace(/\.ts$/, '')}` : first.replace(/\.ts$/, '');
  return { service, room, ...(group === undefined ? {} : { group }) };
}

const count = (arrows: Arrows, from: string, to: string) =>
  arrows.set(`${from} ${to}`, (arrows.get(`${from} ${to}`) ?? 0) + 1);

const twoWay = (arrows: Arrows): string[] =>
  [...arrows.keys()]
    .map((arrow) => arrow.split(' ') as [string, string])
    .filter(([from, to]) => from < to && arrows.has(`${to} ${from}`))
    .map(([from, to]) => `${from} ${to}`)
    .sort();

/** Counts what imports each other both ways in the services below a folder. Tests are left out. */
export function countPairs(root: string): Pairs {
  const [rooms, services, groupArrows]: [Record<string, Arrows>, Arrows, Arrows] = [{}, new Map(), new Map()];
  for (const [from, to] of importsOf(root)) {
    const [here, there] = [placeOf(root, from), placeOf(root, to)];
    if (!here || !there || !to.startsWith('services/')) continue;
    if (here.service !== there.service) count(services, here.service, there.service);
    else if (here.room !== there.room) {
      rooms[here.service] ??= new Map();
      count(rooms[here.service] as Arrows, here.room, there.room);
      if (here.service === 'content' && here.group && there.group && here.group !== there.group)
        count(groupArrows, here.group, there.group);
    }
  }
  return {
    rooms: Object.fromEntries(Object.entries(rooms).map(([service, arrows]) => [service, twoWay(arrows)])),
    services: twoWay(services),
    groups: twoWay(groupArrows),
    groupArrows,
  };
}
