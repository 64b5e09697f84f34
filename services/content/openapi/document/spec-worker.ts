import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../../shared/values/ids.js';
import type { FileOnDisk } from '../../core/storage/ledger.js';
import {
  filesNamedBy,
  type ProcessedSpec,
  processFiles,
  type SpecSourceFile,
  type Unprocessed,
} from './processed-spec.js';

export { specHtml } from './spec-html.js';

/** A file of a specification, on the disk. */
export interface SpecFile {
  /** Its address; empty for a text. */
  url: string;
  file: string;
}

/** A processed specification, on the disk. */
export type StoredSpec = Record<keyof ProcessedSpec, FileOnDisk>;

export interface Processing {
  /** The first one is the entry. */
  files: SpecFile[];
  /** The folder for what is made. */
  into: string;
}

/** Makes one file of OpenAPI 3.1 of a specification, and its outline. */
export function processSpec({ files, into }: Processing): StoredSpec | Unprocessed {
  const made = processFiles(files.map(read));
  if (!('file' in made)) return made;
  return {
    file: writeBytes(join(into, 'openapi.json'), made.file),
    outline: writeBytes(join(into, 'outline.json'), made.outline),
  };
}

/** The addresses of the other files that a file refers to. */
export const namedFiles = (file: SpecFile): Unprocessed => filesNamedBy(read(file));

const read = ({ url, file }: SpecFile): SpecSourceFile => ({ url, bytes: readFileSync(file) });

function writeBytes(file: string, bytes: Buffer): FileOnDisk {
  writeFileSync(file, bytes);
  return { file, size: bytes.length, sha256: sha256(bytes) };
}
