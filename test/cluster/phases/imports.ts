import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serveRepositories } from '../../../services/content/exchange/git/serve.js';
import { eventually } from '../../../shared/testing/eventually.js';
import { stopwatch } from '../../../shared/testing/stopwatch.js';
import type { Client } from '../../support/server.js';
import { newFolder } from '../children.js';
import { newScene } from '../load/scene.js';
import { type Setting, withEnd } from './phase.js';

const spaces = 6;
const pages = 400;
const phase = 'imports through kills';

/** A repository of many pages in a folder that is served. */
async function newRepository(root: string): Promise<string> {
  const git = (...args: string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: root });
  await git('init', '--quiet', '--initial-branch=main', 'work');
  await writeFile(join(root, 'work', 'README.md'), '# Home\n');
  for (let page = 1; page < pages; page++)
    await writeFile(join(root, 'work', `page-${page}.md`), `# Page ${page}\n\n${'Some words of text. '.repeat(200)}\n`);
  await git('-C', 'work', 'add', '--all');
  await git('-C', 'work', 'commit', '--quiet', '-m', 'Pages');
  await git('clone', '--quiet', '--bare', 'work', 'pages.git');
  return 'pages.git';
}

/** The state of the import of each space; an empty text where nothing can be told. */
const statesOf = (client: Client, spaces: string[]) =>
  Promise.all(
    spaces.map(async (space): Promise<string> => {
      const { status, body } = await client.get(`/v1/spaces/${space}/git/info`);
      const { state = '', queued } = (status === 200 && body.operation) || {};
      return queued ? 'queued' : state;
    }),
  );

const isOver = (states: string[]) => states.every((state) => !['', 'queued', 'running'].includes(state));

const count = (shown: { pages?: any[] }[]): number => shown.reduce((sum, page) => sum + 1 + count(page.pages ?? []), 0);

/** Git imports whose process is killed are ended by another, once. */
export const imports = (setting: Setting): Promise<void> => withEnd(phase, throughKills(setting));

async function throughKills({ cluster, report, token }: Setting): Promise<void> {
  const root = await newFolder('git');
  const server = await serveRepositories({ root });
  try {
    const url = `${server.url}/${await newRepository(root)}`;
    const { client, organization } = await newScene(cluster.url, token);
    const made: string[] = [];
    for (let each = 0; each < spaces; each++)
      made.push((await client.post(`/v1/orgs/${organization}/spaces`, { title: `Imported ${each}` })).body.id);
    const took = stopwatch();
    for (const space of made) await client.post(`/v1/spaces/${space}/git/import`, { url, ref: 'refs/heads/main' });
    const states = () => statesOf(client, made);
    for (const node of cluster.of('content')) {
      await eventually('an import that runs', states, (all) => all.includes('running') || isOver(all));
      await node.end('SIGKILL');
      await node.start();
      await node.ready();
    }
    const ends = await eventually('the end of all imports', states, isOver);
    report.note(phase, `they took ${Math.round(took() / 1000)} s`);
    const failed = ends.filter((state) => state !== 'success');
    report.promise(phase, `${spaces} imports of ${pages} pages all end in success ${failed}`, failed.length === 0);
    const found = await Promise.all(
      made.map(async (space) => {
        const { body: tree } = await client.get(`/v1/spaces/${space}/content/pages`);
        const { body: revisions } = await client.get(`/v1/spaces/${space}/revisions?limit=100`);
        return [count(tree.pages), revisions.items.length] as const;
      }),
    );
    const wrong = found.filter(([shown, revisions]) => shown !== pages || revisions !== found[0]?.[1]);
    report.promise(
      phase,
      `each has ${pages} pages and ${found[0]?.[1]} revisions ${JSON.stringify(wrong)}`,
      wrong.length === 0,
    );
  } finally {
    await server.close();
    await rm(root, { recursive: true, force: true });
  }
}
