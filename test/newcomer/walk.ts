import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../shared/process/free-port.js';
import { packageFile } from '../../shared/process/package-root.js';
import { blocksOf, expectSame, run, say, serveExample, steady, walkTour } from './tour.js';

/** `npm start` in the clone until its banner is printed. */
async function startAsTold(clone: string, port: number) {
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const lines: string[] = [];
  const ready = new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      if (line.includes('/content/pages')) resolve();
    });
    void closed.then(([code]) => reject(new Error(`npm start ended with ${code}:\n${lines.join('\n')}`)));
  });
  await ready;
  return {
    banner: lines.slice(lines.findIndex((line) => line.includes('Bindery is ready.'))).join('\n'),
    async stop() {
      child.kill('SIGTERM');
      const [code] = await closed;
      if (code !== 0) throw new Error(`npm start ended with ${code} at SIGTERM:\n${lines.join('\n')}`);
      await once(createServer().listen(port, '127.0.0.1').unref(), 'listening');
    },
  };
}

function checkBanners(pages: Record<string, string>, banner: string): void {
  for (const [name, page] of Object.entries(pages)) {
    const shown = blocksOf(page).find(({ text }) => text.includes('Bindery is ready.'));
    expectSame(`the banner of ${name}`, shown && steady(shown.text), steady(banner));
  }
}

/**
 * Does what README and tour tell a newcomer, word by word: a clean clone, `npm ci && npm start`, the token of the banner, every
 * command of the tour, the end by SIGTERM. What a page shows must come out, but for ids, times and addresses. Put in for the
 * examples are the port, what the banner told, and a repository on this machine, which OUTBOUND_ALLOW_CIDRS opens.
 */
async function walk(folder: string): Promise<void> {
  const clone = join(folder, 'bindery');
  await run('git', ['clone', '--quiet', packageFile('.'), clone]);
  const [readme, tour] = await Promise.all(
    ['README.md', 'docs/tour.md'].map((name) => readFile(join(clone, name), 'utf8')),
  );
  const told = blocksOf(tour as string)[0]?.text.trim();
  expectSame('the first command of the tour', told, 'npm ci && npm start');
  say('npm ci');
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: clone, maxBuffer: 16 * 1024 ** 2 });
  say('npm start');
  const port = await freePort();
  const server = await startAsTold(clone, port);
  const repository = await serveExample(folder);
  try {
    checkBanners({ README: readme as string, tour: tour as string }, server.banner);
    const url = `http://127.0.0.1:${port}`;
    await walkTour(tour as string, { folder: clone, url, banner: server.banner, repository: repository.url });
  } finally {
    await server.stop();
    await repository.close();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'bindery-newcomer-'));
try {
  await walk(folder);
  say('\nThe walk of a newcomer ends well.');
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
