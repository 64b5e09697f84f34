import type { HasBlobs } from '../../../../shared/blobs/port.js';
import { invalid } from '../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { carriedFields } from '../../core/revisions/commit.js';
import type { ContentChanges } from '../../core/revisions/derived-view.js';
import {
  documentId,
  type PageDocument,
  pageDocuments,
  type ReusableEntry,
  type RevisionDocument,
} from '../../core/revisions/model.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import { blobOid } from '../../format/space/blob-oid.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { withComputedPages } from '../../openapi/pages/computed-pages.js';
import { PageSources } from '../changes/page-sources.js';
import { checkFileRoom, checkRoom } from '../changes/placement.js';
import { Conflicts, type Sides } from './conflicts.js';
import { mergeFiles, mergeRedirects, mergeReusable, mergeVariables, reusableNamed } from './merge-lists.js';
import { PageMerge, type ThreeViews } from './merge-pages.js';
import { mergePageSource, type SourceMerging } from './merge-sources.js';
import type { Conflict, MergeSide } from './resources.js';

type Dependencies = HasStore & HasBlobs & HasWork & HasLedger & { baseUrl: string };

export interface Merging {
  organization: string;
  space: string;
  views: ThreeViews;
  /** By `<kind> <id>`: the sides that were chosen. */
  choices: ReadonlyMap<string, MergeSide>;
}

/** The result of a merge: the differences from the primary content, and the fields of the revision. */
export interface MergedContent {
  content: ContentChanges;
  fields: Pick<RevisionDocument, 'variables' | 'tags' | 'treeURL'>;
}

export interface Merged {
  conflicts: Conflict[];
  /** Stores the pages that both sides changed. Must not be called with conflicts. */
  store(): Promise<MergedContent>;
}

/** Merges the content of a change request into the primary content. Nothing is stored yet. */
export async function mergeContent(deps: Dependencies, merging: Merging): Promise<Merged> {
  const undecided = await mergeWith(deps, merging, new Conflicts());
  if (merging.choices.size === 0 || undecided.conflicts.length === 0) return undecided;
  return mergeWith(deps, merging, new Conflicts(merging.choices, undecided.conflicts));
}

async function mergeWith(deps: Dependencies, merging: Merging, conflicts: Conflicts): Promise<Merged> {
  const { organization, space, views } = merging;
  const owner = { organization, space };
  const sources = new PageSources(deps, owner);
  const texts = new Map<string, PageDocument>();
  const mergeSource = (about: SourceMerging) => mergePageSource(deps, { owner, conflicts }, about);
  const pages = new PageMerge(views, { conflicts, sources, mergeSource });
  await pages.run();
  checkRoom(pages.tree.size);
  const files = await mergeFiles(views, conflicts);
  if (files) checkFileRoom(files.length);
  const reusable = await mergeReusable(views, conflicts, (sides) =>
    mergedText(deps, merging, { sides, conflicts, texts }),
  );
  const redirects = await mergeRedirects(views, conflicts);
  const variables = mergeVariables(views, conflicts);
  const outside = mergedPaths(views);
  const { variables: _, ...carried } = carriedFields(views.primary);
  return {
    conflicts: conflicts.list,
    async store() {
      await sources.store(pages.tree, undefined);
      await storeTexts(deps, owner, texts);
      const before = views.primary.pageById;
      const content = omitUndefined({
        // Both sides may have pages of specifications in one place.
        pages: await withComputedPages(deps, { ...owner, pages: pages.tree.buildPages(), before }),
        files: files || undefined,
        reusable: reusable || undefined,
        redirects: redirects || undefined,
        outside,
      });
      return { content, fields: { ...carried, ...(Object.keys(variables).length > 0 ? { variables } : {}) } };
    },
  };
}

async function storeTexts(
  { store, ledger }: Dependencies,
  owner: { organization: string; space: string },
  texts: ReadonlyMap<string, PageDocument>,
): Promise<void> {
  const known = await store.getMany(pageDocuments, [...texts.keys()], { fields: ['space'] });
  const stored = new Set(known.map(({ _id }) => _id));
  const missing = [...texts.values()].filter(({ _id }) => !stored.has(_id));
  await ledger.addDocuments(owner, pageDocuments, missing);
}

interface Texts {
  sides: Sides<ReusableEntry>;
  conflicts: Conflicts;
  /** Collects what is merged. */
  texts: Map<string, PageDocument>;
}

/** The text of reusable content: that of the side that changed it; where both did, both merged. */
async function mergedText(
  deps: Dependencies,
  { organization, space }: Merging,
  { sides: { base, primary, changeRequest }, conflicts, texts }: Texts,
): Promise<Partial<ReusableEntry>> {
  const { document } = changeRequest;
  const git = (oid: string) => (primary.git ? { git: { ...primary.git, oid } } : {});
  if (document === base?.document || document === primary.document) return {};
  if (primary.document === base?.document)
    return { document, ...git(document), ...(changeRequest.aliases ? { aliases: changeRequest.aliases } : {}) };
  const documents = { base: base?.document, primary: primary.document, changeRequest: document };
  const owner = { organization, space };
  const source = await mergePageSource(deps, { owner, conflicts }, { named: reusableNamed(primary), documents });
  if (conflicts.list.length > 0) return {};
  const [page] = await deps.work.parsed([source], organization);
  if (!page || 'refused' in page) throw invalid(`${primary.title}: ${page?.refused}`);
  const oid = blobOid(source);
  const _id = documentId(space, oid);
  texts.set(_id, { _id, space, source, ...page });
  return { document: oid, ...git(oid) };
}

/** The paths outside the space that pages of either side link to. */
function mergedPaths({ primary, changeRequest }: ThreeViews): string[] | undefined {
  if (primary.outside === changeRequest.outside) return undefined;
  const more = [...changeRequest.outside].filter((path) => !primary.outside.has(path));
  return more.length > 0 ? [...primary.outside, ...more].sort() : undefined;
}
