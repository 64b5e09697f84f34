import { alternativesOf, type Rooted, type Schema } from './schema.js';

/** What a reader does not take of what a writer may write: where, and why. */
export interface Problem {
  at: string;
  problem: string;
}

interface Side {
  value: Schema;
  root: Schema;
}

/** Bounds, each with what makes that of the reader too tight. */
const lower = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems'] as const;
const upper = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems'] as const;

/** JSON has no larger number that is exact: as a bound, it is none. */
const boundless = Number.MAX_SAFE_INTEGER;

/** Finds what a reader does not take of what a writer may write. Fields that the reader does not know are no problem, unless it refuses them. */
export function problemsOf(writer: Schema, reader: Schema): Problem[] {
  return new Comparison().between({ schema: writer, root: writer }, { schema: reader, root: reader }, '');
}

class Comparison {
  /** Pairs that are being compared: types that hold themselves come back to them. */
  private readonly open = new Map<Schema, Set<Schema>>();

  between(writer: Rooted, reader: Rooted, at: string): Problem[] {
    const known = this.open.get(writer.schema);
    if (known?.has(reader.schema)) return [];
    this.open.set(writer.schema, (known ?? new Set()).add(reader.schema));
    const readers = alternativesOf(reader);
    try {
      return alternativesOf(writer).flatMap((value) =>
        this.alternative({ value, root: writer.root }, { readers, root: reader.root }, at),
      );
    } finally {
      this.open.get(writer.schema)?.delete(reader.schema);
    }
  }

  /** The problems with the kind of value of the reader that comes closest. */
  private alternative(writer: Side, { readers, root }: { readers: Schema[]; root: Schema }, at: string): Problem[] {
    let closest: { problems: Problem[]; distance: number } | undefined;
    for (const value of readers) {
      const problems = this.kinds(writer, { value, root }, at);
      if (problems.length === 0) return [];
      const distance = problems.length + (isOfOtherKind(writer.value, value) ? 1000 : 0);
      if (!closest || distance < closest.distance) closest = { problems, distance };
    }
    if (closest && closest.distance < 1000) return closest.problems;
    return [{ at, problem: `${shown(writer.value)} is not taken; ${readers.map(shown).join(' or ')} is` }];
  }

  private kinds(writer: Side, reader: Side, at: string): Problem[] {
    const [written, read] = [writer.value, reader.value];
    if (isAnything(read)) return [];
    const values = valuesOf(written, read);
    if (values) return values.map((problem) => ({ at, problem }));
    if (typeOf(written) !== typeOf(read) && !(typeOf(written) === 'integer' && typeOf(read) === 'number'))
      return [{ at, problem: `${shown(written)} is not taken; ${shown(read)} is` }];
    return [
      ...tightened(written, read).map((problem) => ({ at, problem })),
      ...this.fields(writer, reader, at),
      ...this.items(writer, reader, at),
    ];
  }

  private fields(writer: Side, reader: Side, at: string): Problem[] {
    const [written, read] = [writer.value, reader.value];
    const always = new Set(written.required);
    const missing = (read.required ?? [])
      .filter((name) => !always.has(name))
      .map((name) => ({ at: `${at}.${name}`, problem: 'is needed, and may be missing' }));
    const known = read.properties ?? {};
    const others = read.additionalProperties;
    const problems = Object.entries(written.properties ?? {}).flatMap(([name, schema]) => {
      const place = `${at}.${name}`;
      const taken = Object.hasOwn(known, name) ? known[name] : typeof others === 'object' ? others : undefined;
      if (taken) return this.between({ schema, root: writer.root }, { schema: taken, root: reader.root }, place);
      return others === false ? [{ at: place, problem: 'is refused as an unknown field' }] : [];
    });
    const rest = written.additionalProperties;
    const ofRest =
      typeof rest === 'object' && typeof others === 'object'
        ? this.between({ schema: rest, root: writer.root }, { schema: others, root: reader.root }, `${at}.*`)
        : [];
    return [...missing, ...problems, ...ofRest];
  }

  private items(writer: Side, reader: Side, at: string): Problem[] {
    const pairs = (writer.value.prefixItems ?? []).map((schema, n) => [
      schema,
      reader.value.prefixItems?.[n] ?? reader.value.items,
    ]);
    return [...pairs, [writer.value.items, reader.value.items ?? reader.value.prefixItems?.at(-1)]].flatMap(
      ([schema, taken]) =>
        schema && taken
          ? this.between({ schema, root: writer.root }, { schema: taken, root: reader.root }, `${at}[]`)
          : [],
    );
  }
}

const typeOf = ({ type, properties, enum: values }: Schema): string | undefined => {
  if (typeof type === 'string') return type;
  if (properties) return 'object';
  return values?.length ? (values[0] === null ? 'null' : typeof values[0]) : undefined;
};

const isAnything = (schema: Schema) => typeOf(schema) === undefined;

/** What is wrong with the values of the writer, where the reader takes only some; undefined where the types decide. */
function valuesOf(written: Schema, read: Schema): string[] | undefined {
  if (!read.enum) return undefined;
  if (!written.enum) return [`${shown(written)} is not taken; ${shown(read)} is`];
  const taken = new Set(read.enum);
  return written.enum.filter((value) => !taken.has(value)).map((value) => `${JSON.stringify(value)} is not taken`);
}

function tightened(written: Schema, read: Schema): string[] {
  const low = lower.filter(
    (bound) =>
      (read[bound] ?? -boundless) > Math.max(written[bound] ?? -boundless, /^min[LI]/.test(bound) ? 0 : -boundless),
  );
  const high = upper.filter((bound) => (read[bound] ?? boundless) < (written[bound] ?? boundless));
  const bounds = [...low, ...high].map((bound) => `${bound} is ${read[bound]}, and was ${written[bound] ?? 'none'}`);
  const forms = (['format', 'pattern'] as const)
    .filter((form) => read[form] !== undefined && read[form] !== written[form])
    .map((form) => `${form} is ${read[form]}, and was ${written[form] ?? 'none'}`);
  return [...bounds, ...forms];
}

/** Objects of one union are told apart by fields with one value. */
function isOfOtherKind(written: Schema, read: Schema): boolean {
  if (typeOf(written) !== typeOf(read)) return true;
  return Object.entries(read.properties ?? {}).some(([name, { const: value }]) => {
    const own = written.properties?.[name]?.const;
    return value !== undefined && own !== undefined && own !== value;
  });
}

function shown(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  const names = Object.entries(schema.properties ?? {}).flatMap(([name, { const: value }]) =>
    value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`],
  );
  return names.length > 0 ? `{${names.join(', ')}}` : (typeOf(schema) ?? 'any value');
}
