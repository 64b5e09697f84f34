import type { SpecPage } from './spec-page.js';
import { isSpecObject, ownValue, type SpecObject, specEntries, specList, specText } from './spec-values.js';

/** An operation, a webhook or a callback, with what its path item gives it. */
export interface Operation {
  /** In lower case, but for methods that OpenAPI does not know. */
  method: string;
  /** The path, or the name of a webhook. */
  path: string;
  kind: 'operation' | 'webhook' | 'callback';
  own: SpecObject;
  parameters: SpecObject[];
  servers: string[];
  security: unknown[];
}

const maxParameters = 1000;
const maxServers = 20;

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The entry of a name as blocks write it: on one line. */
function namedEntry(items: unknown, name: string): unknown {
  const exact = ownValue(items, name);
  if (exact !== undefined || !isSpecObject(items)) return exact;
  for (const key in items) if (/\s/.test(key) && oneLine(key) === oneLine(name)) return ownValue(items, key);
  return undefined;
}

export function operationAt(page: SpecPage, path: string, method: string): Operation | undefined {
  const item = page.references.object(namedEntry(page.document.paths, path));
  return operationOf(page, item, { kind: 'operation', path, method });
}

export function webhookAt(page: SpecPage, name: string, method: string): Operation | undefined {
  const items = page.document.webhooks ?? page.document['x-webhooks'];
  return operationOf(page, page.references.object(namedEntry(items, name)), { kind: 'webhook', path: name, method });
}

type Address = Pick<Operation, 'kind' | 'path' | 'method'>;

export function operationOf(page: SpecPage, item: SpecObject | undefined, address: Address): Operation | undefined {
  const { method, kind } = address;
  const own = page.references.object(
    ownValue(item, method.toLowerCase()) ??
      ownValue(item?.additionalOperations, method) ??
      ownValue(item?.additionalOperations, method.toUpperCase()),
  );
  if (!item || !own || !/^[\w-]{1,40}$/.test(method)) return undefined;
  return {
    ...address,
    own,
    parameters: parametersOf(page, item, own),
    servers: kind === 'operation' ? serversOf(own.servers ?? item.servers ?? page.document.servers) : [],
    security: specList(own.security ?? (kind === 'operation' ? page.document.security : undefined), 20),
  };
}

/** The parameters of an operation replace those of its path item with the same name and place. */
function parametersOf(page: SpecPage, item: SpecObject, own: SpecObject): SpecObject[] {
  const found = new Map<string, SpecObject>();
  for (const part of [...specList(item.parameters, maxParameters), ...specList(own.parameters, maxParameters)]) {
    const parameter = page.references.object(part);
    if (parameter) found.set(`${specText(parameter.in)} ${specText(parameter.name)}`, parameter);
  }
  return [...found.values()];
}

/** The addresses of servers, with the defaults of their variables. */
function serversOf(servers: unknown): string[] {
  return specList(servers, maxServers).flatMap((server) => {
    const url = specText(ownValue(server, 'url')).replace(/\{([^{}]{1,100})\}/g, (written, name: string) => {
      const value = ownValue(ownValue(ownValue(server, 'variables'), name), 'default');
      return typeof value === 'string' ? specText(value, 200) : written;
    });
    return url === '' ? [] : [url.replace(/\/+$/, '')];
  });
}

/** The security schemes by which a request may be authorized: one of the lists, each as a whole. */
export function authorizationsOf(page: SpecPage, { security }: Operation): Authorization[][] {
  const schemes = isSpecObject(page.document.components) ? page.document.components.securitySchemes : undefined;
  return security.map((alternative) =>
    specEntries(alternative, 10).map(([name, scopes]) => ({
      name: specText(name, 100),
      scheme: page.references.object(ownValue(schemes, name)) ?? {},
      scopes: specList(scopes, 50).map((scope) => specText(scope, 200)),
    })),
  );
}

export interface Authorization {
  name: string;
  scheme: SpecObject;
  scopes: string[];
}
