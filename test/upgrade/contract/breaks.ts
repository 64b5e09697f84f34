import type { Contract, DeclaredCollection, DeclaredOperation } from './declared.js';
import type { Schema } from './schema.js';
import { problemsOf } from './takes.js';

/** A difference between two releases, named by its place in the contract. */
export interface Difference {
  at: string;
  /** What an operator, a client or the other release meets. */
  text: string;
}

export interface Comparison {
  /** What one step between the releases would break. */
  breaks: Difference[];
  /** What is new. */
  additions: string[];
}

/** A break that is meant, by its place, with the reason. */
export type Accepted = Readonly<Record<string, string>>;

/** What a part of the contract is called, and what its end means to others. */
type Part = { [K in keyof Contract]: string };
const lost: Part = {
  operations: 'is gone: clients of the last release get 404',
  verbs: 'is gone: services of the last release that call it get 503',
  events: 'is gone: the last release waits for it in vain',
  documents: 'is gone: the last release does not find its documents',
  jobs: 'is gone: jobs that the last release queued are never run',
  shared: 'is gone',
  collections: 'is gone: the last release does not find its documents',
  tables: 'is gone: the last release does not find its events',
  settings: 'is gone: what an operator has set has no effect',
};

/** Compares what two releases declare. */
export function compareContracts(old: Contract, now: Contract): Comparison {
  const parts = Object.keys(lost) as (keyof Contract)[];
  const compared = parts.map((part) => namesOf(part, old, now));
  const breaks = [
    ...compared.flatMap((each) => each.breaks),
    ...eachIn(old.operations, now.operations).flatMap(([name, before, after]) =>
      inOperation(`operations.${name}`, before, after),
    ),
    ...eachIn(old.verbs, now.verbs).flatMap(([name, before, after]) => [
      ...(before.safe && !after.safe
        ? [{ at: `verbs.${name}`, text: 'is no question any more: the last release sends it twice' }]
        : []),
      ...(!before.safe && after.safe
        ? [{ at: `verbs.${name}`, text: 'is a question now: this release sends it twice, also to the last one' }]
        : []),
      ...bothWays(`verbs.${name}.takes`, before.takes, after.takes),
      ...bothWays(`verbs.${name}.answers`, before.answers, after.answers),
    ]),
    ...eachIn(old.events, now.events).flatMap(([name, before, after]) => [
      ...bothWays(`events.${name}`, before.payload, after.payload),
      ...after.consumers
        .filter((consumer) => !before.consumers.includes(consumer))
        .map((consumer) => ({
          at: `events.${name}.${consumer}`,
          text: 'is a new consumer: it misses the events that processes of the last release emit',
        })),
    ]),
    ...(['documents', 'jobs', 'shared'] as const).flatMap((part) =>
      eachIn(old[part], now[part]).flatMap(([name, before, after]) => bothWays(`${part}.${name}`, before, after)),
    ),
    ...eachIn(old.collections, now.collections).flatMap(([name, before, after]) =>
      inCollection(`collections.${name}`, before, after),
    ),
    ...eachIn(old.tables, now.tables).flatMap(([name, before, after]) => inTable(`tables.${name}`, before, after)),
    ...eachIn(old.settings, now.settings).flatMap(([name, before, after]) => [
      ...(after.required && !before.required
        ? [{ at: `settings.${name}`, text: 'is needed now: the environment of the last release does not start' }]
        : []),
      ...readBy(`settings.${name}`, before.schema, after.schema).map(({ at, text }) => ({
        at,
        text: `${text} in the environment of the last release`,
      })),
    ]),
    ...Object.entries(now.settings).flatMap(([name, { required }]) =>
      required && !Object.hasOwn(old.settings, name)
        ? [{ at: `settings.${name}`, text: 'is new and needed: the environment of the last release does not start' }]
        : [],
    ),
  ];
  return {
    breaks: unique(breaks),
    additions: [...compared.flatMap((each) => each.additions), ...newFields(old, now)],
  };
}

/** The breaks that nobody accepted, and acceptances that accept nothing. */
export function withoutAccepted(breaks: Difference[], accepted: Accepted): { breaks: Difference[]; idle: string[] } {
  const places = new Set(breaks.map(({ at }) => at));
  return {
    breaks: breaks.filter(({ at }) => !Object.hasOwn(accepted, at)),
    idle: Object.keys(accepted).filter((at) => !places.has(at)),
  };
}

function namesOf(part: keyof Contract, old: Contract, now: Contract): Comparison {
  const gone = Object.keys(old[part]).filter((name) => !Object.hasOwn(now[part], name));
  const added = Object.keys(now[part]).filter((name) => !Object.hasOwn(old[part], name));
  return {
    breaks: gone.map((name) => ({ at: `${part}.${name}`, text: lost[part] })),
    additions: added.map((name) => `${part}.${name}`),
  };
}

const eachIn = <T>(old: Record<string, T>, now: Record<string, T>): [string, T, T][] =>
  Object.entries(old).flatMap(([name, before]): [string, T, T][] =>
    now[name] === undefined ? [] : [[name, before, now[name]]],
  );

function inOperation(at: string, old: DeclaredOperation, now: DeclaredOperation): Difference[] {
  const scope = old.installations ? (['installations'] as const) : [];
  const changed = (['method', 'path', 'status', 'access', ...scope] as const)
    .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(now[field]))
    .map((field) => ({
      at: `${at}.${field}`,
      text: `was ${JSON.stringify(old[field])}, and is ${JSON.stringify(now[field])}`,
    }));
  const headers = old.headers
    .filter((name) => !now.headers.includes(name))
    .map((name) => ({ at: `${at}.headers.${name}`, text: 'is not read any more' }));
  return [
    ...changed,
    ...headers,
    ...request(`${at}.query`, old.query, now.query),
    ...request(`${at}.body`, old.body, now.body),
    ...answer(`${at}.response`, old.response, now.response),
    ...answer(`${at}.lines`, old.lines, now.lines),
  ];
}

/** Requests of clients of the last release. */
function request(at: string, old?: Schema, now?: Schema): Difference[] {
  if (!old && now) {
    const optional = problemsOf({}, now).length === 0;
    return optional ? [] : [{ at, text: 'is needed now: clients of the last release send none' }];
  }
  if (!old) return [];
  if (!now) return [{ at, text: 'is not read any more' }];
  return [
    ...problemsOf(old, now).map((each) => ({
      at: at + each.at,
      text: `${each.problem}: requests that the last release took are answered with 400`,
    })),
    ...goneFrom(old, now).map((field) => ({
      at: at + field,
      text: 'is gone: what clients of the last release send is ignored',
    })),
  ];
}

/** Answers to clients of the last release. */
function answer(at: string, old?: Schema, now?: Schema): Difference[] {
  if (!old) return [];
  if (!now) return [{ at, text: 'is gone: clients of the last release get no answer' }];
  return [
    ...problemsOf(now, old).map((each) => ({
      at: at + each.at,
      text: `${each.problem} by clients of the last release`,
    })),
    ...goneFrom(old, now).map((field) => ({ at: at + field, text: 'is gone: clients of the last release miss it' })),
  ];
}

/** What either release may write and the other read: on the bus, and in the stores. */
const bothWays = (at: string, old: Schema, now: Schema): Difference[] => [
  ...readBy(at, old, now).map(({ at: place, text }) => ({
    at: place,
    text: `${text} by this release, in what the last one wrote`,
  })),
  ...readBy(at, now, old).map(({ at: place, text }) => ({
    at: place,
    text: `${text} by the last release, in what this one wrote`,
  })),
];

const readBy = (at: string, writer: Schema, reader: Schema): Difference[] =>
  problemsOf(writer, reader).map((each) => ({ at: at + each.at, text: each.problem }));

function inCollection(at: string, old: DeclaredCollection, now: DeclaredCollection): Difference[] {
  const known = new Set(old.indexes.map((index) => JSON.stringify(index)));
  const added = now.indexes.filter((index) => !known.has(JSON.stringify(index)));
  const retired = new Set(now.retired.map((index) => JSON.stringify(index)));
  return [
    ...added.flatMap((index) => {
      const text = tooEarly(index);
      return text ? [{ at: `${at}.${JSON.stringify(index)}`, text }] : [];
    }),
    ...old.indexes
      .filter((index) => retired.has(JSON.stringify(index)))
      .map((index) => ({
        at: `${at}.${JSON.stringify(index)}`,
        text: 'is retired while the last release still asks for it by name: retire it one release later',
      })),
  ];
}

/** What an index that the last release does not know does to it. */
function tooEarly(index: DeclaredCollection['indexes'][number]): string | undefined {
  if (index.kind === 'contains')
    return 'does not hold what the last release writes beside this one: documents would not be found';
  if ('unique' in index && index.unique) return 'is a new unique index, which documents of the last release may break';
  return undefined;
}

type Table = Contract['tables'][string];

function inTable(at: string, old: Table, now: Table): Difference[] {
  const columns = Object.entries(old.columns).flatMap(([name, type]) =>
    now.columns[name] === type
      ? []
      : [{ at: `${at}.${name}`, text: `was ${type}, and is ${now.columns[name] ?? 'gone'}: columns are only added` }],
  );
  const order = (['partitionBy', 'orderBy', 'shardBy'] as const)
    .filter((field) => old[field] !== now[field])
    .map((field) => ({ at: `${at}.${field}`, text: 'changed, which a table that exists does not follow' }));
  return [...columns, ...order];
}

const unique = (differences: Difference[]): Difference[] => [
  ...new Map(differences.map((each) => [`${each.at} ${each.text}`, each])).values(),
];

/** The places of all named fields in a schema and its definitions. */
function fieldsIn(schema: Schema, at = ''): string[] {
  const { properties = {}, $defs = {} } = schema;
  const parts = [
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
    ...(schema.prefixItems ?? []),
  ];
  const rest = typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [`${at}.${name}`, ...fieldsIn(field, `${at}.${name}`)]),
    // Of a schema that is one of its definitions, the name of that says nothing.
    ...Object.entries($defs).flatMap(([name, type]) =>
      fieldsIn(type, schema.$ref === `#/$defs/${name}` ? at : `(${name})`),
    ),
    ...(schema.items ? fieldsIn(schema.items, `${at}[]`) : []),
    ...parts.flatMap((part) => fieldsIn(part, at)),
    ...rest.flatMap((part) => fieldsIn(part, `${at}.*`)),
  ];
}

const goneFrom = (old: Schema, now: Schema): string[] => {
  const there = new Set(fieldsIn(now));
  return [...new Set(fieldsIn(old))].filter((field) => !there.has(field));
};

/** The fields that this release added to what the last one had. */
function newFields(old: Contract, now: Contract): string[] {
  const added = (at: string, before: Schema = {}, after: Schema = {}) =>
    goneFrom(after, before).map((field) => at + field);
  return [
    ...eachIn(old.operations, now.operations).flatMap(([name, before, after]) =>
      (['query', 'body', 'response', 'lines'] as const).flatMap((part) =>
        added(`operations.${name}.${part}`, before[part], after[part]),
      ),
    ),
    ...eachIn(old.verbs, now.verbs).flatMap(([name, before, after]) =>
      (['takes', 'answers'] as const).flatMap((part) => added(`verbs.${name}.${part}`, before[part], after[part])),
    ),
    ...eachIn(old.events, now.events).flatMap(([name, before, after]) =>
      added(`events.${name}`, before.payload, after.payload),
    ),
    ...(['documents', 'jobs', 'shared'] as const).flatMap((part) =>
      eachIn(old[part], now[part]).flatMap(([name, before, after]) => added(`${part}.${name}`, before, after)),
    ),
    ...eachIn(old.tables, now.tables).flatMap(([name, before, after]) =>
      Object.keys(after.columns)
        .filter((column) => !Object.hasOwn(before.columns, column))
        .map((column) => `tables.${name}.${column}`),
    ),
  ];
}
