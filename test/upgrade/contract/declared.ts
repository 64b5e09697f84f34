import { z } from 'zod';
import { commentsCollections } from '../../../services/comments/dependencies.js';
import { commentsEvents } from '../../../services/comments/events.js';
import { consumers } from '../../../services/consumers.js';
import { contentCollections } from '../../../services/content/dependencies.js';
import { contentEvents } from '../../../services/content/events.js';
import { operations } from '../../../services/gateway/contracts.js';
import { identityCollections } from '../../../services/identity/dependencies.js';
import { identityEvents } from '../../../services/identity/events.js';
import { insightsCollections } from '../../../services/insights/dependencies.js';
import { eventsTable } from '../../../services/insights/events/model.js';
import { integrationsCollections } from '../../../services/integrations/dependencies.js';
import { integrationsEvents } from '../../../services/integrations/events.js';
import { sitesCollections } from '../../../services/sites/dependencies.js';
import { sitesEvents } from '../../../services/sites/events.js';
import type { Table as EventTable } from '../../../shared/analytics/table.js';
import { auditRecorded } from '../../../shared/contract/audit.js';
import { examplesOf } from '../../../shared/contract/examples.js';
import type { AnyOperation } from '../../../shared/contract/operation.js';
import { configSchema } from '../../../shared/settings/config.js';
import type { Collection, Index } from '../../../shared/store/port.js';
import type { Schema } from './schema.js';
import { type TypedContract, typedContract } from './sources.js';

/** An operation of the HTTP API. */
export interface DeclaredOperation {
  method: string;
  path: string;
  access: unknown;
  /** The scope with which installations of integrations may call it too. */
  installations?: string;
  query: Schema;
  body?: Schema;
  /** Bodies that clients may send. */
  examples: unknown[];
  headers: string[];
  status: number;
  response?: Schema;
  lines?: Schema;
}

/** An event between services. */
export interface DeclaredEvent {
  payload: Schema;
  consumers: readonly string[];
  isHint: boolean;
}

/** A collection of documents; what they are is in `TypedContract.documents`. */
export interface DeclaredCollection {
  indexes: Index<never>[];
  retired: Index<never>[];
}

export interface DeclaredSetting {
  schema: Schema;
  required: boolean;
}

/** Everything that another release meets: clients, processes on the same bus, and the same stores. */
export interface Contract extends TypedContract {
  operations: Record<string, DeclaredOperation>;
  events: Record<string, DeclaredEvent>;
  collections: Record<string, DeclaredCollection>;
  tables: Record<string, Pick<EventTable, 'columns' | 'partitionBy' | 'orderBy' | 'shardBy'>>;
  settings: Record<string, DeclaredSetting>;
}

/** Without texts for people, which may change. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const whole = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const text = JSON.stringify(whole, (key, value) =>
    (key === 'description' || key === 'examples') && (typeof value === 'string' || Array.isArray(value))
      ? undefined
      : value,
  );
  const { $schema: _, ...own } = JSON.parse(text);
  return own as Schema;
}

/** Without what only makes an answer strict: a later release may add fields. */
const open = (schema: Schema): Schema =>
  JSON.parse(
    JSON.stringify(schema, (key, value) => (key === 'additionalProperties' && value === false ? undefined : value)),
  );

function operationOf({
  method,
  path,
  access,
  query,
  body,
  headers,
  status,
  response,
  lines,
}: AnyOperation): DeclaredOperation {
  return {
    method,
    path,
    access: accessOf(access),
    ...(access !== 'public' && access.scope !== undefined ? { installations: access.scope } : {}),
    query: schemaOf(query ?? z.object({}), 'input'),
    ...(body ? { body: schemaOf(body, 'input') } : {}),
    examples: examplesOf(body),
    headers: Object.keys(headers ?? {}),
    status,
    ...(response ? { response: open(schemaOf(response, 'output')) } : {}),
    ...(lines ? { lines: open(schemaOf(lines, 'output')) } : {}),
  };
}

/** What an installation is to its organization when its scopes allow more than to see it. */
const standingOfInstallations = 'specWriter';

/** Who may call, besides installations: with the roles that hold the needed right, in place of its name. */
function accessOf(rule: AnyOperation['access']): unknown {
  if (rule === 'public') return rule;
  const { on, need, scope: _, ...rest } = rule;
  const rolesWith = (right: string) =>
    [...(on?.rights[right] ?? [])]
      .map(String)
      .filter((role) => role !== standingOfInstallations)
      .sort();
  return {
    ...rest,
    caller: rule.caller.filter((kind) => kind !== 'installation').sort(),
    ...(on ? { on: on.name, seenBy: rolesWith('view'), allowed: rolesWith(need ?? 'view') } : {}),
  };
}

const byName = <T, R>(items: readonly T[], nameOf: (item: T) => string, toValue: (item: T) => R): Record<string, R> =>
  Object.fromEntries(
    items.map((item): [string, R] => [nameOf(item), toValue(item)]).sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** What this code declares. */
export function declaredContract(): Contract {
  const events = [
    ...identityEvents,
    ...contentEvents,
    ...commentsEvents,
    ...sitesEvents,
    ...integrationsEvents,
    auditRecorded,
  ];
  const collections = [
    ...identityCollections,
    ...contentCollections,
    ...commentsCollections,
    ...sitesCollections,
    ...insightsCollections,
    ...integrationsCollections,
  ] as Collection<never>[];
  const settings = Object.entries(configSchema.shape) as [string, z.ZodType][];
  const { columns, partitionBy, orderBy, shardBy } = eventsTable;
  const contract: Contract = {
    operations: byName(operations, ({ id }) => id, operationOf),
    events: byName(
      events,
      ({ name }) => name,
      ({ name, payload, isHint = false }) => ({
        payload: schemaOf(payload, 'input'),
        consumers: consumers.get(name) ?? [],
        isHint,
      }),
    ),
    collections: byName(
      collections,
      ({ name }) => name,
      ({ indexes, retired }) => ({ indexes, retired }),
    ),
    tables: { [eventsTable.name]: { columns, partitionBy, orderBy, shardBy } },
    settings: byName(
      settings,
      ([name]) => name,
      ([, schema]) => ({
        schema: schemaOf(schema, 'input'),
        required: !schema.safeParse(undefined).success,
      }),
    ),
    ...typedContract(),
  };
  return JSON.parse(JSON.stringify(contract)) as Contract;
}
