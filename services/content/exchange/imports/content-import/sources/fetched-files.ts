import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { invalid, markLasting } from '../../../../../../shared/errors/errors.js';
import type { Outbound } from '../../../../../../shared/outbound/client.js';
import { OutboundFailed, OutboundRefused } from '../../../../../../shared/outbound/failure.js';
import { scaleMs } from '../../../../../../shared/settings/time-scale.js';
import { megabytesText } from '../../../conversion/bounds.js';
import type { GivenFile } from '../../../conversion/model.js';
import { refusal } from '../../../conversion/refused.js';

export interface Fetching {
  maxBytes: number;
  timeoutMs?: number;
  /** The formats that are wanted, for servers that offer several. */
  accept?: string;
}

export const acceptHtml = 'text/html, application/xhtml+xml;q=0.9, */*;q=0.5';
export const acceptMarkdown = 'text/markdown, text/plain;q=0.9, */*;q=0.5';

/** A fetched file; `path` is the address after redirects. */
export interface FetchedFile extends GivenFile {
  contentType: string;
}

const usualMs = scaleMs(20_000);
const needsAccount = 'it seems to need an account; export what it shows and give an address that everybody may read';

/** Fetches files of an import into its folder. */
export class FetchedFiles {
  private count = 0;
  private given: FetchedFile | undefined;

  constructor(
    private readonly outbound: Outbound,
    private readonly organization: string,
    readonly folder: string,
    private readonly signal: AbortSignal,
  ) {}

  /** A file in the folder that is not there yet. */
  nextPath(): string {
    return join(this.folder, `fetched-${this.count++}`);
  }

  /** The file of an import that was sent with it: what its address names from now on. */
  give(file: FetchedFile): void {
    this.given = file;
  }

  /** Throws 400 for an address that is not public, 422 for anything but a good answer. */
  async fetchFile(url: string, fetching: Fetching): Promise<FetchedFile> {
    if (this.given?.path === url) return checkSize(this.given, fetching);
    const { status, ...file } = await this.fetchAnswer(url, fetching);
    if (status === 401 || status === 403) throw refusal(`url: the server answered ${status}: ${needsAccount}`);
    if (status !== 200) throw refusal(`url: the server answered ${status}`);
    if (file.path !== url && isSignInPage(file.path))
      throw refusal(`url: the server answered with a sign-in page: ${needsAccount}`);
    return file;
  }

  /** An answer of any status. */
  async fetchAnswer(
    url: string,
    { maxBytes, timeoutMs = usualMs, accept = '*/*' }: Fetching,
  ): Promise<FetchedFile & { status: number }> {
    const { signal, organization: owner } = this;
    signal.throwIfAborted();
    const into = this.nextPath();
    const answer = await this.outbound
      .fetch(url, { owner, headers: { accept }, maxBytes, timeoutMs, into, signal })
      .catch((error: Error) => {
        signal.throwIfAborted();
        throw toRefusal(error);
      });
    const contentType = answer.headers['content-type'] ?? '';
    return { path: answer.url, file: into, size: (await stat(into)).size, contentType, status: answer.status };
  }
}

function checkSize(file: FetchedFile, { maxBytes }: Fetching): FetchedFile {
  if (file.size > maxBytes) throw refusal(`url: larger than ${megabytesText(maxBytes)}`);
  return file;
}

function toRefusal(error: Error): Error {
  if (error instanceof OutboundRefused) return markLasting(invalid(`url: ${error.message}`));
  return error instanceof OutboundFailed ? refusal(`url: ${error.message}`) : error;
}

const isSignInPage = (url: string): boolean => {
  const { hostname, pathname } = new URL(url);
  return hostname === 'accounts.google.com' || /^\/(?:login|signin|sign-in|users\/sign_in)\/?$/i.test(pathname);
};

/** The first bytes of a file. */
export async function readStart(file: string, bytes: number): Promise<Buffer> {
  const opened = await open(file);
  try {
    const { bytesRead, buffer } = await opened.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await opened.close();
  }
}

/** Whether a file begins like an archive; a document in the DOCX format is one. */
export const isArchive = async (file: string): Promise<boolean> =>
  (await readStart(file, 2)).toString('latin1') === 'PK';

export const mediaType = (contentType: string): string => (contentType.split(';', 1)[0] as string).trim().toLowerCase();
