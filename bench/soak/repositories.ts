import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { serveRepositories } from '../../services/content/exchange/git/serve.js';

type Tree = Map<string, Buffer | string>;

function git(folder: string, args: string[], input: Buffer | string = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile('git', ['-C', folder, ...args], { encoding: 'utf8' }, (error, stdout) =>
      error ? reject(error) : resolve(stdout.trim()),
    );
    child.stdin?.on('error', () => {}).end(input);
  });
}

const entry = (oid: string, name: string) => `100644 blob ${oid}\t${name}`;
const subtree = (oid: string, name: string) => `040000 tree ${oid}\t${name}`;

/** Builds repositories from objects, so that a few of them may stand for any number of paths. */
class Repository {
  constructor(readonly folder: string) {}

  blob = (content: Buffer | string) => git(this.folder, ['hash-object', '-w', '--stdin'], content);
  tree = (lines: string[]) => git(this.folder, ['mktree'], `${lines.join('\n')}\n`);

  async files(files: Tree): Promise<string> {
    const lines: string[] = [];
    for (const [name, content] of files) lines.push(entry(await this.blob(content), name));
    return this.tree(lines);
  }

  async commit(tree: string): Promise<void> {
    const author = ['-c', 'user.name=Soak', '-c', 'user.email=soak@example.com'];
    const commit = await git(this.folder, [...author, 'commit-tree', tree, '-m', 'Soak']);
    await git(this.folder, ['update-ref', 'refs/heads/main', commit]);
  }
}

const words = 'a reader who installs the service opens the page about limits and finds the answer there '.repeat(30);

async function honest(repository: Repository): Promise<string> {
  const pages: [string, string][] = Array.from({ length: 400 }, (_, at) => [
    `page-${at}.md`,
    `# Page ${at}\n\n${words}\n\n## About ${at}\n\n* one\n* two\n\n[next](page-${(at + 1) % 400}.md)\n`,
  ]);
  return repository.files(new Map([['README.md', '# Home\n'], ...pages]));
}

async function conditional(repository: Repository): Promise<string> {
  const pages: [string, string][] = Array.from({ length: 400 }, (_, at) => [
    `page-${at}.md`,
    `---\nif: visitor.claims.unsigned.plan == 'pro'\n---\n\n# Page ${at}\n\n{% if visitor.claims.unsigned.plan == 'pro' %}\n${words.repeat(20)}\n{% endif %}\n`,
  ]);
  return repository.files(new Map([['README.md', '# Home\n'], ...pages]));
}

/** One large file at each of many places where settings, summaries and pages are looked for. */
async function everywhere(repository: Repository): Promise<string> {
  const large = await repository.blob('* [a](README.md)\n'.repeat(480_000));
  const folder = await repository.tree(['.gitbook.yaml', 'README.md', 'SUMMARY.md'].map((name) => entry(large, name)));
  const folders = Array.from({ length: 900 }, (_, at) => subtree(folder, `d${String(at).padStart(4, '0')}`));
  return repository.tree([...folders, entry(large, 'SUMMARY.md')]);
}

/** Few objects, a hundred thousand paths. */
async function bomb(repository: Repository): Promise<string> {
  let oid = await repository.files(
    new Map([
      ['README.md', '# A page\n'],
      ['more.md', '# Another\n'],
    ]),
  );
  for (let level = 0; level < 5; level++)
    oid = await repository.tree(Array.from({ length: 10 }, (_, at) => subtree(oid, `d${at}`)));
  return oid;
}

/** Sources that take long to parse, or whose document is a hundred times as large. */
function heavy(repository: Repository): Promise<string> {
  const nodes = '*a* `b` '.repeat(64_000);
  return repository.files(
    new Map([
      ['README.md', '# Home\n'],
      ['nodes.md', nodes],
      ['quotes.md', `${'> '.repeat(2000)}a\n`.repeat(100)],
      ['table.md', `|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n${`|${'*b*|'.repeat(500)}\n`.repeat(250)}`],
      ['brackets.md', `${'['.repeat(200_000)}\n${'![a]('.repeat(50_000)}`],
      ['yaml.md', `---\na: &a [1,1,1,1,1,1,1,1]\n${yamlBomb()}---\n# Yaml\n`],
    ]),
  );
}

const yamlBomb = () =>
  [...'bcdefgh'].map((name, at) => `${name}: &${name} [${Array(8).fill(`*${'abcdefg'[at]}`).join(',')}]\n`).join('');

const box = (type: string, content: Buffer) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(type, 4);
  return Buffer.concat([head, content]);
};

/** Images whose size is laborious to find. */
function images(repository: Repository): Promise<string> {
  const boxes = Buffer.concat(Array.from({ length: 130_000 }, () => box('free', Buffer.alloc(0))));
  const heic = Buffer.concat([box('ftyp', Buffer.from('heic\0\0\0\0mif1heic')), box('meta', boxes)]);
  const svg = `<svg ${'a="'.repeat(330_000)}`;
  const pages = Array.from({ length: 20 }, (_, at) => `![](i${at}.heic) ![](i${at}.svg)`).join('\n');
  const files: Tree = new Map([['README.md', `# Images\n\n${pages}\n`]]);
  for (let at = 0; at < 20; at++) {
    files.set(`i${at}.heic`, Buffer.concat([heic, Buffer.from(String(at))]));
    files.set(`i${at}.svg`, `${svg}${at}`);
  }
  return repository.files(files);
}

/** Many pages: an answer that is large by their number. */
async function many(repository: Repository): Promise<string> {
  const page = await repository.blob('# A page\n\nWith a text.\n');
  const lines = Array.from({ length: 12_000 }, (_, at) => entry(page, `a-page-with-a-long-name-${at}.md`));
  return repository.tree([...lines, entry(page, 'README.md')]);
}

const kinds = { honest, conditional, everywhere, bomb, heavy, images, many };

export interface Repositories {
  honest: string;
  hostile: HostileUrls;
  close(): Promise<void>;
}

/** The URLs of the repositories that attacks import, by kind. */
export type HostileUrls = { [kind in Exclude<keyof typeof kinds, 'honest'> | 'slow']: string };

export const hostileRepositories = ['everywhere', 'bomb', 'heavy', 'images', 'many', 'slow'] as const;

/** A Git server that sends a byte a second. */
async function slowServer() {
  const server = createServer((_, reply) => {
    reply.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
    const line = '001e# service=git-upload-pack\n0000';
    let sent = 0;
    const timer = setInterval(() => reply.write(line[sent++ % line.length] as string), 1000);
    reply.once('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

export async function openRepositories(folder: string): Promise<Repositories> {
  for (const [kind, build] of Object.entries(kinds)) {
    const path = join(folder, `${kind}.git`);
    await mkdir(path, { recursive: true });
    await git(path, ['init', '--quiet', '--bare', '--initial-branch=main']);
    const repository = new Repository(path);
    await repository.commit(await build(repository));
  }
  const server = await serveRepositories({ root: folder });
  const slow = await slowServer();
  const urls = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, `${server.url}/${kind}.git`]));
  return {
    honest: String(urls.honest),
    hostile: { ...urls, slow: `http://127.0.0.1:${(slow.address() as AddressInfo).port}/slow.git` } as HostileUrls,
    async close() {
      slow.closeAllConnections();
      slow.close();
      await server.close();
    },
  };
}
