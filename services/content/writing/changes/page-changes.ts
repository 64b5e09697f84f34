import { apiError, invalid } from '../../../../shared/errors/errors.js';
import { parseExpression } from '../../../../shared/expression/parse.js';
import { ExpressionError } from '../../../../shared/expression/syntax.js';
import { newId } from '../../../../shared/values/ids.js';
import { emojiSaid, pageMetaFields, titleSaid, withoutMeta } from '../../core/revisions/page-fields.js';
import type { OwnFields } from '../../core/revisions/page-tree.js';
import { repeatsTitle } from '../../format/document/titles.js';
import { emojiCharacter } from '../../format/markdown/emoji.js';
import type { FrontMatterEdits } from '../../format/space/front-matter/front-matter-edits.js';
import type { Change, ChangeOf, ContentDraft } from './content-draft.js';
import type { PageText } from './page-sources.js';
import { checkSlug, pageIn, parentFor, slugFor } from './placement.js';

type Insertion = ChangeOf<'insert_page'>;
type Updating = ChangeOf<'update_page'>;

const untitled = 'Untitled page';

/** A source as it was written. */
type Made = Awaited<ReturnType<ContentDraft['sources']['write']>>;

/** Begins to parse the documents of a batch of several. */
export async function beginDocuments({ sources, tip }: ContentDraft, changes: readonly Change[]): Promise<void> {
  const touched = new Set<string>();
  const writing = changes.filter((change) => 'document' in change && change.document?.markdown !== undefined);
  for (const change of writing.length > 1 ? changes : []) {
    const source = 'document' in change ? change.document?.markdown : undefined;
    if (change.operation === 'insert_page') sources.begin({ source, edits: editsOf(change) });
    if (!('page' in change) || touched.has(change.page)) continue;
    touched.add(change.page);
    const document = tip.pageById.get(change.page)?.document;
    if (change.operation !== 'update_page' || source === undefined || document === undefined) continue;
    const { exact } = change.document ?? {};
    sources.begin({ source, before: (await sources.stored(document)).source, exact, edits: editsOf(change) });
  }
}

export async function insertPage(draft: ContentDraft, change: Insertion): Promise<void> {
  const { computed, document } = change;
  if (computed) return insertComputed(draft, { ...change, computed });
  if (!document) throw invalid('document: required');
  const { tree } = draft;
  const id = newId();
  const parent = parentNamed(draft, change.into);
  checkCondition(change.condition);
  const source = markdownOf(document);
  const made = await draft.sources.write(id, { source, edits: editsOf(change) });
  checkFrontMatter(made);
  const title = made.title ?? change.title ?? untitled;
  const slug = slugFor(tree, { parent, slug: change.slug, title });
  const page: OwnFields = { id, type: 'document', title, slug, path: '', ...pageMetaFields(made.meta) };
  draft.insert(page, parent, change.at);
  if (change.ref !== undefined) nameRef(draft, change.ref, { page: id });
}

/** The text of a page that is sent. Throws 422 for a JSON document, 400 for neither. */
function markdownOf({ markdown, document }: { markdown?: string | undefined; document?: unknown }): string {
  if (document !== undefined)
    throw apiError(
      'UNPROCESSABLE',
      'document.document: JSON documents are not supported; send document.markdown instead',
      'format_not_supported',
    );
  if (markdown === undefined) throw invalid('document.markdown: required');
  return markdown;
}

/** Inserts a page that is made from a specification, which need not exist yet. */
function insertComputed(draft: ContentDraft, change: Insertion & Required<Pick<Insertion, 'computed'>>): void {
  const { computed, document, ref, at } = change;
  if (document) throw invalid('document: a computed page has none');
  const [field] = Object.keys(editsOf(change));
  if (field !== undefined) throw invalid(`${field === 'if' ? 'condition' : field}: a computed page has none`);
  const id = newId();
  const parent = parentNamed(draft, change.into);
  const title = change.title ?? computed.dependencies.spec.ref.spec;
  const slug = slugFor(draft.tree, { parent, slug: change.slug, title });
  draft.insert({ id, type: 'computed', title, slug, path: '', computed }, parent, at);
  if (ref !== undefined) nameRef(draft, ref, { page: id });
}

/** The parent that a change names by its id, or as `./<ref>` of a change before it. Throws 400 for one that cannot be. */
function parentNamed({ tree, refs }: ContentDraft, into: string | null | undefined, page?: OwnFields): string {
  const target = into?.startsWith('./') ? refs.get(into.slice(2)) : undefined;
  return parentFor(tree, target && 'page' in target ? target.page : into, page);
}

/** Names a page or a file of the batch. Throws 400 for a name that is taken. */
export function nameRef(draft: ContentDraft, ref: string, target: { page: string } | { file: string }): void {
  if (draft.refs.has(ref)) throw invalid(`ref: ${ref} is used twice`);
  draft.refs.set(ref, target);
}

export async function updatePage(draft: ContentDraft, change: Updating): Promise<void> {
  const { tree } = draft;
  const { type, id } = pageIn(tree, change.page);
  if (change.document && type !== 'document') throw invalid(`document: a ${type} page has no document`);
  checkCondition(change.condition);
  const from = tree.parentOf(id);
  movePage(draft, pageIn(tree, id), change);
  const page = pageIn(tree, id);
  const described = await describePage(draft, page, change);
  const place = { parent: tree.parentOf(id), page: id };
  const { title } = described;
  const slug = change.slug === undefined ? page.slug : slugFor(tree, { ...place, slug: change.slug, title });
  if (place.parent !== from && type !== 'link') checkSlug(tree, slug, place);
  if (described !== page || slug !== page.slug) draft.replace({ ...described, slug });
}

function movePage(draft: ContentDraft, page: OwnFields, { into, at }: Updating): void {
  const { tree } = draft;
  if (into === undefined && at === undefined) return;
  const from = tree.parentOf(page.id);
  const parent = into === undefined ? from : parentNamed(draft, into, page);
  const siblings = tree.childrenOf(parent);
  if (parent === from && (at === undefined || siblings[Math.min(at, siblings.length - 1)] === page.id)) return;
  draft.move(page.id, parent, at);
}

export function deletePage(draft: ContentDraft, { page }: ChangeOf<'delete_page'>): void {
  pageIn(draft.tree, page);
  draft.remove(page);
}

/** The page with the title and the metadata that a change gives it; the same object when it gives none. */
async function describePage(draft: ContentDraft, page: OwnFields, change: Updating): Promise<OwnFields> {
  const edits = editsOf(change);
  const { document, title } = change;
  if (!document && title === undefined && Object.keys(edits).length === 0) return page;
  if (!document && page.document === undefined) return withValues(page, change);
  const before = await draft.sources.of(page.id, page.document);
  if (!document) {
    const named = title === undefined || title === page.title ? edits : { ...edits, title };
    const made = await draft.sources.write(page.id, { before: before.source, edits: named });
    return describedPage({
      page,
      before,
      made,
      title: title ?? page.title,
      emoji: emojiAfter(change, made, page.emoji),
    });
  }
  const source = markdownOf(document);
  const { exact } = document;
  const made = await draft.sources.write(page.id, { source, before: before.source, exact, edits });
  checkFrontMatter(made);
  const wanted = titleSaid({ before, made }) ?? title ?? page.title;
  const emoji = emojiAfter(change, made, emojiSaid({ before, made }, page));
  if (title === undefined || wanted !== title || made.title === undefined || made.title === title)
    return describedPage({ page, before, made, title: wanted, emoji });
  const renamed = await draft.sources.write(page.id, { before: made.source, edits: { title } });
  return describedPage({ page, before, made: renamed, title, emoji });
}

interface Described {
  page: OwnFields;
  before: PageText;
  made: Made;
}

/** The emoji that a change asks for, as the source has it by now; else the one that is kept. */
const emojiAfter = ({ emoji }: Updating, made: Made, kept: string | undefined): string | undefined =>
  emoji === undefined ? kept : emoji && made.meta.emoji;

function describedPage({
  page,
  before,
  made,
  title,
  emoji,
}: Described & { title: string; emoji: string | undefined }): OwnFields {
  const { heading: _, ...kept } = withoutMeta(page);
  const heading = headingAfter({ page, before, made }, title);
  const { emoji: _emoji, ...meta } = pageMetaFields(made.meta);
  return { ...kept, ...meta, title, ...(emoji ? { emoji } : {}), ...(heading ? { heading } : {}) };
}

/** A first heading that was not shown, since it said the title, is not shown under another title either. */
function headingAfter({ page, before, made: { heading } }: Described, title: string): string | undefined {
  if (heading === undefined || repeatsTitle(title, heading) || before.heading === undefined) return undefined;
  const wasTitle = repeatsTitle(page.heading ?? page.title, before.heading);
  return wasTitle && repeatsTitle(before.heading, heading) ? heading : undefined;
}

const flags = ['hidden', 'noIndex', 'noRobotsIndex'] as const;
const texts = ['description', 'icon', 'emoji', 'condition'] as const;

/** The front matter that a change sets or removes, besides the title. */
function editsOf(change: Insertion | Updating): FrontMatterEdits {
  const edits: FrontMatterEdits = {};
  for (const name of flags) if (change[name] !== undefined) edits[name] = change[name] || null;
  for (const name of texts)
    if (change[name] !== undefined) edits[name === 'condition' ? 'if' : name] = change[name]?.trim() || null;
  return edits;
}

/** A page without a source has its metadata in itself. */
function withValues(page: OwnFields, change: Updating): OwnFields {
  const changed: OwnFields = { ...page, title: change.title ?? page.title };
  for (const name of flags) {
    if (change[name] === true) changed[name] = true;
    if (change[name] === false) delete changed[name];
  }
  for (const name of texts) {
    const value = change[name]?.trim();
    if (value) changed[name] = name === 'emoji' ? emojiCharacter(value) : value;
    if (value === '') delete changed[name];
  }
  return changed;
}

/** Throws 400 for a document whose front matter would not be read. */
function checkFrontMatter({ isOwn, meta: { problem } }: Made): void {
  if (isOwn && problem !== undefined) throw invalid(`document: ${problem}`);
}

/** Throws 400 for a condition that is not an expression. */
function checkCondition(condition: string | undefined): void {
  if (condition === undefined || condition.trim() === '') return;
  try {
    parseExpression(condition);
  } catch (error) {
    if (error instanceof ExpressionError) throw invalid(`condition: ${error.message}`);
    throw error;
  }
}
