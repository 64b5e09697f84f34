import { exampleId, examplesOf } from '../../../shared/contract/examples.js';
import type { AnyOperation } from '../../../shared/contract/operation.js';
import type { NewUser } from '../fixtures.js';
import { comments } from './comments.js';
import { content } from './content.js';
import { identity } from './identity.js';
import { integrations } from './integrations.js';
import { openapi } from './openapi.js';
import type { Make, Parameter, Particulars, Setting } from './setting.js';
import { sites } from './sites.js';

const parameters: Record<string, Parameter> = {
  ...identity.parameters,
  ...content.parameters,
  ...comments.parameters,
  ...openapi.parameters,
  ...sites.parameters,
  ...integrations.parameters,
};
const particulars: Record<string, Particulars> = {
  ...identity.particulars,
  ...content.particulars,
  ...comments.particulars,
  ...openapi.particulars,
  ...sites.particulars,
  ...integrations.particulars,
};

/** A request that an operation takes. */
export interface Sample {
  /** Values of its path parameters. */
  parameters: Record<string, string>;
  query: string;
  /** Relative to `/v1`. */
  path: string;
  body?: unknown;
}

/** The path of a sample with other values of its parameters. */
export function pathOf({ path }: AnyOperation, { parameters, query }: Pick<Sample, 'parameters' | 'query'>): string {
  const filled = (path as string).replace(/\{(\w+)\}/g, (_, name) => parameters[name] ?? '');
  return query ? `${filled}?${query}` : filled;
}

/** Any resource of a kind for each parameter; a fresh one for the last parameter of an operation that writes. */
async function parametersOf({ id, method, path }: AnyOperation, setting: Setting, caller: NewUser) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
  const values: Record<string, string> = {};
  for (const name of names) {
    const { any, fresh } = parameters[name] ?? {};
    const changed = method !== 'GET' && name === names.at(-1);
    const make: Make | undefined = particulars[id]?.use?.[name] ?? (changed ? (fresh ?? any) : (any ?? fresh));
    if (!make) throw new Error(`${id}: no resource for ${name}`);
    values[name] = await make(setting, caller);
  }
  return values;
}

let sent = 0;

/** An example with ids of real resources, and with addresses and host names that no other request has. */
async function bodyOf(example: unknown, setting: Setting, caller: NewUser): Promise<any> {
  let text = JSON.stringify(example).replaceAll('example.com', `x${process.pid}-${sent++}.example.com`);
  for (const [name, { any }] of Object.entries(parameters)) {
    const id = exampleId(name.replace(/Id$/, ''));
    if (any && text.includes(id)) text = text.replaceAll(id, await any(setting, caller));
  }
  return JSON.parse(text);
}

/**
 * Makes a request that an operation takes, on resources of its own where it changes them.
 * @param example Its body: which of the examples in its contract; `null` for none.
 */
export async function sampleOf(
  operation: AnyOperation,
  setting: Setting,
  caller: NewUser,
  example: number | null = 0,
): Promise<Sample> {
  const { query, body } = particulars[operation.id] ?? {};
  const parameters = await parametersOf(operation, setting, caller);
  const asked = { parameters, query: (await query?.(setting, caller)) ?? '' };
  const sample: Sample = { ...asked, path: pathOf(operation, asked) };
  const examples = examplesOf(operation.body);
  if (example === null || examples.length === 0) return sample;
  const filled = await bodyOf(examples[example], setting, caller);
  return { ...sample, body: body ? await body(filled, setting, caller) : filled };
}
