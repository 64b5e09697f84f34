import type { JsonObject } from './plain-json.js';
import { type Reference, referencesIn } from './references.js';
import { SpecProblem } from './spec-problem.js';

/** The address of a file without its fragment, and the fragment with its `#`; both may be empty. */
function parted(ref: string): { file: string; pointer: string } {
  const at = ref.indexOf('#');
  return at < 0 ? { file: ref, pointer: '' } : { file: ref.slice(0, at), pointer: ref.slice(at) };
}

const shown = (ref: string) => JSON.stringify(ref.slice(0, 200).toWellFormed());

/** The address of the file that a reference leads to. `from` is that of its own file; empty for a text, which has none. */
function addressOf(ref: string, from: string): string {
  const { file } = parted(ref);
  if (file === '') return from;
  const isAlone = from === '';
  if (isAlone)
    throw new SpecProblem(
      `it refers to another file, ${shown(ref)}, which a text cannot: publish it by its URL, or bundle it into one file`,
    );
  if (!URL.canParse(file, from)) throw new SpecProblem(`it refers to ${shown(ref)}, which is not a valid URL`);
  const url = new URL(file, from);
  if (!/^https?:$/.test(url.protocol))
    throw new SpecProblem(`it refers to ${shown(ref)}, which is no http or https URL`);
  return url.href;
}

/** The addresses of the other files that a file refers to. Throws `SpecProblem`. */
export function filesNamedIn(document: JsonObject, from: string): string[] {
  const named = new Set<string>();
  for (const { holder } of referencesIn(document)) named.add(addressOf(holder.$ref, from));
  return [...named].filter((address) => address !== from);
}

/**
 * Puts the files that an entry refers to, in any number of steps, into it, under `x-ext`, and has all references lead there: each file is
 * there once, so cycles stay what they are. Returns the addresses of files that are not there, and then has changed nothing.
 */
export function bundle(files: ReadonlyMap<string, JsonObject>, entry: string): string[] {
  const document = files.get(entry) as JsonObject;
  const found = reach(files, entry);
  const missing = [...found.keys()].filter((address) => !files.has(address));
  if (missing.length > 0) return missing;
  found.delete(entry);
  if (found.size === 0) return [];
  const places = placesFor(found);
  const held: Record<string, JsonObject> = {};
  for (const [address, file] of files) {
    if (address !== entry && !found.has(address)) continue;
    for (const { holder } of referencesIn(file)) {
      const { pointer } = parted(holder.$ref);
      const to = addressOf(holder.$ref, address);
      if (to === entry) holder.$ref = pointer === '' ? '#' : pointer;
      else holder.$ref = `#/x-ext/${(places.get(to) as Place).path}${inside(pointer, holder.$ref)}`;
    }
  }
  for (const [address, { kind, name }] of places) {
    held[kind] ??= {};
    (held[kind] as JsonObject)[name] = files.get(address);
  }
  document['x-ext'] = held;
  return [];
}

function inside(pointer: string, ref: string): string {
  if (pointer === '' || pointer === '#') return '';
  if (!pointer.startsWith('#/'))
    throw new SpecProblem(`it refers to ${shown(ref)}: only JSON pointers lead into files`);
  return pointer.slice(1);
}

/** Every file that is reached, with whether all references to it stand where schemas do. */
function reach(files: ReadonlyMap<string, JsonObject>, entry: string): Map<string, boolean> {
  const found = new Map<string, boolean>([[entry, false]]);
  for (const from of found.keys()) {
    const document = files.get(from);
    if (document === undefined) continue;
    for (const { holder, inSchema } of referencesIn(document) as Iterable<Reference>) {
      const address = addressOf(holder.$ref, from);
      found.set(address, inSchema && (found.get(address) ?? true));
    }
  }
  return found;
}

interface Place {
  /** The upgrade to 3.1 tells by the word `schema` in a path that what is there is one. */
  kind: 'schema' | 'file';
  name: string;
  /** Below `x-ext`, as JSON pointers write it. */
  path: string;
}

/** Where each file goes, under a name that readers recognise. */
function placesFor(found: ReadonlyMap<string, boolean>): Map<string, Place> {
  const taken = new Set<string>();
  const places = new Map<string, Place>();
  for (const [address, isSchema] of found) {
    const last = new URL(address).pathname.split('/').at(-1) ?? '';
    const plain = last.replace(/\.\w+$/, '').replace(/[^\w-]+/g, '-') || 'file';
    let name = plain;
    for (let number = 2; taken.has(name); number++) name = `${plain}-${number}`;
    taken.add(name);
    const kind = isSchema ? 'schema' : 'file';
    places.set(address, { kind, name, path: `${kind}/${name}` });
  }
  return places;
}
