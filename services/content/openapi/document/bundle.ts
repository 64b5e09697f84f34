import type { JsonObject } from './plain-json.js';
import { type Reference, referencesIn } from './references.js';
import { SpecProblem } from './spec-problem.js';

/** The address of a file without its fragment, and the fragment with its `#`; both may be empty. */
function splitRef(ref: string): { file: string; pointer: string } {
  const at = ref.indexOf('#');
  return at < 0 ? { file: ref, pointer: '' } : { file: ref.slice(0, at), pointer: ref.slice(at) };
}

const quoteRef = (ref: string) => JSON.stringify(ref.slice(0, 200).toWellFormed());

type Files = ReadonlyMap<string, JsonObject>;

/** The base of relative addresses in a file: its `$self`, else its own address; empty for a text without one. */
function baseOf(document: JsonObject, address: string): string {
  const { $self } = document;
  if (typeof $self !== 'string' || !URL.canParse($self, address || undefined)) return address;
  return splitRef(new URL($self, address || undefined).href).file;
}

/** A file that references stand in. */
interface From {
  /** Its address; empty for a text. */
  address: string;
  /** The base of its relative addresses. */
  base: string;
}

const fromOf = (document: JsonObject, address: string): From => ({ address, base: baseOf(document, address) });

/**
 * The address of the file that a reference leads to. Undefined for one that leads to no file that can be had, unless it is a `$ref`:
 * then throws `SpecProblem`.
 */
function addressOf({ key, address: ref }: Reference, from: From): string | undefined {
  const { file } = splitRef(ref);
  if (file === '') return from.address;
  const url = URL.canParse(file, from.base || undefined) ? new URL(file, from.base || undefined) : undefined;
  if (url?.href === from.base) return from.address;
  const isFound = url !== undefined && from.address !== '' && /^https?:$/.test(url.protocol);
  if (isFound || key !== '$ref') return isFound ? url.href : undefined;
  if (from.address === '')
    throw new SpecProblem(
      `it refers to another file, ${quoteRef(ref)}, which a text cannot: publish it by its URL, or bundle it into one file`,
    );
  throw new SpecProblem(
    `it refers to ${quoteRef(ref)}, which is ${url === undefined ? 'not a valid URL' : 'no http or https URL'}`,
  );
}

/** The addresses of the other files that a file refers to. Throws `SpecProblem`. */
export function filesNamedIn(document: JsonObject, address: string): string[] {
  const from = fromOf(document, address);
  const named = new Set<string>();
  for (const reference of referencesIn(document)) {
    const to = reference.isFollowed ? addressOf(reference, from) : undefined;
    if (to !== undefined && to !== address) named.add(to);
  }
  return [...named];
}

/**
 * Puts the files that an entry refers to, in any number of steps, into it, under `x-ext`, and has all references lead there: each file is
 * there once, so cycles stay what they are. Returns the addresses of files that are not there, and then has changed nothing.
 */
export function bundle(files: Files, entry: string): string[] {
  const document = files.get(entry) as JsonObject;
  const selves = selvesOf(files);
  const found = reach(files, entry, selves);
  const missing = [...found.keys()].filter((address) => !files.has(address));
  if (missing.length > 0) return missing;
  found.delete(entry);
  const places = placesFor(found);
  const held: Record<string, JsonObject> = {};
  for (const [address, file] of files) {
    if (address !== entry && !found.has(address)) continue;
    const from = fromOf(file, address);
    for (const reference of referencesIn(file)) {
      const named = addressOf(reference, from);
      const to = named === undefined ? undefined : (selves.get(named) ?? named);
      const place = to === entry ? '' : to === undefined ? undefined : places.get(to)?.path;
      reference.holder[reference.key] = writeRef(reference, place, from);
    }
  }
  for (const [address, { kind, name }] of places) {
    held[kind] ??= {};
    (held[kind] as JsonObject)[name] = files.get(address);
  }
  if (places.size > 0) document['x-ext'] = held;
  return [];
}

/** How a document of all files names what a reference leads to. `place`: where its file is in it; undefined for a file that is elsewhere. */
function writeRef({ key, address: ref }: Reference, place: string | undefined, { base }: From): string {
  const { file, pointer } = splitRef(ref);
  // Dynamic anchors are looked for in all that is around.
  if (key === '$dynamicRef' && place !== undefined && /^#[^/]/.test(pointer)) return pointer;
  if (place === '') return pointer === '' ? '#' : pointer;
  if (place !== undefined && (pointer === '' || pointer === '#')) return `#/x-ext/${place}`;
  if (place !== undefined && pointer.startsWith('#/')) return `#/x-ext/${place}${pointer.slice(1)}`;
  if (key === '$ref') throw new SpecProblem(`it refers to ${quoteRef(ref)}: only JSON pointers lead into files`);
  // Addresses outside the specification become absolute: they lead to the same place wherever it is read.
  return file !== '' && base !== '' && URL.canParse(ref, base) ? new URL(ref, base).href : ref;
}

/** The addresses of files by what they call themselves. */
function selvesOf(files: Files): Map<string, string> {
  const selves = new Map<string, string>();
  for (const [address, document] of files) {
    const base = baseOf(document, address);
    if (!selves.has(base)) selves.set(base, address);
  }
  return selves;
}

/** Every file that is reached, with whether all references to it stand where schemas do. */
function reach(files: Files, entry: string, selves: ReadonlyMap<string, string>): Map<string, boolean> {
  const found = new Map<string, boolean>([[entry, false]]);
  for (const from of found.keys()) {
    const document = files.get(from);
    if (document === undefined) continue;
    for (const reference of referencesIn(document)) {
      const named = reference.isFollowed ? addressOf(reference, fromOf(document, from)) : undefined;
      if (named === undefined) continue;
      const address = selves.get(named) ?? named;
      found.set(address, reference.inSchema && (found.get(address) ?? true));
    }
  }
  return found;
}

interface Place {
  /** The upgrade to 3.1 recognises schemas by the word `schema` in their path. */
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
