import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import {
  commenterOperations,
  commentOperations,
  replyOperations,
} from '../../services/comments/contract/operations.js';
import { permissionOperations } from '../../services/content/core/contract/permissions.js';
import { reads } from '../../services/content/reading/contract/pages.js';
import { operations } from '../../services/gateway/contracts.js';
import { packageFile } from '../../shared/process/package-root.js';

const mostLines = 350;
const mostFiles = 15;

const sources = ['services', 'shared', 'test', 'bench'].flatMap((folder) =>
  readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((path) => path.endsWith('.ts')),
);
const textOf = (path: string) => readFileSync(packageFile(path), 'utf8');

it('a file is read in one sitting', () => {
  const long = sources.filter((path) => textOf(path).split('\n').length - 1 > mostLines);
  expect(long).toEqual([]);
});

it('a folder of a service shows what is in it at a glance', () => {
  const counts = new Map<string, number>();
  for (const path of sources.filter((each) => each.startsWith('services/')))
    counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  const crowded = [...counts].filter(([, count]) => count > mostFiles);
  expect(crowded).toEqual([]);
});

/** An operation of several places has one handler for all, by its name in the declarations. */
const handledAs = new Map(
  [reads, permissionOperations, commentOperations, replyOperations, commenterOperations].flatMap(({ declarations }) =>
    Object.entries<{ ids: Record<string, string> }>(declarations).flatMap(([name, { ids }]) =>
      Object.values(ids).map((id): [string, string] => [id, name]),
    ),
  ),
);

it('one search for an operationId leads from its contract to its handler', () => {
  const handlers = sources.filter((path) => /-handlers\.ts$|^services\/gateway\/service\.ts$/.test(path)).map(textOf);
  const places = (id: string) => handlers.filter((text) => new RegExp(`[ {](async )?${id}[:(,]`).test(text)).length;
  expect(operations.map(({ id }) => id).filter((id) => places(handledAs.get(id) ?? id) !== 1)).toEqual([]);
});
