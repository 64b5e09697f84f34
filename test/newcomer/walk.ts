import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual, promisify } from 'node:util';
import { serveRepositories } from '../../services/content/git/serve.js';
import { freePort } from '../../shared/free-port.js';
import { packageFile } from '../../shared/package-root.js';

/**
 * Does what README and tour tell a newcomer, word by word: a clean clone, `npm ci && npm start`, the token of the banner, every
 * command of the tour, the end by SIGTERM. What a page shows must come out, but for ids, times and addresses. Put in for the
 * examples are the port, what the banner told, and a repository on this machine, which OUTBOUND_ALLOW_CIDRS opens.
 */
const run = promisify(execFile);
const say = (text: string) => void process.stdout.write(`${text}\n`);
const exampleUrl = 'http://127.0.0.1:4000';
const exampleRepository = 'https://github.com/acme/docs.git';
const mark = '--- end of a block ---';

const files = {
  'SUMMARY.md': '# Summary\n\n* [Welcome](README.md)\n* [Install](install.md)\n',
  'README.md': '# Welcome\n\nWhat this is about.\n',
  'install.md': '# Install\n\nIt takes a minute.\n\n## From source\n\nInstall a compiler first.\n',
};

interface Block {
  language: string;
  text: string;
}

const blocksOf = (page: string): Block[] =>
  [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }));

/** Without what differs from run to run. */
const steady = (text: string) =>
  text
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'URL')
    .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, 'ID')
    .replace(/bnd_[\w-]+/g, 'TOKEN')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\b[0-9a-f]{40}\b/g, 'HASH')
    .trim();

async function serveExample(folder: string): Promise<{ url: string; close(): Promise<void> }> {
  const [work, root] = [join(folder, 'docs'), join(folder, 'served')];
  const git = (...args: string[]) => run('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args]);
  await git('init', '--quiet', '--initial-branch=main', work);
  for (const [name, text] of Object.entries(files)) await writeFile(join(work, name), text);
  await git('-C', work, 'add', '--all');
  await git('-C', work, 'commit', '--quiet', '--message', 'Docs');
  await git('clone', '--quiet', '--bare', work, join(root, 'docs.git'));
  const server = await serveRepositories({ root });
  return { url: `${server.url}/docs.git`, close: () => server.close() };
}

function expectSame(what: string, shown: unknown, got: unknown): void {
  if (isDeepStrictEqual(shown, got)) return;
  throw new Error(`${what} differs.\nThe page shows:\n${JSON.stringify(shown)}\nIt is:\n${JSON.stringify(got)}`);
}

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

/** The outputs of the blocks, run one after the other in one shell. */
async function runBlocks(blocks: string[], cwd: string): Promise<string[]> {
  const script = ['set -e\n', ...blocks.map((block) => `${block}\nprintf '\\n%s\\n' '${mark}'\n`)].join('');
  const child = spawn('sh', ['-s'], { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  child.stdin.end(script);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the commands end with ${code}:\n${output}\n${errors}`);
  return output.split(`\n${mark}\n`).slice(0, -1);
}

function checkBanners(pages: Record<string, string>, banner: string): void {
  for (const [name, page] of Object.entries(pages)) {
    const shown = blocksOf(page).find(({ text }) => text.includes('Bindery is ready.'));
    expectSame(`the banner of ${name}`, shown && steady(shown.text), steady(banner));
  }
}

async function walkTour(tour: string, clone: string, replaced: [string, string][]): Promise<void> {
  const blocks = blocksOf(tour).map(({ language, text }) => ({
    language,
    text: replaced.reduce((all, [example, own]) => all.replaceAll(example, own), text),
  }));
  const commands = blocks.filter(({ language }) => language === 'sh').slice(1);
  const outputs = await runBlocks(
    commands.map(({ text }) => text),
    clone,
  );
  expectSame('the number of blocks that ran', commands.length, outputs.length);
  for (const [at, command] of commands.entries()) {
    const output = outputs[at] as string;
    say(`\n$ ${command.text.trim().replaceAll('\n', '\n$ ')}\n${output.trim()}`);
    if (output.includes('"error":')) throw new Error(`an error comes of:\n${command.text}\n${output}`);
    const shown = blocks[blocks.indexOf(command) + 1];
    const what = `what comes of\n${command.text}`;
    if (shown?.language === 'text') expectSame(what, steady(shown.text), steady(output));
    if (shown?.language === 'json') expectSame(what, JSON.parse(steady(shown.text)), JSON.parse(steady(output)));
  }
}

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
    const own = (pattern: RegExp) => pattern.exec(server.banner)?.[1] ?? '';
    const example = (pattern: RegExp) => pattern.exec(tour as string)?.[1] ?? '';
    const [token, organization] = [/API token\s+(\S+)/, /Organization\s+(\S+)/];
    await walkTour(tour as string, clone, [
      [exampleUrl, `http://127.0.0.1:${port}`],
      [exampleRepository, repository.url],
      [example(token), own(token)],
      [example(organization), own(organization)],
    ]);
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
