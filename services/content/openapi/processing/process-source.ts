import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { HasBlobs } from '../../../../shared/blobs/port.js';
import type { HasOutbound } from '../../../../shared/outbound/client.js';
import type { HasSecrets } from '../../../../shared/secrets/secrets.js';
import { isTaskFailure } from '../../../../shared/workers/workers.js';
import type { Unprocessed } from '../document/processed-spec.js';
import type { SpecWork } from '../document/spec-work.js';
import type { SpecFile, StoredSpec } from '../document/spec-worker.js';
import type { SpecDocument } from '../specs/model.js';
import { ProcessFailure, SpecFiles } from './fetch-files.js';

type Dependencies = HasBlobs & HasSecrets & HasOutbound & { specWork: SpecWork };

interface Processed {
  spec: SpecDocument;
  /** For all files of the processing, which go with it. */
  folder: string;
  signal: AbortSignal;
}

/** Reads the source of a specification and makes one file of it, in a folder. Throws `ProcessFailure`. */
export async function processSource(deps: Dependencies, processed: Processed): Promise<StoredSpec> {
  try {
    return processed.spec.source.kind === 'url'
      ? await processUrl(deps, processed, deps.secrets.decrypt(processed.spec.source.url))
      : await processText(deps, processed, processed.spec.source.blob);
  } catch (error) {
    throw asFailure(error);
  }
}

/** A specification that takes too much would take it again. */
function asFailure(error: unknown): unknown {
  if (!isTaskFailure(error) || (error.failure !== 'memory' && error.failure !== 'deadline')) return error;
  const what = error.failure === 'memory' ? 'memory' : 'time';
  return parseError(`it needs more ${what} to process than is allowed`);
}

const parseError = (problem: string) =>
  new ProcessFailure('PARSE_ERROR', `The specification cannot be used: ${problem}`);

async function processText(
  { blobs, specWork }: Dependencies,
  { spec: { organization }, folder: into, signal }: Processed,
  blob: string | undefined,
): Promise<StoredSpec> {
  const text = blob === undefined ? null : await blobs.open(blob);
  if (!text) throw parseError('its text is no longer there; send it again');
  const file = join(into, 'text');
  await pipeline(text, createWriteStream(file), { signal });
  const made = await specWork.process({ files: [{ url: '', file }], into }, organization);
  if ('missing' in made) throw new Error('a text refers to other files');
  return checkProcessed(made);
}

async function processUrl(
  { outbound, specWork }: Dependencies,
  { spec: { organization }, folder: into, signal }: Processed,
  url: string,
): Promise<StoredSpec> {
  const files = new SpecFiles(outbound, { organization, entry: url, folder: into, signal });
  const entry = await files.fetchEntry();
  const alone = await specWork.process({ files: [entry], into }, organization);
  if (!('missing' in alone)) return checkProcessed(alone);
  for (let open = alone.missing; open.length > 0; ) {
    const fetched = await files.fetchMissing(open);
    open = await findNamed(specWork, { files: fetched, organization, signal });
    const known = new Set(files.files.map((file) => file.url));
    open = open.filter((address) => !known.has(address));
  }
  const made = await specWork.process({ files: files.files, into }, organization);
  if ('missing' in made) throw new Error('files of a specification were not found');
  return checkProcessed(made);
}

/** The addresses that files refer to. */
async function findNamed(
  specWork: Dependencies['specWork'],
  { files, organization, signal }: { files: SpecFile[]; organization: string; signal: AbortSignal },
): Promise<string[]> {
  const named: string[] = [];
  for (const file of files) {
    signal.throwIfAborted();
    const found = await specWork.named(file, organization);
    if ('problem' in found) throw parseError(found.problem);
    named.push(...found.missing);
  }
  return named;
}

function checkProcessed(made: StoredSpec | Unprocessed): StoredSpec {
  if ('problem' in made) throw parseError(made.problem);
  return made as StoredSpec;
}
