import { execFile } from 'node:child_process';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type RepositoryServer, serveRepositories } from '../services/content/exchange/git/serve.js';
import { median } from './median.js';
import { type Call, type Product, withProduct } from './product.js';

/**
 * What an export of one changed page out of 1,000 costs, from the request to the end of the operation, against a clone of the tip, a
 * commit and a push by hand: the ratio of medians, measured in turns in one run.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 25);
const count = 1000;
const goal = 2.5;
const run = promisify(execFile);

const git = (folder: string, ...args: string[]) =>
  run('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args]);

const pageText = (at: number) =>
  `---\ndescription: What page ${at} is for.\n---\n\n# Page ${at}\n\nText of page ${at}.\n`;

/** A served repository of pages in ten folders; its address. */
async function makeRepository(folder: string, repositories: RepositoryServer): Promise<string> {
  const work = join(folder, 'work');
  const lines: string[] = [];
  for (let at = 0; at < count; at++) {
    const file = `part-${at % 10}/page-${at}.md`;
    await mkdir(join(work, `part-${at % 10}`), { recursive: true });
    await writeFile(join(work, file), pageText(at));
    lines.push(`* [Page ${at}](${file})`);
  }
  await writeFile(join(work, 'SUMMARY.md'), `# Table of contents\n\n${lines.join('\n')}\n`);
  await git(work, 'init', '--quiet', '--initial-branch=main');
  await git(work, 'add', '--all');
  await git(work, 'commit', '--quiet', '-m', 'Pages');
  await run('git', ['clone', '--quiet', '--bare', work, join(folder, 'served', 'pages.git')]);
  return `${repositories.url}/pages.git`;
}

async function byHand(folder: string, url: string): Promise<void> {
  const clone = join(folder, 'clone');
  await run('git', ['clone', '--quiet', '--depth', '1', url, clone]);
  await appendFile(join(clone, 'part-7', 'page-7.md'), 'One more line.\n');
  await git(clone, 'commit', '--quiet', '--all', '-m', 'By hand');
  await git(clone, 'push', '--quiet', 'origin', 'main');
  await rm(clone, { recursive: true });
}

interface GitInfo {
  operation: { state: string; error?: string };
}

async function ended(call: Call, space: string): Promise<void> {
  for (;;) {
    const { operation } = (await call('GET', `/spaces/${space}/git/info`)) as GitInfo;
    if (operation.state === 'success') return;
    if (operation.error) throw new Error(operation.error);
    await pause(2);
  }
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

async function measure({ call, folder }: Product): Promise<void> {
  await mkdir(join(folder, 'served'));
  const repositories = await serveRepositories({ root: join(folder, 'served'), allowPush: true });
  try {
    const source = { url: await makeRepository(folder, repositories), ref: 'refs/heads/main' };
    const { id: organization } = (await call('POST', '/orgs', { title: 'Exports' })) as { id: string };
    const made = await call('POST', `/orgs/${organization}/spaces`, { title: 'Pages', editMode: 'live' });
    const { id: space } = made as { id: string };
    const times = { product: [] as number[], hand: [] as number[] };
    for (let at = 0; at < rounds + 3; at++) {
      // What was pushed by hand comes in first: an export writes what the space changed since.
      await call('POST', `/spaces/${space}/git/import`, source);
      await ended(call, space);
      const { pages } = (await call('GET', `/spaces/${space}/content/pages`)) as { pages: { id: string }[] };
      const document = { markdown: `# Page\n\nWritten in round ${at}.\n` };
      const changes = [{ operation: 'update_page', page: pages[(at * 31) % count]?.id, document }];
      await call('POST', `/spaces/${space}/content`, { changes });
      const product = await timed(async () => {
        await call('POST', `/spaces/${space}/git/export`, { ...source, commitMessage: `Round ${at}` });
        await ended(call, space);
      });
      const hand = await timed(() => byHand(folder, source.url));
      if (at < 3) continue;
      times.product.push(product);
      times.hand.push(hand);
    }
    const [ours, theirs] = [median(times.product), median(times.hand)];
    const ok = ours / theirs <= goal;
    const line = `export of one page of ${count} ${(ours / theirs).toFixed(2)} (goal ${goal}): ${ours.toFixed(0)} ms, by hand ${theirs.toFixed(0)} ms`;
    process.stdout.write(`${ok ? 'ok  ' : 'MISS'} ${line}\n`);
    process.exitCode = ok ? 0 : 1;
  } finally {
    await repositories.close();
  }
}

await withProduct(measure);
