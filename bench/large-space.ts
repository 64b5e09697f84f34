import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { serveRepositories } from '../services/content/exchange/git/serve.js';
import type { Call } from './product.js';

const run = promisify(execFile);
/** The folders of the repository; each holds a README and as many pages less one. */
const folders = 18;
const pagesEach = 24;

const page = (title: string) =>
  `---\ndescription: What ${title} is for, and when to use it.\n---\n\n# ${title}\n\nText of ${title}.\n`;

async function writePages(folder: string): Promise<void> {
  const lines: string[] = [];
  for (let at = 0; at < folders * pagesEach; at++) {
    const group = `part-${Math.floor(at / pagesEach)}`;
    const isFirst = at % pagesEach === 0;
    const file = isFirst ? `${group}/README.md` : `${group}/page-${at}.md`;
    lines.push(`${isFirst ? '' : '  '}* [Page number ${at}](${file})`);
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), page(`Page number ${at}`));
  }
  await writeFile(join(folder, 'SUMMARY.md'), `# Table of contents\n\n${lines.join('\n')}\n`);
}

/** Imports a repository of 432 pages into a new space; the id of the space. */
export const importLargeSpace = (call: Call, organization: string): Promise<string> =>
  importSpace(call, organization, writePages);

/** Imports a repository of pages that are all at the top into a new space; the id of the space. */
export const importFlatSpace = (call: Call, organization: string, pages: number): Promise<string> =>
  importSpace(call, organization, async (folder) => {
    const numbers = Array.from({ length: pages }, (_, at) => at);
    for (const at of numbers) await writeFile(join(folder, `page-${at}.md`), page(`Page number ${at}`));
    const lines = numbers.map((at) => `* [Page number ${at}](page-${at}.md)`);
    await writeFile(join(folder, 'SUMMARY.md'), `# Table of contents\n\n${lines.join('\n')}\n`);
  });

/** Imports a repository that `write` makes into a new space; the id of the space. */
export async function importSpace(
  call: Call,
  organization: string,
  write: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-bench-pages-'));
  const git = (...args: string[]) => run('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args]);
  await write(folder);
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git('commit', '--quiet', '-m', 'Pages');
  await run('git', ['clone', '--quiet', '--bare', folder, join(folder, 'served', 'pages.git')]);
  const repositories = await serveRepositories({ root: join(folder, 'served') });
  try {
    const { id } = (await call('POST', `/orgs/${organization}/spaces`, { title: 'Pages' })) as { id: string };
    const url = `${repositories.url}/pages.git`;
    await call('POST', `/spaces/${id}/git/import`, { url, ref: 'refs/heads/main' });
    for (;;) {
      const { operation } = (await call('GET', `/spaces/${id}/git/info`)) as {
        operation: { state: string; error?: string };
      };
      if (operation.state === 'success') return id;
      if (operation.error) throw new Error(operation.error);
      await pause(50);
    }
  } finally {
    await repositories.close();
    await rm(folder, { recursive: true, force: true });
  }
}
