import { upgrade } from '@scalar/openapi-upgrader';
import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml';
import { bundle, filesNamedIn } from './bundle.js';
import { specOutlineOf } from './outline-of.js';
import { isObject, type JsonObject, maxJsonDepth, PlainCopies } from './plain-json.js';
import { resolvePointer } from './references.js';
import { SpecProblem } from './spec-problem.js';

/** A file of a specification. */
export interface SpecSourceFile {
  /** Its address; empty for a text. */
  url: string;
  bytes: Uint8Array;
}

/** Why files are not taken, for people; or the addresses of files that are missing. */
export type Unprocessed = { problem: string } | { missing: string[] };
export type SpecFormat = 'json' | 'yaml';
/** A specification and its outline, both as JSON. */
export interface ProcessedSpec {
  file: Buffer;
  outline: Buffer;
  /** The format of the entry as it was given. */
  format: SpecFormat;
}

/** Bytes of a specification as it is stored. */
const maxFileBytes = 48 * 1024 * 1024;
/** Bytes of an outline, which is read as a whole. */
const maxOutlineBytes = 8 * 1024 * 1024;
const maxSteps = 20;

/** Makes one file of OpenAPI 3.1, or 3.2, of a specification in any format that is taken; the first file is the entry. */
export function processFiles(files: SpecSourceFile[]): ProcessedSpec | Unprocessed {
  return orProblem(() => {
    const copies = new PlainCopies();
    const entry = files[0]?.url ?? '';
    const read = files.map((file) => [file.url, readFile(file, copies, file.url !== entry)] as const);
    const documents = new Map(read.map(([url, { document }]) => [url, document]));
    const document = documents.get(entry) as JsonObject;
    checkKind(document);
    const missing = bundle(documents, entry);
    if (missing.length > 0) return { missing };
    return { ...encodeSpec(upgradeDocument(document, copies)), format: read[0]?.[1].format ?? 'json' };
  });
}

/** The addresses of the other files that a file, which is not the entry, refers to. */
export const filesNamedBy = (file: SpecSourceFile): Unprocessed =>
  orProblem(() => ({ missing: filesNamedIn(readFile(file, new PlainCopies(), true).document, file.url) }));

function orProblem<T>(act: () => T): T | { problem: string } {
  try {
    return act();
  } catch (error) {
    if (error instanceof SpecProblem) return { problem: error.message };
    throw error;
  }
}

interface ReadFile {
  document: JsonObject;
  format: SpecFormat;
}

function readFile({ url, bytes }: SpecSourceFile, copies: PlainCopies, isNamed: boolean): ReadFile {
  try {
    return readSpecFile(bytes, copies);
  } catch (error) {
    if (isNamed && error instanceof SpecProblem)
      throw new SpecProblem(`it refers to ${url.slice(0, 300)}, and of that: ${error.message}`);
    throw error;
  }
}

/** Throws for what is no specification. A version that YAML reads as a number becomes the text that was meant. */
function checkKind(document: JsonObject): void {
  for (const field of ['swagger', 'openapi'])
    if (typeof document[field] === 'number') document[field] = document[field].toFixed(1);
  const { swagger, openapi, info, paths } = document;
  if (swagger === undefined && openapi === undefined)
    throw new SpecProblem('it has neither `openapi` nor `swagger`, which name the version of its format');
  if (openapi === undefined ? swagger !== '2.0' : !/^3\.[012](\.|$)/.test(String(openapi)))
    throw new SpecProblem(
      `its format is ${JSON.stringify(String(openapi ?? swagger).slice(0, 20))}; taken are Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2`,
    );
  if (!isObject(info)) throw new SpecProblem('`info` must be an object');
  if (typeof info.title !== 'string') throw new SpecProblem('`info.title` must be a text');
  for (const field of ['paths', 'components', 'webhooks', 'definitions'])
    if (document[field] !== undefined && !isObject(document[field]))
      throw new SpecProblem(`\`${field}\` must be an object`);
  if (paths === undefined && !/^3\.[12]/.test(String(openapi))) throw new SpecProblem('it has no `paths`');
  for (const [path, item] of Object.entries(paths ?? {}))
    if (!isObject(item) && !path.startsWith('x-'))
      throw new SpecProblem(
        `\`paths\` has ${JSON.stringify(path.slice(0, 200).toWellFormed())}, which is not an object`,
      );
}

/** As OpenAPI 3.1, or 3.2 where it is that, with its path items in place: both the upgrade and readers look for operations only there. */
function upgradeDocument(document: JsonObject, copies: PlainCopies): JsonObject {
  for (const field of ['paths', 'webhooks', 'x-webhooks']) {
    const items = document[field];
    if (!isObject(items)) continue;
    for (const [name, item] of Object.entries(items)) items[name] = inPlace(document, item, copies);
  }
  try {
    return upgrade(document, '3.1') as JsonObject;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new SpecProblem(
      'it could not be converted to OpenAPI 3.1: some part is not of the type that its format says',
    );
  }
}

function inPlace(document: JsonObject, item: unknown, copies: PlainCopies): unknown {
  let placed = item;
  for (let step = 0; isObject(placed) && typeof placed.$ref === 'string' && step < maxSteps; step++) {
    const { $ref, ...own } = placed;
    const target = resolvePointer(document, $ref as string);
    if (!isObject(target)) return placed;
    placed = { ...(copies.copy(target) as JsonObject), ...own };
  }
  return placed;
}

function encodeSpec(document: JsonObject): Omit<ProcessedSpec, 'format'> {
  const outline = Buffer.from(JSON.stringify(specOutlineOf(document)));
  if (outline.length > maxOutlineBytes)
    throw new SpecProblem('the names and summaries of its tags, operations and schemas are larger than 8 MiB');
  const file = Buffer.from(JSON.stringify(document));
  if (file.length > maxFileBytes)
    throw new SpecProblem(`it is larger than ${maxFileBytes / 1024 / 1024} MiB as OpenAPI 3.1`);
  return { file, outline };
}

const yaml = {
  schema: CORE_SCHEMA.withTags(mergeTag),
  maxDepth: maxJsonDepth,
  maxAliases: 10_000,
  maxTotalMergeKeys: 100_000,
};

/** Reads one file of a specification, JSON or YAML. Throws `SpecProblem`. */
function readSpecFile(bytes: Uint8Array, copies: PlainCopies): ReadFile {
  const { value, format } = parse(decodeText(bytes));
  const document = copies.copy(value);
  if (!isObject(document)) throw new SpecProblem('it is not an object');
  return { document, format };
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SpecProblem('it is not UTF-8');
  }
}

function parse(text: string): { value: unknown; format: SpecFormat } {
  if (!/^\s*\{/.test(text)) return { value: parseYaml(text), format: 'yaml' };
  try {
    return { value: JSON.parse(text), format: 'json' };
  } catch (error) {
    // YAML may begin like JSON, so it is tried as well; if the text is neither, the error about JSON helps more.
    try {
      return { value: load(text, yaml), format: 'yaml' };
    } catch {
      throw new SpecProblem(`it is not JSON: ${shorten((error as Error).message)}`);
    }
  }
}

function parseYaml(text: string): unknown {
  try {
    return load(text, yaml);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    const place = mark ? `, at line ${mark.line + 1}, column ${mark.column + 1}` : '';
    throw new SpecProblem(`it is neither JSON nor YAML: ${shorten(reason)}${place}`);
  }
}

const shorten = (message: string) => message.slice(0, 300).toWellFormed();
