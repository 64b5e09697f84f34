import { compareContracts, withoutAccepted } from './breaks.js';
import type { Schema } from './schema.js';
import { declared, object, operation, person, team, text } from './small-contract.js';

/** A copy that shares no schema. */
const contract = () => structuredClone(declared());

/** What a release that differs so breaks and adds. */
function after(change: (now: any) => void) {
  const now = contract();
  change(now);
  return compareContracts(contract(), now);
}

type Case = [what: string, change: (now: any) => void, at: string];
const create = (now: any) => now.operations.createThing;
const body = (now: any) => create(now).body;
const response = (now: any) => create(now).response;

const breaking: Case[] = [
  ['an operation that is gone', (now) => delete now.operations.createThing, 'operations.createThing'],
  ['another method', (now) => Object.assign(create(now), { method: 'PUT' }), 'operations.createThing.method'],
  ['another path', (now) => Object.assign(create(now), { path: '/thing' }), 'operations.createThing.path'],
  ['another status', (now) => Object.assign(create(now), { status: 200 }), 'operations.createThing.status'],
  [
    'access for fewer',
    (now) => Object.assign(create(now).access, { seenBy: ['admin'] }),
    'operations.createThing.access',
  ],
  [
    'access for more',
    (now) => Object.assign(create(now).access, { allowed: ['admin', 'read'] }),
    'operations.createThing.access',
  ],
  ['access for all', (now) => Object.assign(create(now), { access: 'public' }), 'operations.createThing.access'],
  [
    'another scope for installations',
    (now) => Object.assign(create(now), { installations: 'thing:admin' }),
    'operations.createThing.installations',
  ],
  [
    'a header that is not read any more',
    (now) => Object.assign(create(now), { headers: [] }),
    'operations.createThing.headers.user-agent',
  ],
  [
    'a tighter query',
    (now) => Object.assign(create(now).query.properties.limit, { maximum: 100 }),
    'operations.createThing.query.limit',
  ],
  [
    'a new required parameter',
    (now) => Object.assign(create(now), { query: object({ limit: text }) }),
    'operations.createThing.query.limit',
  ],
  ['a body that is not read any more', (now) => delete create(now).body, 'operations.createThing.body'],
  ['a new required field', (now) => body(now).required.push('level'), 'operations.createThing.body.level'],
  [
    'a field that is not read any more',
    (now) => delete body(now).properties.level,
    'operations.createThing.body.level',
  ],
  [
    'a body that refuses a field',
    (now) => {
      delete body(now).properties.level;
      body(now).additionalProperties = false;
    },
    'operations.createThing.body.level',
  ],
  [
    'a value that is not taken any more',
    (now) => body(now).properties.level.enum.pop(),
    'operations.createThing.body.level',
  ],
  [
    'a shorter text',
    (now) => Object.assign(body(now).properties.title, { maxLength: 50 }),
    'operations.createThing.body.title',
  ],
  [
    'a text that may not be empty',
    (now) => Object.assign(body(now).properties.title, { minLength: 2 }),
    'operations.createThing.body.title',
  ],
  [
    'a pattern',
    (now) => Object.assign(body(now).properties.title, { pattern: '^a' }),
    'operations.createThing.body.title',
  ],
  [
    'a text of a form',
    (now) => Object.assign(body(now).properties.parent.anyOf[0], { format: 'uri' }),
    'operations.createThing.body.parent',
  ],
  [
    'null that is not taken any more',
    (now) => body(now).properties.parent.anyOf.pop(),
    'operations.createThing.body.parent',
  ],
  [
    'fewer items',
    (now) => Object.assign(body(now).properties.tags, { maxItems: 5 }),
    'operations.createThing.body.tags',
  ],
  [
    'items of another type',
    (now) => Object.assign(body(now).properties.tags, { items: { type: 'number' } }),
    'operations.createThing.body.tags[]',
  ],
  [
    'an alternative that is not taken any more',
    (now) => body(now).properties.to.oneOf.pop(),
    'operations.createThing.body.to',
  ],
  [
    'an alternative that needs more',
    (now) => body(now).properties.to.oneOf.splice(1, 1, { ...team, required: ['kind', 'title', 'size'] }),
    'operations.createThing.body.to.size',
  ],
  ['an answer that is gone', (now) => delete create(now).response, 'operations.createThing.response'],
  [
    'an answer without a field',
    (now) => {
      delete response(now).properties.id;
      response(now).required.shift();
    },
    'operations.createThing.response.id',
  ],
  [
    'an answer without an optional field',
    (now) => delete response(now).properties.icon,
    'operations.createThing.response.icon',
  ],
  ['a field that an answer may lack', (now) => response(now).required.pop(), 'operations.createThing.response.by'],
  [
    'a field that may be null',
    (now) => Object.assign(response(now).properties, { icon: { anyOf: [text, { type: 'null' }] } }),
    'operations.createThing.response.icon',
  ],
  [
    'a field of another type',
    (now) => Object.assign(response(now).properties, { id: { type: 'number' } }),
    'operations.createThing.response.id',
  ],
  [
    'a new value in an answer',
    (now) => response(now).properties.level.enum.push('own'),
    'operations.createThing.response.level',
  ],
  [
    'a value that may be any',
    (now) => Object.assign(response(now).properties, { level: text }),
    'operations.createThing.response.level',
  ],
  [
    'a new alternative in an answer',
    (now) => response(now).properties.by.oneOf.push(object({ kind: { const: 'robot' } })),
    'operations.createThing.response.by',
  ],
  [
    'an alternative without a field',
    (now) => response(now).properties.by.oneOf.splice(0, 1, object({ kind: person.properties?.kind as Schema })),
    'operations.createThing.response.by.name',
  ],
  ['a verb that is gone', (now) => delete now.verbs['things.find'], 'verbs.things.find'],
  ['a question that writes', (now) => Object.assign(now.verbs['things.find'], { safe: false }), 'verbs.things.find'],
  ['a verb that is a question', (now) => Object.assign(now.verbs['things.make'], { safe: true }), 'verbs.things.make'],
  [
    'a verb that needs more',
    (now) => Object.assign(now.verbs['things.find'], { takes: object({ ids: text, role: text }) }),
    'verbs.things.find.takes.role',
  ],
  [
    'a verb that need not be told what the last release needs',
    (now) => now.verbs['things.find'].takes.required.pop(),
    'verbs.things.find.takes.ids',
  ],
  [
    'an answer of a verb that the last release does not give',
    (now) => now.verbs['things.find'].answers.required.push('icon'),
    'verbs.things.find.answers.icon',
  ],
  ['an event that is gone', (now) => delete now.events['things.made'], 'events.things.made'],
  [
    'an event with a new required field',
    (now) => Object.assign(now.events['things.made'], { payload: object({ id: text, by: text }) }),
    'events.things.made.by',
  ],
  [
    'a new consumer of an event',
    (now) => now.events['things.made'].consumers.push('comments'),
    'events.things.made.comments',
  ],
  [
    'a document with a new required field',
    (now) => {
      now.documents.things.properties.by = text;
      now.documents.things.required.push('by');
    },
    'documents.things.by',
  ],
  ['a document that may lack a field', (now) => now.documents.things.required.pop(), 'documents.things.state'],
  [
    'a document in a new state',
    (now) => now.documents.things.properties.state.enum.push('gone'),
    'documents.things.state',
  ],
  [
    'a document that is never in a former state',
    (now) => now.documents.things.properties.state.enum.pop(),
    'documents.things.state',
  ],
  ['a collection that is gone', (now) => delete now.collections.things, 'collections.things'],
  [
    'a new unique index',
    (now) => now.collections.things.indexes.push({ on: { note: 1 }, unique: true }),
    'collections.things.{"on":{"note":1},"unique":true}',
  ],
  [
    'a new index of texts',
    (now) => now.collections.things.indexes.push({ kind: 'contains', fields: ['note'] }),
    'collections.things.{"kind":"contains","fields":["note"]}',
  ],
  [
    'an index that is retired at once',
    (now) => Object.assign(now.collections.things, { indexes: [], retired: [{ on: { state: 1 } }] }),
    'collections.things.{"on":{"state":1}}',
  ],
  ['a job that is not run any more', (now) => delete now.jobs.tidyJob, 'jobs.tidyJob'],
  [
    'a type that holds itself, with a new field',
    (now) => now.shared.Node.$defs.Node.required.push('level'),
    'shared.Node.level',
  ],
  ['a column that is gone', (now) => delete now.tables.visits.columns.id, 'tables.visits.id'],
  ['a column of another type', (now) => Object.assign(now.tables.visits.columns, { id: 'UInt64' }), 'tables.visits.id'],
  ['another order of a table', (now) => Object.assign(now.tables.visits, { orderBy: 'page' }), 'tables.visits.orderBy'],
  ['a setting that is gone', (now) => delete now.settings.PORT, 'settings.PORT'],
  ['a setting that is needed', (now) => Object.assign(now.settings.PORT, { required: true }), 'settings.PORT'],
  [
    'a new setting that is needed',
    (now) => Object.assign(now.settings, { KEY: { schema: text, required: true } }),
    'settings.KEY',
  ],
  ['a setting that takes less', (now) => Object.assign(now.settings.PORT.schema, { maximum: 100 }), 'settings.PORT'],
];

it.each(breaking)('%s breaks', (_, change, at) => {
  expect(after(change).breaks.map((each) => each.at)).toContain(at);
});

const harmless: Case[] = [
  ['a new operation', (now) => Object.assign(now.operations, { getThing: operation() }), 'operations.getThing'],
  [
    'a new optional field of a body',
    (now) => Object.assign(body(now).properties, { icon: text }),
    'operations.createThing.body.icon',
  ],
  [
    'a new field of an answer',
    (now) => {
      response(now).properties.size = text;
      response(now).required.push('size');
    },
    'operations.createThing.response.size',
  ],
  [
    'a new optional field of a document',
    (now) => Object.assign(now.documents.things.properties, { by: text }),
    'documents.things.by',
  ],
  [
    'a new optional field of a verb',
    (now) => Object.assign(now.verbs['things.find'].takes.properties, { role: text }),
    'verbs.things.find.takes.role',
  ],
  ['a new verb', (now) => Object.assign(now.verbs, { 'things.count': now.verbs['things.find'] }), 'verbs.things.count'],
  [
    'a new event',
    (now) => Object.assign(now.events, { 'things.gone': now.events['things.made'] }),
    'events.things.gone',
  ],
  ['a new column', (now) => Object.assign(now.tables.visits.columns, { page: 'String' }), 'tables.visits.page'],
  ['a new setting', (now) => Object.assign(now.settings, { KEY: { schema: text, required: false } }), 'settings.KEY'],
];

it.each(harmless)('%s is an addition', (_, change, at) => {
  expect(after(change)).toEqual({ breaks: [], additions: [at] });
});

it.each<[string, (now: any) => void]>([
  ['nothing at all', () => {}],
  ['a longer text in a request', (now) => Object.assign(body(now).properties.title, { maxLength: 200 })],
  ['a new value in a request', (now) => body(now).properties.level.enum.push('own')],
  ['a request that needs less', (now) => body(now).required.pop()],
  ['an answer with fewer values', (now) => response(now).properties.level.enum.pop()],
  ['an answer that always has a field', (now) => response(now).required.push('icon')],
  ['alternatives in another order', (now) => body(now).properties.to.oneOf.reverse()],
  ['an index that is not declared any more', (now) => Object.assign(now.collections.things, { indexes: [] })],
  ['a new index', (now) => now.collections.things.indexes.push({ on: { note: 1 } })],
  ['a setting that takes more', (now) => delete now.settings.PORT.schema.maximum],
])('%s is no difference', (_, change) => {
  expect(after(change)).toEqual({ breaks: [], additions: [] });
});

it('an accepted break is none, and an acceptance of nothing is told', () => {
  const { breaks } = after((now) => delete now.jobs.tidyJob);
  const accepted = { 'jobs.tidyJob': 'nobody queues it', 'jobs.otherJob': 'gone' };
  expect(withoutAccepted(breaks, accepted)).toEqual({ breaks: [], idle: ['jobs.otherJob'] });
});
