import { join } from 'node:path';
import type { Outbound } from '../../../../shared/outbound/client.js';
import { OutboundFailed, OutboundRefused } from '../../../../shared/outbound/failure.js';
import { scaleMs } from '../../../../shared/settings/time-scale.js';
import type { SpecFile } from '../document/spec-worker.js';
import type { SpecDocument } from '../specs/model.js';

type ErrorCode = NonNullable<SpecDocument['lastProcessError']>['code'];

/** Why a source did not become a version, for people. */
export class ProcessFailure extends Error {
  override readonly name = 'ProcessFailure';

  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** Limits for all files of a specification together. */
const maxFiles = 100;
const maxTotalBytes = 32 * 1024 * 1024;
const maxMs = scaleMs(60_000);
/** Limit for one file. */
const maxFileMs = scaleMs(30_000);

interface Fetching {
  organization: string;
  /** The URL of the first file. */
  entry: string;
  /** Where the files go. */
  folder: string;
  signal: AbortSignal;
  fileMs?: number;
}

const atOnce = 4;

/** Fetches the files of one specification into a folder, within its bounds. Throws `ProcessFailure`. */
export class SpecFiles {
  readonly files: SpecFile[] = [];
  private bytes = 0;
  private count = 0;
  private readonly until = Date.now() + maxMs;
  /** The credentials in the address of the entry: other files of its origin get them too. */
  private readonly credentials: { origin: string; username: string; password: string };

  constructor(
    private readonly outbound: Outbound,
    private readonly options: Fetching,
  ) {
    const { origin, username, password } = new URL(options.entry);
    this.credentials = { origin, username, password };
  }

  async fetchEntry(): Promise<SpecFile> {
    const url = new URL(this.options.entry);
    url.hash = '';
    const file = await this.fetch(url.href);
    this.files.push(file);
    return file;
  }

  /** Fetches those of the files that are not there yet; returns them, under the addresses that name them. */
  async fetchMissing(addresses: string[]): Promise<SpecFile[]> {
    const known = new Set(this.files.map(({ url }) => url));
    const missing = [...new Set(addresses)].filter((address) => !known.has(address));
    if (this.files.length + missing.length > maxFiles)
      throw new ProcessFailure('FETCH_ERROR', `The specification consists of more than ${maxFiles} files`);
    const before = this.files.length;
    for (let start = 0; start < missing.length; start += atOnce) {
      const part = missing.slice(start, start + atOnce);
      const fetched = await Promise.all(part.map((address) => this.fetch(this.withCredentials(address))));
      this.files.push(...fetched.map(({ file }, at) => ({ url: part[at] as string, file })));
    }
    return this.files.slice(before);
  }

  private withCredentials(address: string): string {
    const { origin, username, password } = this.credentials;
    const url = new URL(address);
    if (url.origin === origin && url.username === '') Object.assign(url, { username, password });
    return url.href;
  }

  private async fetch(address: string): Promise<SpecFile> {
    const { organization: owner, signal, folder, fileMs = maxFileMs } = this.options;
    const into = join(folder, `fetched-${this.count++}`);
    const timeoutMs = Math.max(1, Math.min(fileMs, this.until - Date.now()));
    const maxBytes = maxTotalBytes - this.bytes;
    const headers = { accept: 'application/json, application/yaml;q=0.9, */*;q=0.8' };
    // Several come at a time.
    const onPart = (bytes: number) => {
      this.bytes += bytes;
      if (this.bytes > maxTotalBytes) throw tooLarge();
    };
    const answer = await this.outbound
      .fetch(address, { owner, timeoutMs, maxBytes, headers, signal, into, onPart })
      .catch((error) => this.throwFailure(error));
    const { host } = new URL(address);
    if (answer.status !== 200) throw new ProcessFailure('FETCH_ERROR', `${host} answered ${answer.status}`);
    return { url: answer.url, file: into };
  }

  private throwFailure(error: unknown): never {
    this.options.signal.throwIfAborted();
    if (this.bytes > maxTotalBytes) throw tooLarge();
    if (error instanceof OutboundRefused) throw new ProcessFailure('FETCH_ERROR', error.message);
    if (!(error instanceof OutboundFailed)) throw error;
    if (error.reason === 'too-large') throw tooLarge();
    throw new ProcessFailure(error.reason === 'timeout' ? 'FETCH_TIMEOUT' : 'FETCH_ERROR', error.message);
  }
}

const tooLarge = () =>
  new ProcessFailure(
    'FETCH_ERROR',
    `The files of the specification are larger than ${maxTotalBytes / 1024 / 1024} MiB`,
  );
