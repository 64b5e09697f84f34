import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { serveRepositories } from '../../services/content/exchange/git/serve.js';

export const run = promisify(execFile);
export const say = (text: string) => void process.stdout.write(`${text}\n`);
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

export const blocksOf = (page: string): Block[] =>
  [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }));

/** Without what differs from run to run. */
export const steady = (text: string) =>
  text
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'URL')
    .replace(/(?<![\dA-Za-z])[0-9A-HJKMNP-TV-Z]{26}\b/g, 'ID')
    .replace(/bnd_[\w-]+/g, 'TOKEN')
    .replace(/code=[\w-]{43}/g, 'code=CODE')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\b[0-9a-f]{40}\b/g, 'HASH')
    .trim();

/** Serves the repository that the tour imports, from `folder`. */
export async function serveExample(
  folder: string,
  host = '127.0.0.1',
): Promise<{ url: string; close(): Promise<void> }> {
  const [work, root] = [join(folder, 'docs'), join(folder, 'served')];
  const git = (...args: string[]) => run('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args]);
  await git('init', '--quiet', '--initial-branch=main', work);
  for (const [name, text] of Object.entries(files)) await writeFile(join(work, name), text);
  await git('-C', work, 'add', '--all');
  await git('-C', work, 'commit', '--quiet', '--message', 'Docs');
  await git('clone', '--quiet', '--bare', work, join(root, 'docs.git'));
  const server = await serveRepositories({ root, host });
  return { url: `${server.url}/docs.git`, close: () => server.close() };
}

export function expectSame(what: string, shown: unknown, got: unknown): void {
  if (isDeepStrictEqual(shown, got)) return;
  throw new Error(`${what} differs.\nThe page shows:\n${JSON.stringify(shown)}\nIt is:\n${JSON.stringify(got)}`);
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

/** What takes the places of the examples of the tour. */
export interface Own {
  /** The folder in which its commands run. */
  folder: string;
  url: string;
  /** What the first start printed. */
  banner: string;
  repository: string;
}

/** Does what the tour tells after the start; throws where something else comes out. */
export async function walkTour(tour: string, { folder, url, banner, repository }: Own): Promise<void> {
  const named = (pattern: RegExp) =>
    [tour, banner].map((text) => pattern.exec(text)?.[1] ?? '') as [example: string, own: string];
  const replaced = [
    [exampleUrl, url],
    [exampleRepository, repository],
    named(/API token\s+(\S+)/),
    named(/Organization\s+(\S+)/),
  ] as const;
  const blocks = blocksOf(tour).map(({ language, text }) => ({
    language,
    text: replaced.reduce((all, [example, own]) => all.replaceAll(example, own), text),
  }));
  const commands = blocks.filter(({ language }) => language === 'sh').slice(1);
  const outputs = await runBlocks(
    commands.map(({ text }) => text),
    folder,
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
