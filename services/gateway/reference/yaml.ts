import { dump } from 'js-yaml';
import { inSlices } from '../../../shared/work/slices.js';

/** Keys of an object in objects down to which its parts are written one by one. */
const depth = 3;

type Part = [path: string[], value: unknown];

function* partsOf(value: object, under: string[] = []): Generator<Part> {
  for (const [key, part] of Object.entries(value)) {
    const path = [...under, key];
    const isSplit = path.length < depth && typeof part === 'object' && part !== null && !Array.isArray(part);
    if (isSplit && Object.keys(part).length > 0) yield* partsOf(part, path);
    else yield [path, part];
  }
}

function* writeInSteps(document: object): Generator<void, string> {
  const written: string[] = [];
  let before: string[] = [];
  for (const [path, value] of partsOf(document)) {
    const alone = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
    // Each key that leads to the part is a line; the part before has written those that both share.
    const shared = path.findIndex((key, at) => key !== before[at]);
    written.push(...dump(alone, { noRefs: true }).split('\n').slice(shared, -1));
    before = path;
    yield;
  }
  return `${written.join('\n')}\n`;
}

/** The YAML of a large object, as `dump` writes it; others get their turn. */
export const yamlInSlices = (document: object): Promise<string> => inSlices(writeInSteps(document));
