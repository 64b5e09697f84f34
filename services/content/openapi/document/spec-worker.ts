import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../../shared/values/ids.js';
import type { FileOnDisk } from '../../core/storage/ledger.js';
import type { OpenAPISpecRawContent } from '../resources.js';
import { filesNamedBy, processFiles, type SpecSourceFile, type Unprocessed } from './processed-spec.js';

export { specHtml } from './spec-html.js';

/** A file of a specification, on the disk. */
export interface SpecFile {
  /** Its address; empty for a text. */
  url: string;
  file: string;
}

/** A processed specification, on the disk; `raw` is the entry as it was given, in the form in which it is answered. */
export type StoredSpec = Record<'file' | 'outline' | 'raw', FileOnDisk>;

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
  const raw: OpenAPISpecRawContent = { text: readFileSync(files[0]?.file ?? '', 'utf8'), format: made.format };
  return {
    raw: writeBytes(join(into, 'raw.json'), Buffer.from(JSON.stringify(raw))),
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
