import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml';
import { isObject, type JsonObject, maxJsonDepth, type PlainCopies } from './plain-json.js';
import { SpecProblem } from './spec-problem.js';

const yaml = {
  schema: CORE_SCHEMA.withTags(mergeTag),
  maxDepth: maxJsonDepth,
  maxAliases: 10_000,
  maxTotalMergeKeys: 100_000,
};

/** Reads one file of a specification, JSON or YAML. Throws `SpecProblem`. */
export function readSpecFile(bytes: Uint8Array, copies: PlainCopies): JsonObject {
  const read = copies.copy(parse(decodeText(bytes)));
  if (!isObject(read)) throw new SpecProblem('it is not an object');
  return read;
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SpecProblem('it is not UTF-8');
  }
}

function parse(text: string): unknown {
  if (!/^\s*\{/.test(text)) return parseYaml(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    // YAML may begin like JSON, so it is tried as well; if the text is neither, the error about JSON helps more.
    try {
      return load(text, yaml);
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
