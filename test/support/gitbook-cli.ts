import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFile } from '../../shared/process/package-root.ts';
import { freeName } from './integrations.ts';
import type { Client } from './server.ts';

const program = packageFile('node_modules/@gitbook/cli/cli.js');

export interface Ran {
  code: number | null;
  output: string;
}

/** The public command line client, as its user runs it: unmodified, against a server. */
export class GitbookCli {
  private constructor(
    private readonly client: Client,
    /** The folder of its user. */
    readonly home: string,
  ) {}

  static async create(client: Client): Promise<GitbookCli> {
    return new GitbookCli(client, await mkdtemp(join(tmpdir(), 'bindery-cli-')));
  }

  /** Starts a command; `program` is another copy of the client. */
  start(args: string[], { cwd = this.home, from = program } = {}): ChildProcess {
    const { url, token } = this.client;
    return spawn(process.execPath, ['--no-warnings', from, ...args], {
      cwd,
      env: {
        PATH: process.env.PATH,
        HOME: this.home,
        TMPDIR: this.home,
        XDG_CONFIG_HOME: join(this.home, 'config'),
        GITBOOK_ENDPOINT: url,
        GITBOOK_TOKEN: token,
      },
    });
  }

  /** Runs a command to its end; `input` goes to its standard input. */
  async run(args: string[], { cwd, input }: { cwd?: string; input?: string } = {}): Promise<Ran> {
    const child = this.start(args, cwd === undefined ? {} : { cwd });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (output += part));
    child.stdin?.end(input);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  }

  /** A folder with one of our own integrations, under a name of its own, as its author has it. */
  async checkOut(integration: 'greeter' | 'counter' | 'recorder', organization: string) {
    const name = freeName(integration);
    const cwd = join(this.home, name);
    await cp(packageFile(`test/fixtures/integrations/${integration}`), cwd, { recursive: true });
    const manifest = join(cwd, 'gitbook-manifest.yaml');
    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, text.replace('NAME', name).replace('ORGANIZATION', organization));
    await symlink(packageFile('node_modules'), join(cwd, 'node_modules'));
    return { name, cwd };
  }

  /** Publishes one of our own integrations; its name. */
  async publish(integration: 'greeter' | 'counter' | 'recorder', organization: string): Promise<string> {
    const { name, cwd } = await this.checkOut(integration, organization);
    const { code, output } = await this.run(['publish'], { cwd });
    if (code !== 0) throw new Error(`publish ended with ${code}:\n${output}`);
    return name;
  }

  /** A copy of the client whose tunnel is this one: its own is a program that its installation would download. */
  async withTunnel(tunnelUrl: string): Promise<string> {
    const copy = join(this.home, 'cli');
    await mkdir(join(copy, 'dist'), { recursive: true });
    const original = packageFile('node_modules/@gitbook/cli');
    for (const name of await readdir(join(original, 'dist')))
      await cp(join(original, 'dist', name), join(copy, 'dist', name));
    for (const name of ['cli.js', 'package.json']) await cp(join(original, name), join(copy, name));
    // Its packages lie in its own folder and beside it.
    await mkdir(join(copy, 'node_modules'), { recursive: true });
    const packages = [packageFile('node_modules'), join(original, 'node_modules')];
    for (const from of packages) await linkAll(from, join(copy, 'node_modules'));
    const lines = [`${tunnelUrl}`, 'Registered tunnel connection'].map((line) => `echo '${line}' >&2`);
    await writeFile(join(copy, 'dist', 'cloudflared'), ['#!/bin/sh', ...lines, 'exec sleep 600', ''].join('\n'), {
      mode: 0o755,
    });
    return join(copy, 'cli.js');
  }

  close = () => rm(this.home, { recursive: true, force: true });
}

async function linkAll(from: string, to: string): Promise<void> {
  for (const name of await readdir(from)) {
    if (name.startsWith('.')) continue;
    await rm(join(to, name), { recursive: true, force: true });
    await symlink(join(from, name), join(to, name));
  }
}
