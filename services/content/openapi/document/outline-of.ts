import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import type { OutlinedOperation, OutlinedTag, OutlinedWebhook, SpecOutline } from './outline.js';
import { isObject, type JsonObject } from './plain-json.js';
import { SpecProblem } from './spec-problem.js';

const methods = new Set('get put post delete options head patch trace query'.split(' '));

/** Characters. */
const maxNameLength = 500;
const maxSummaryLength = 1000;
const maxDescriptionLength = 5000;
const maxPathLength = 2000;
/** Limit of each list; the largest specification that is known has 16,000 operations. */
const maxItems = 50_000;
const maxTags = 5000;

const textOf = (value: unknown, maxLength: number): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, maxLength).toWellFormed() : undefined;

/** The outline of a specification of OpenAPI 3.1 or 3.2, whose path items hold no references. Throws `SpecProblem`. */
export function specOutlineOf(document: JsonObject): SpecOutline {
  const info = isObject(document.info) ? document.info : {};
  const operations = operationsOf(document.paths);
  const webhooks = webhooksOf(document.webhooks);
  const schemas = isObject(document.components) ? namesOf(document.components.schemas) : [];
  const tags = tagsOf(document.tags, [...operations, ...webhooks]);
  for (const [name, list, max] of [
    ['operations', operations, maxItems],
    ['webhooks', webhooks, maxItems],
    ['schemas', schemas, maxItems],
    ['tags', tags, maxTags],
  ] as const)
    if (list.length > max) throw new SpecProblem(`it has more than ${max.toLocaleString('en')} ${name}`);
  return omitUndefined<SpecOutline>({
    title: textOf(info.title, maxNameLength) ?? 'API',
    version: textOf(info.version, maxNameLength),
    description: textOf(info.description, maxDescriptionLength),
    tags,
    operations,
    webhooks,
    schemas,
  });
}

const namesOf = (map: unknown): string[] =>
  isObject(map) ? Object.keys(map).filter((name) => name.length <= maxNameLength) : [];

const isHidden = (value: JsonObject) => value['x-internal'] === true || value['x-gitbook-ignore'] === true;

/** The operations of a path item, or of a webhook, that are not hidden, in their order. */
function* methodsOf(item: unknown): Generator<{ method: string; operation: JsonObject }> {
  if (!isObject(item) || isHidden(item)) return;
  const isShown = (operation: unknown): operation is JsonObject => isObject(operation) && !isHidden(operation);
  for (const [key, operation] of Object.entries(item))
    if (methods.has(key) && isShown(operation)) yield { method: key, operation };
  const { additionalOperations: others } = item;
  for (const [key, operation] of Object.entries(isObject(others) ? others : {}))
    if (isMethod(key) && isShown(operation)) yield { method: key, operation };
}

/** Another method than those of OpenAPI, as HTTP writes it. */
const isMethod = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]{1,50}$/.test(name) && !methods.has(name.toLowerCase());

function operationsOf(paths: unknown): OutlinedOperation[] {
  if (!isObject(paths)) return [];
  return Object.entries(paths).flatMap(([path, item]) => {
    if (!path.startsWith('/') || path.length > maxPathLength) return [];
    return Array.from(methodsOf(item), ({ method, operation }) =>
      omitUndefined<OutlinedOperation>({
        path,
        method,
        summary: textOf(operation.summary, maxSummaryLength),
        operationId: textOf(operation.operationId, maxNameLength),
        deprecated: operation.deprecated === true ? true : undefined,
        tags: tagNames(operation),
      }),
    );
  });
}

function webhooksOf(webhooks: unknown): OutlinedWebhook[] {
  if (!isObject(webhooks)) return [];
  return Object.entries(webhooks).flatMap(([name, item]) => {
    if (name.length > maxNameLength) return [];
    return Array.from(methodsOf(item), ({ method, operation }) =>
      omitUndefined<OutlinedWebhook>({
        name,
        method,
        summary: textOf(operation.summary, maxSummaryLength),
        tags: tagNames(operation),
      }),
    );
  });
}

const isTagName = (name: unknown): name is string =>
  typeof name === 'string' && name !== '' && name.length <= maxNameLength;

/** Tags of one operation; others are left out. */
const maxOfOperation = 50;

const tagNames = ({ tags }: JsonObject): string[] =>
  Array.isArray(tags) ? [...new Set(tags.filter(isTagName))].slice(0, maxOfOperation) : [];

function tagsOf(declared: unknown, tagged: { tags: string[] }[]): OutlinedTag[] {
  const found = new Map<string, OutlinedTag>();
  for (const tag of Array.isArray(declared) ? declared : [])
    if (isObject(tag) && isTagName(tag.name) && !found.has(tag.name)) found.set(tag.name, declaredTag(tag, tag.name));
  for (const { tags } of tagged) for (const name of tags) if (!found.has(name)) found.set(name, { name });
  for (const tag of found.values()) if (!hasParent(tag, found)) delete tag.parent;
  return [...found.values()];
}

const declaredTag = (tag: JsonObject, name: string): OutlinedTag =>
  omitUndefined<OutlinedTag>({
    name,
    title: textOf(tag['x-page-title'] ?? tag['x-displayName'] ?? tag.summary, maxNameLength),
    description: textOf(tag['x-page-description'] ?? tag.description, maxDescriptionLength),
    icon: textOf(tag['x-page-icon'], maxNameLength),
    parent: textOf(tag['x-parent'] ?? tag.parent, maxNameLength),
  });

/** Whether the parent of a tag is a tag, and not one below it. */
function hasParent({ name, parent }: OutlinedTag, tags: ReadonlyMap<string, OutlinedTag>): boolean {
  const above = new Set<string>();
  for (let next = parent; next !== undefined; next = tags.get(next)?.parent) {
    if (!tags.has(next) || next === name) return false;
    if (above.has(next)) break;
    above.add(next);
  }
  return parent !== undefined;
}
