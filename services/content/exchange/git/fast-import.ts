import { once } from 'node:events';
import { errorWordsOf, GitFailure } from './command/failure.js';
import { type GitPlace, startGit, stopGit } from './command/run.js';

interface FastImport {
  stream: AsyncIterable<Buffer | string>;
  /** How the stream gives times. */
  dates: 'now' | 'raw';
  signal: AbortSignal;
}

/** Feeds a stream to one `git fast-import`; what it prints. Throws GitFailure `corrupt` when git does not take it. */
export async function fastImport(place: GitPlace, { stream, dates, signal }: FastImport): Promise<string> {
  signal.throwIfAborted();
  const child = await startGit(['fast-import', '--quiet', '--force', '--done', `--date-format=${dates}`], place, {
    config: [
      ['fastimport.unpackLimit', '1'],
      // Names that another system could not write are files all the same.
      ['core.protectNTFS', 'false'],
      ['core.protectHFS', 'false'],
    ],
  });
  const { stdin, stdout, stderr: errors, closed } = child;
  const stop = () => stopGit(child);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  const output: Buffer[] = [];
  let stderr = '';
  let ended = false;
  void closed.then(() => {
    ended = true;
  });
  stdout.on('data', (chunk: Buffer) => output.push(chunk));
  errors.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-4096);
  });
  try {
    for await (const part of stream) {
      signal.throwIfAborted();
      if (ended) break;
      if (!stdin.write(part)) await Promise.race([once(stdin, 'drain'), closed]);
    }
    stdin.end();
    const code = await closed;
    signal.throwIfAborted();
    if (code !== 0) throw new GitFailure('corrupt', 'git could not write the commit', errorWordsOf(stderr));
    return Buffer.concat(output).toString();
  } catch (error) {
    stop();
    await closed;
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Bytes as a command of `fast-import` takes them. */
export function* dataOf(content: Buffer): Generator<Buffer | string> {
  yield `data ${content.length}\n`;
  yield content;
  yield '\n';
}

/** As C writes it, with every byte that is not plain ASCII as its octal number. */
export const quotePath = (path: Buffer): string =>
  `"${path.toString('latin1').replace(/[^ !#-[\]-~]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`;
