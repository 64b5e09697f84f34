import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HasJobs } from '../../../../../shared/jobs/jobs.js';
import type { HasSecrets } from '../../../../../shared/secrets/secrets.js';
import { type HasStore, write } from '../../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../../shared/values/ids.js';
import type { FileOnDisk, HasLedger } from '../../../core/storage/ledger.js';
import { runInScratchFolder } from '../../../core/storage/scratch.js';
import type { SpecWork } from '../../../openapi/document/spec-work.js';
import { storeSpecVersion } from '../../../openapi/processing/process-job.js';
import { recheckLater } from '../../../openapi/specs/jobs.js';
import { type SpecDocument, specs, specVersions } from '../../../openapi/specs/model.js';
import { refusal } from '../../conversion/refused.js';
import type { ArchiveFile } from './archive-file.js';
import { type ArchivedSpec, specVersionFile } from './archived-specs.js';

type Dependencies = HasStore & HasJobs & HasLedger & HasSecrets & { specWork: SpecWork; scratchDir: string };

export interface TakeSpec {
  organization: string;
  archive: ArchiveFile;
  spec: ArchivedSpec;
}

/** Stores a specification of an archive with its latest version, unless it is there. */
export async function takeSpec(deps: Dependencies, { organization, archive, spec }: TakeSpec): Promise<void> {
  const { store, jobs } = deps;
  if (await store.get(specs, spec.id, { fields: [] })) return;
  const { id: _id, sourceURL, ...kept } = spec;
  const document: SpecDocument = {
    ...kept,
    _id,
    organization,
    source: sourceURL === undefined ? { kind: 'text' } : { kind: 'url', url: deps.secrets.encrypt(sourceURL) },
    check: newId(),
    processingState: 'complete',
    lastProcessedAt: timestamp(),
  };
  const path = specVersionFile(spec);
  const version = archive.sizes.has(path) ? await takeVersion(deps, { archive, path, document }) : null;
  await store.batch([
    write.insert(specs, { ...document, ...(version ? { lastVersion: version._id } : {}) }),
    ...(version ? [write.insert(specVersions, version)] : []),
    ...(sourceURL === undefined ? [] : [recheckLater(jobs, document)]),
  ]);
}

/** The file is kept byte for byte: it is what processing made of the source. */
async function takeVersion(
  deps: Dependencies,
  { archive, path, document }: { archive: ArchiveFile; path: string; document: SpecDocument },
) {
  return runInScratchFolder(deps.scratchDir, async (into) => {
    const file = await unpack(archive, path, join(into, 'archived'));
    const made = await deps.specWork.process({ files: [{ url: '', file: file.file }], into }, document.organization);
    if (!('outline' in made)) throw refusal(`${path}: ${'problem' in made ? made.problem : 'refers to other files'}`);
    return (await storeSpecVersion(deps, document, { ...made, file })).version;
  });
}

async function unpack(archive: ArchiveFile, path: string, file: string): Promise<FileOnDisk> {
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform(piece: Buffer, _, next) {
      hash.update(piece);
      next(null, piece);
    },
  });
  await pipeline(await archive.open(path), hashed, createWriteStream(file));
  return { file, size: archive.sizes.get(path) ?? 0, sha256: hash.digest('hex') };
}
