import { isTaskFailure } from '../../../../shared/work/workers.js';
import type { ContentDependencies } from '../../dependencies.js';
import type { ProcessedSpec, SpecFile, Unprocessed } from '../document/spec-worker.js';
import type { SpecDocument } from '../model.js';
import { ProcessFailure, SpecFiles } from './fetch-files.js';

type Dependencies = Pick<ContentDependencies, 'blobs' | 'secrets' | 'outbound' | 'specWork'>;

/** Reads the source of a specification and makes one file of it. Throws `ProcessFailure`. */
export async function processSource(
  deps: Dependencies,
  spec: SpecDocument,
  signal: AbortSignal,
): Promise<ProcessedSpec> {
  const { source } = spec;
  try {
    return source.kind === 'url'
      ? await processUrl(deps, { url: deps.secrets.decrypt(source.url), organization: spec.organization, signal })
      : await processText(deps, { blob: source.blob, organization: spec.organization });
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
  { blob, organization }: { blob: string | undefined; organization: string },
): Promise<ProcessedSpec> {
  const bytes = blob === undefined ? null : await blobs.read(blob);
  if (!bytes) throw parseError('its text is no longer there; send it again');
  const made = await specWork.process([{ url: '', bytes }], organization);
  if ('missing' in made) throw new Error('a text refers to other files');
  return processed(made);
}

async function processUrl(
  { outbound, specWork }: Dependencies,
  { url, organization, signal }: { url: string; organization: string; signal: AbortSignal },
): Promise<ProcessedSpec> {
  const files = new SpecFiles(outbound, { entry: url, signal });
  const entry = await files.fetchEntry();
  const alone = await specWork.process([entry], organization);
  if (!('missing' in alone)) return processed(alone);
  for (let open = alone.missing; open.length > 0; ) {
    const fetched = await files.fetchMissing(open);
    open = await namedIn(specWork, { files: fetched, organization, signal });
    const known = new Set(files.files.map((file) => file.url));
    open = open.filter((address) => !known.has(address));
  }
  const made = await specWork.process(files.files, organization);
  if ('missing' in made) throw new Error('files of a specification were not found');
  return processed(made);
}

/** The addresses that files refer to. */
async function namedIn(
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

function processed(made: ProcessedSpec | Unprocessed): ProcessedSpec {
  if ('problem' in made) throw parseError(made.problem);
  return made as ProcessedSpec;
}
