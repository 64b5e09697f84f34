import fc from 'fast-check';
import { eachPageOf, type RevisionView } from '../../../core/revisions/revision-view.js';
import { locateParts } from '../../../format/space/source-parts.js';
import type { Change } from '../../changes/content-draft.js';
import type { TwoSides } from './two-sides.js';

export const slugs = fc.constantFrom('a', 'b', 'c', 'd');

const kinds = fc.constantFrom('document', 'document', 'document', 'document', 'group', 'link');

/** Of the pages that hold others: the last one, in a tree of any size. */
const latest = -1;

/** A tree of pages, each below an earlier one. Half of the documents say their title in front matter, half in a heading. */
export const trees = fc.array(
  fc.record({
    type: kinds,
    parent: fc.oneof(fc.nat({ max: 30 }), fc.constant(latest)),
    slug: slugs,
    titled: fc.boolean(),
  }),
  {
    minLength: 2,
    maxLength: 8,
  },
);
export type RandomTree = (typeof trees extends fc.Arbitrary<infer T> ? T : never) & unknown[];

export const lineCount = 5;

export async function contentOf(sides: TwoSides, tree: RandomTree): Promise<RevisionView> {
  const holders: string[] = [sides.top];
  const pages = tree.map(({ type, parent, slug, titled }, at) => {
    const id = `p${at}`;
    const above =
      type === 'group' ? sides.top : (holders.at(parent === latest ? parent : parent % holders.length) as string);
    if (type !== 'link') holders.push(id);
    const title = `Title ${at}`;
    const lines = Array.from({ length: lineCount }, (_, line) => `base ${at} ${line}\n`);
    const head = titled ? `---\ntitle: ${title}\nicon: bolt\n---\n` : `# ${title}\n\n`;
    const source = type === 'document' ? { source: head + lines.join('') } : {};
    return { page: { id, type, title, slug }, parent: above, ...source };
  });
  return sides.withPages(pages);
}

export type EditKind = 'insert' | 'move' | 'reorder' | 'title' | 'slug' | 'metadata' | 'delete' | 'text' | 'heading';

const editKinds: EditKind[] = [
  'insert',
  'move',
  'reorder',
  'title',
  'slug',
  'metadata',
  'delete',
  'text',
  'text',
  'heading',
];

export const edits = (most: number, kinds = editKinds) =>
  fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      page: fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 2 }) }, fc.nat({ max: 30 })),
      into: fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 30 })),
      at: fc.option(fc.nat({ max: 4 }), { nil: undefined }),
      line: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.nat({ max: lineCount })),
      how: fc.constantFrom('replace', 'insert', 'delete') as fc.Arbitrary<'replace' | 'insert' | 'delete'>,
      field: fc.constantFrom('description', 'icon', 'hidden', 'condition') as fc.Arbitrary<Field>,
      slug: slugs,
    }),
    { minLength: 1, maxLength: most, size: 'max' },
  );
type Field = 'description' | 'icon' | 'hidden' | 'condition';
export type RandomEdit = (ReturnType<typeof edits> extends fc.Arbitrary<infer T> ? T : never)[number];

/** What a side may touch. */
export interface Allowed {
  /** A page that it may change and move, and delete with what is below it where that is its own as well. */
  own(id: string): boolean;
  /** A page that it may put others into. */
  holder(id: string): boolean;
}

export const everything: Allowed = { own: () => true, holder: () => true };

interface Side {
  /** Begins what it writes. */
  name: string;
  allowed?: Allowed;
}

/** A side of a merge, and what its writer did that its content does not show. */
export interface Edited {
  view: RevisionView;
  /** By page: the lines of the base that it replaced or deleted, with what is there now. */
  replaced: Map<string, Map<string, string>>;
}

/** Applies edits by the rules of writers, one after the other, and makes a revision of the result. */
export async function edited(
  sides: TwoSides,
  base: RevisionView,
  { list, name, allowed = everything }: Side & { list: readonly RandomEdit[] },
): Promise<Edited> {
  const replaced: Edited['replaced'] = new Map();
  let view = base;
  for (const [at, edit] of list.entries()) {
    const pages = [...eachPageOf(view.pages)];
    const pick = (index: number, ok: (id: string) => boolean, all = pages) => {
      const fitting = all.filter(({ id }) => ok(id) || !base.pageById.has(id));
      return fitting[index % Math.max(1, fitting.length)]?.id;
    };
    const isOwn = (id: string) => allowed.own(id) || !base.pageById.has(id);
    const deletable = () => pages.filter((page) => [...eachPageOf([page])].every(({ id }) => isOwn(id)));
    const page = pick(edit.page, allowed.own, edit.kind === 'delete' ? deletable() : pages);
    const change = await changeOf(sides, view, {
      edit,
      name: `${name} ${at}`,
      page,
      into: edit.into % 3 === 0 ? undefined : pick(edit.into, allowed.holder),
      replaced,
    });
    if (change) view = await sides.written(view, base, change);
  }
  return { view: view === base ? base : await sides.commit(base, { pages: view.pages }), replaced };
}

interface Making {
  edit: RandomEdit;
  /** A text that is nowhere else. */
  name: string;
  page: string | undefined;
  into: string | undefined;
  replaced: Edited['replaced'];
}

async function changeOf(sides: TwoSides, view: RevisionView, making: Making): Promise<Change | undefined> {
  const { edit, name, page, into } = making;
  const at = edit.at;
  if (edit.kind === 'insert') {
    const document = { markdown: `${name} 0\n${name} 1\n${name} 2\n` };
    const place = { ...(into === undefined ? {} : { into }), ...(at === undefined ? {} : { at }) };
    const slug = edit.line === 1 ? { slug: edit.slug } : {};
    return { operation: 'insert_page', title: `Title ${name}`, document, ...place, ...slug };
  }
  if (page === undefined) return undefined;
  switch (edit.kind) {
    case 'delete':
      return { operation: 'delete_page', page };
    case 'move':
      return { operation: 'update_page', page, into: into ?? null, ...(at === undefined ? {} : { at }) };
    case 'reorder':
      return { operation: 'update_page', page, at: at ?? 0 };
    case 'title':
      return { operation: 'update_page', page, title: `Title ${name}` };
    case 'slug':
      return { operation: 'update_page', page, slug: edit.slug };
    case 'metadata': {
      const values = {
        description: name,
        icon: `icon-${name.replaceAll(' ', '-')}`,
        hidden: true,
        condition: `"${name}"`,
      };
      return { operation: 'update_page', page, [edit.field]: values[edit.field] };
    }
    default:
      return textChange(sides, view, { ...making, page });
  }
}

async function textChange(
  sides: TwoSides,
  view: RevisionView,
  { edit: { kind, line, how }, name, page, replaced }: Making & { page: string },
): Promise<Change | undefined> {
  const source = await sides.sourceOf(view, page);
  if (source === '') return undefined;
  const lines = source.slice(locateParts(source).body).match(/.*\n/g) ?? [];
  const first = lines.findIndex((text) => !/^(#.*)?\n$/.test(text));
  if (kind === 'heading') {
    if (!lines[0]?.startsWith('# ')) return undefined;
    lines[0] = `# Title ${name}\n`;
  } else {
    const at = first + Math.min(line, lines.length - first);
    const before = lines[at];
    const text = `${name}\n`;
    if (how === 'insert') lines.splice(at, 0, text);
    else if (before === undefined) return undefined;
    else if (how === 'delete' && lines.length - first > 1) {
      lines.splice(at, 1);
      noteReplaced(replaced, page, { before, text: '' });
    } else {
      lines[at] = text;
      noteReplaced(replaced, page, { before, text });
    }
  }
  return { operation: 'update_page', page, document: { markdown: lines.join('') } };
}

/** Follows a line of the base through several changes. */
function noteReplaced(all: Edited['replaced'], page: string, { before, text }: { before: string; text: string }): void {
  const known = all.get(page) ?? new Map<string, string>();
  if (!before.startsWith('base') && ![...known.values()].includes(before)) return;
  const origin = [...known].find(([, now]) => now === before)?.[0] ?? before;
  all.set(page, known.set(origin, text));
}
