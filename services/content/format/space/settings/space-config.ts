import { joinPath } from '../paths.js';
import { isFields, readYaml } from '../yaml.js';

/** `.gitbook.yaml`. `root` is relative to the folder of the file, all other paths to `root`; `''` is the folder itself. */
export interface SpaceConfig {
  root: string;
  readme: string;
  summary: string;
  /** Old page path (no leading slash) -> file, with its `#anchor` if it has one. */
  redirects: Map<string, string>;
  /** The message for people about the part that could not be used; the rest is valid. */
  problem?: string;
}

export type Variables = Record<string, string | number | boolean>;

/** An entry of `.gitbook/tags.yaml`. */
export interface TagDefinition {
  tag: string;
  label: string;
  icon?: string;
  color?: string;
}

const MAX_VALUE = 256;
const MAX_TAGS = 500;
const MAX_REDIRECTS = 10_000;
/** Characters of all redirects together. */
const MAX_REDIRECTS_LENGTH = 1_000_000;
const VARIABLE_NAME = /^[\p{L}_][\p{L}\p{N}_-]{0,99}$/u;

/** Parses `.gitbook.yaml`; a missing, empty or invalid file gives the defaults. Never throws. */
export function parseSpaceConfig(yaml: string | undefined): SpaceConfig {
  const { fields, problem } = readYamlFields(yaml, '.gitbook.yaml');
  const problems = problem ? [problem] : [];
  const structure = isFields(fields.structure) ? fields.structure : {};
  const readPath = (name: string, value: unknown, fallback: string): string => {
    if (value === undefined || value === null) return fallback;
    const inside = typeof value === 'string' ? normalizeInsidePath(value) : undefined;
    if (inside === undefined) problems.push(`${name} is not a path inside the space`);
    return inside ?? fallback;
  };
  const config: SpaceConfig = {
    root: readPath('root', fields.root, ''),
    readme: readPath('structure.readme', structure.readme, 'README.md'),
    summary: readPath('structure.summary', structure.summary, 'SUMMARY.md'),
    redirects: readRedirects(fields.redirects, problems),
  };
  return problems.length === 0 ? config : { ...config, problem: problems.join('; ') };
}

/** Parses `.gitbook/vars.yaml`: a flat map of texts (at most 256 characters), numbers and booleans. Never throws. */
export function parseVariables(yaml: string | undefined): { variables: Variables; problem?: string } {
  const { fields, problem } = readYamlFields(yaml, '.gitbook/vars.yaml');
  const kept: [string, string | number | boolean][] = [];
  const refused: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (VARIABLE_NAME.test(name) && isVariableValue(value)) kept.push([name, value]);
    else refused.push(name.slice(0, 100));
  }
  const variables = Object.fromEntries(kept);
  if (problem) return { variables, problem };
  return refused.length === 0 ? { variables } : { variables, problem: `cannot be variables: ${listNames(refused)}` };
}

/** Parses `.gitbook/tags.yaml`: a list of `{tag, label, icon, color?}`; the first entry of a tag is used. Never throws. */
export function parseTags(yaml: string | undefined): { tags: TagDefinition[]; problem?: string } {
  const { value, problem } = readYaml(yaml ?? '');
  if (problem) return { tags: [], problem };
  if (value === null || value === undefined) return { tags: [] };
  if (!Array.isArray(value)) return { tags: [], problem: '.gitbook/tags.yaml is not a list' };
  const tags = new Map<string, TagDefinition>();
  let refused = 0;
  for (const entry of value) {
    const tag = readTagDefinition(entry);
    if (!tag) refused += 1;
    else if (!tags.has(tag.tag)) tags.set(tag.tag, tag);
  }
  const read = { tags: [...tags.values()].slice(0, MAX_TAGS) };
  if (tags.size > MAX_TAGS) return { ...read, problem: `more than ${MAX_TAGS} tags; the rest is left out` };
  return refused === 0 ? read : { ...read, problem: `entries without a tag: ${refused}` };
}

function readYamlFields(yaml: string | undefined, name: string): { fields: Record<string, unknown>; problem?: string } {
  const { value, problem } = readYaml(yaml ?? '');
  if (problem) return { fields: {}, problem };
  if (value === null || value === undefined) return { fields: {} };
  return isFields(value) ? { fields: value } : { fields: {}, problem: `${name} is not a map` };
}

function readRedirects(value: unknown, problems: string[]): Map<string, string> {
  const redirects = new Map<string, string>();
  if (value === undefined || value === null) return redirects;
  if (!isFields(value)) {
    problems.push('redirects is not a map');
    return redirects;
  }
  const refused: string[] = [];
  let room = MAX_REDIRECTS_LENGTH;
  for (const [from, to] of Object.entries(value)) {
    const source = normalizeInsidePath(from);
    const target = typeof to === 'string' ? normalizeInsidePath(to) : undefined;
    if (!source || !target) {
      refused.push(from.slice(0, 100));
      continue;
    }
    room -= source.length + target.length;
    if (redirects.size === MAX_REDIRECTS || room < 0) {
      problems.push(`more than ${MAX_REDIRECTS} redirects, or a million characters of them; the rest is left out`);
      break;
    }
    redirects.set(source, target);
  }
  if (refused.length > 0) problems.push(`redirects without a path inside the space: ${listNames(refused)}`);
  return redirects;
}

/** The path without leading or trailing slash and `.` segments; undefined when it leaves its folder. */
function normalizeInsidePath(path: string): string | undefined {
  return path.length > 2048 ? undefined : joinPath('', path.trim());
}

function isVariableValue(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return value.length <= MAX_VALUE;
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

function readTagDefinition(entry: unknown): TagDefinition | undefined {
  if (!isFields(entry)) return undefined;
  const tag = readShortText(entry.tag);
  if (!tag) return undefined;
  const icon = readShortText(entry.icon);
  const color = readShortText(entry.color);
  return { tag, label: readShortText(entry.label) ?? tag, ...(icon && { icon }), ...(color && { color }) };
}

/** Accepts numbers too, because YAML reads tags such as `2.0` as numbers. */
function readShortText(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' || text.length > MAX_VALUE ? undefined : text;
}

function listNames(names: string[]): string {
  const rest = names.length - 10;
  return names.slice(0, 10).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
