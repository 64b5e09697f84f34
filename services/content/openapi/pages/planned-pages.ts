import { groupBy } from '../../../../shared/values/group-by.js';
import { newSlugClaims, slugOf } from '../../format/space/paths.js';
import type { OutlinedOperation, OutlinedTag, OutlinedWebhook, SpecOutline } from '../document/outline.js';
import { oneLine, operationBlock, type SpecBlock, type SpecPageText, schemasBlock, sourcesOf } from './page-sources.js';

/** The content of one page of a specification, as the public API names it. */
export type DocumentProps = { doc: 'models' } | { doc: 'operations' | 'info'; page: string };

/** A page to be made from a specification. */
export interface PlannedPage extends SpecPageText {
  /** Distinguishes it from the other pages of the specification, in every version. */
  key: string;
  title: string;
  slug: string;
  props: DocumentProps;
  pages: PlannedPage[];
}

/** How a computed page is to be made. */
export interface PageOptions {
  /** The slug of the specification. */
  spec: string;
  /** Whether a page shows the schemas. */
  models: boolean;
  /** Whether each operation has a page of its own below that of its tag. */
  byOperation: boolean;
}

export const pageOptions = (spec: string, props: unknown): PageOptions => {
  const { models, grouping } = (props ?? {}) as Record<string, unknown>;
  return { spec, models: models === true, byOperation: grouping === 'by-operation' };
};

/** Operations and webhooks that share a page. */
interface Group {
  key: string;
  tag: OutlinedTag;
  operations: OutlinedOperation[];
  webhooks: OutlinedWebhook[];
}

/**
 * The pages of a specification: one for each tag that is used, in their order, below that of its parent; then one for what has no
 * tag, and one for the schemas. An operation is on the page of its first tag. Where no operation has a tag, paths take their place.
 */
export function planPages(outline: SpecOutline, wanted: PageOptions): PlannedPage[] {
  const { operations, webhooks } = outline;
  const options = { ...wanted, byOperation: wanted.byOperation && operations.length + webhooks.length <= maxOwnPages };
  const groups = groupsOf(outline);
  const held = groupBy([...groups.values()], ({ key, tag }) =>
    key === tagKey(tag.name) ? holderOf(groups, tag) : undefined,
  );
  const pages = (held.get(undefined) ?? []).flatMap((group) => pagesOf(group, held, options));
  return claimSlugs(options.models && outline.schemas.length > 0 ? [...pages, modelsPage(outline, options)] : pages);
}

const tagKey = (name: string) => `tag ${name}`;

/** Operations of a specification that may have pages of their own; more stand on the pages of their tags. */
const maxOwnPages = 2000;
/** Groups of a specification; what has a further tag stands with what has none. */
const maxGroups = 1000;

function groupsOf({ tags, operations, webhooks }: SpecOutline): Map<string, Group> {
  const groups = new Map<string, Group>();
  const note = (key: string, tag: OutlinedTag): Group => {
    const known = groups.get(key);
    if (known) return known;
    if (groups.size >= maxGroups && key !== 'untagged') return note('untagged', { name: 'Other' });
    const group = { key, tag, operations: [], webhooks: [] };
    groups.set(key, group);
    return group;
  };
  const isTagged = operations.some((operation) => operation.tags.length > 0);
  for (const tag of isTagged ? tags : []) note(tagKey(tag.name), tag);
  for (const operation of operations) {
    const [name] = operation.tags;
    if (name !== undefined) note(tagKey(name), { name }).operations.push(operation);
    else if (isTagged) note('untagged', { name: 'Other' }).operations.push(operation);
    else {
      const part = partOfPath(operation.path);
      note(`path ${part}`, { name: titleOfPart(part) }).operations.push(operation);
    }
  }
  for (const webhook of webhooks) {
    const name = isTagged ? webhook.tags[0] : undefined;
    const group = name === undefined ? note('webhooks', { name: 'Webhooks' }) : note(tagKey(name), { name });
    group.webhooks.push(webhook);
  }
  return groups;
}

const common = /^(?:api|rest|v\d+(?:\.\d+)*|\{.*\})$/i;

/** The first part of a path that says what it is about. */
const partOfPath = (path: string): string => {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.find((part) => !common.test(part)) ?? parts[0] ?? '';
};

const titleOfPart = (part: string): string => {
  const words = part
    .replace(/[{}]/g, '')
    .split(/[_.\s-]+/)
    .join(' ')
    .trim();
  return words === '' ? 'Operations' : words.charAt(0).toUpperCase() + words.slice(1);
};

/** Levels of tags in tags. */
const maxDepth = 8;

/** The tag that holds another; none for tags that hold each other, or are too deep. */
function holderOf(groups: ReadonlyMap<string, Group>, { name, parent }: OutlinedTag): string | undefined {
  const above = new Set([name]);
  for (let at = parent; at !== undefined; at = groups.get(tagKey(at))?.tag.parent) {
    if (above.has(at) || above.size > maxDepth) return undefined;
    above.add(at);
  }
  return parent !== undefined && groups.has(tagKey(parent)) ? parent : undefined;
}

/** A tag without anything on or below its page has none. */
function pagesOf(group: Group, held: ReadonlyMap<string | undefined, Group[]>, options: PageOptions): PlannedPage[] {
  const isTag = group.key === tagKey(group.tag.name);
  const below = isTag ? (held.get(group.tag.name) ?? []).flatMap((each) => pagesOf(each, held, options)) : [];
  const { operations, webhooks } = group;
  const blocks = [...operations, ...webhooks].map((each) => operationBlock(options.spec, each));
  if (blocks.length + below.length === 0) return [];
  if (options.byOperation) return [groupPage(group, { blocks: [], pages: [...blocks.map(operationPage), ...below] })];
  const [first = [], ...others] = inParts(blocks);
  const further = others.map((part, at) => groupPage({ ...group, part: at + 2 }, { blocks: part, pages: [] }));
  return [groupPage(group, { blocks: first, pages: below }), ...further];
}

/** Blocks of one page: more would take long to show. */
const maxBlocks = 500;

function inParts(blocks: SpecBlock[]): SpecBlock[][] {
  const parts: SpecBlock[][] = [];
  for (let start = 0; start < blocks.length; start += maxBlocks) parts.push(blocks.slice(start, start + maxBlocks));
  return parts;
}

function groupPage(
  { key, tag, part }: Group & { part?: number },
  { blocks, pages }: { blocks: SpecBlock[]; pages: PlannedPage[] },
): PlannedPage {
  const { title = tag.name, description, icon } = tag;
  const named = oneLine(title).trim() || 'Operations';
  const numbered = part === undefined ? named : `${named} (${part})`;
  const slug = slugOf(numbered, 'page');
  const doc = blocks.length > 0 ? 'operations' : 'info';
  return {
    key: part === undefined ? key : `${part} ${key}`,
    title: numbered,
    slug,
    props: { doc, page: slug },
    ...sourcesOf({ title: numbered, icon, text: part === undefined ? description : undefined, blocks }),
    pages: claimSlugs(pages),
  };
}

function operationPage(block: SpecBlock): PlannedPage {
  const { key, title } = block;
  const slug = slugOf(title, 'page');
  return {
    key,
    title,
    slug,
    props: { doc: 'operations', page: slug },
    ...sourcesOf({ title, blocks: [block] }),
    pages: [],
  };
}

function modelsPage({ schemas }: SpecOutline, { spec }: PageOptions): PlannedPage {
  const title = 'Models';
  const sources = sourcesOf({ title, blocks: [schemasBlock(spec, schemas)] });
  return { key: 'models', title, slug: 'models', props: { doc: 'models' }, ...sources, pages: [] };
}

/** The pages with slugs of their own among each other. */
function claimSlugs(pages: PlannedPage[], claim = newSlugClaims()): PlannedPage[] {
  return pages.map((page) => {
    const slug = claim(page.slug);
    const { props } = page;
    return { ...page, slug, props: 'page' in props ? { ...props, page: slug } : props };
  });
}
