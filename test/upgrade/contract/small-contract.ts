import type { Contract, DeclaredOperation } from './declared.js';
import type { Schema } from './schema.js';

export const text: Schema = { type: 'string' };
export const object = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
});
const kinds = (...members: Schema[]): Schema => ({ oneOf: members });
export const person = object({ kind: { type: 'string', const: 'person' }, name: text });
export const team = object({ kind: { type: 'string', const: 'team' }, title: text });

const sent = () =>
  object(
    {
      title: { type: 'string', minLength: 1, maxLength: 100 },
      level: { type: 'string', enum: ['read', 'edit'] },
      parent: { anyOf: [text, { type: 'null' }] },
      to: kinds(person, team),
      tags: { type: 'array', maxItems: 10, items: text },
    },
    ['title'],
  );
const answered = () =>
  object({ id: text, level: { type: 'string', enum: ['read', 'edit'] }, by: kinds(person, team), icon: text }, [
    'id',
    'level',
    'by',
  ]);
export const operation = (): DeclaredOperation => ({
  method: 'POST',
  path: '/things',
  access: { caller: ['user'], on: 'thing', seenBy: ['admin', 'read'], allowed: ['admin'] },
  installations: 'thing:write',
  query: object({ limit: { type: 'integer', minimum: 0, maximum: 1000 } }, []),
  body: sent(),
  examples: [],
  headers: ['user-agent'],
  status: 201,
  response: answered(),
});

export const declared = (): Contract => ({
  operations: { createThing: operation(), listThings: { ...operation(), method: 'GET' } },
  verbs: {
    'things.find': {
      safe: true,
      takes: object({ ids: text }),
      answers: object({ title: text, icon: text }, ['title']),
    },
    'things.make': { safe: false, takes: object({ id: text }), answers: object({ id: text }) },
  },
  events: { 'things.made': { payload: object({ id: text }), consumers: ['sites'], isHint: false } },
  documents: {
    things: object({ _id: text, state: { type: 'string', enum: ['new', 'done'] }, note: text }, ['_id', 'state']),
  },
  jobs: { tidyJob: object({ thing: text }) },
  shared: {
    Node: {
      $ref: '#/$defs/Node',
      $defs: { Node: object({ title: text, nodes: { type: 'array', items: { $ref: '#/$defs/Node' } } }) },
    },
  },
  collections: { things: { indexes: [{ on: { state: 1 } } as never], retired: [] } },
  tables: { visits: { columns: { id: 'String' }, partitionBy: 'id', orderBy: 'id', shardBy: 'id' } },
  settings: { PORT: { schema: { type: 'integer', maximum: 65535 }, required: false } },
});
