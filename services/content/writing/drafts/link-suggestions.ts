import type { Context } from '../../../../shared/contract/service.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { foldLatin } from '../../../../shared/text/tokens.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { eachInSlices } from '../../../../shared/work/slices.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import type { FileEntry } from '../../core/revisions/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import { eachPageOf, type PageEntry } from '../../core/revisions/revision-view.js';
import type { DraftPlace, LinkSuggestion } from '../contract.js';
import { openWritingPlace } from './draft-places.js';

const maxSuggestions = 20;
const maxQuery = 200;
const maxWords = 10;

/** The higher, the better; 0 for no match. */
type Rank = 0 | 1 | 2 | 3;

export async function suggestLinks(
  deps: HasStore & HasTrees & HasRevisions,
  asked: Omit<DraftPlace, 'page'> & { query: string },
  { caller }: Pick<Context, 'caller'>,
): Promise<LinkSuggestion[]> {
  const { space, revision } = await openWritingPlace(deps, asked, caller);
  const view = await deps.revisions.get(space, revision);
  const query = fold(asked.query.slice(0, maxQuery)).trim();
  const words = query.split(/\s+/).filter(Boolean).slice(0, maxWords);
  const found: Record<Rank, LinkSuggestion[]> = { 3: [], 2: [], 1: [], 0: [] };
  const note = (rank: Rank, item: () => LinkSuggestion) => {
    if (rank > 0 && found[rank].length < maxSuggestions) found[rank].push(item());
  };
  await eachInSlices(eachPageOf(view.pages), (page) => {
    if (page.type !== 'document' && page.type !== 'group') return;
    note(words.length === 0 ? 1 : rankOf(page.title, page.path, { query, words }), () => pageSuggestion(page));
  });
  await eachInSlices(words.length === 0 ? [] : view.files, (file) => {
    note(rankOf(file.name, '', { query, words }), () => fileSuggestion(file));
  });
  return [...found[3], ...found[2], ...found[1]].slice(0, maxSuggestions);
}

const fold = (text: string): string => foldLatin(text.toLowerCase());

/** A name that begins with the query is best, then one that has all of its words; last comes one that has them together with its path. */
function rankOf(name: string, path: string, { query, words }: { query: string; words: string[] }): Rank {
  const folded = fold(name);
  if (folded.startsWith(query)) return 3;
  if (words.every((word) => folded.includes(word))) return 2;
  const whole = `${folded} ${fold(path)}`;
  return words.every((word) => whole.includes(word)) ? 1 : 0;
}

const pageSuggestion = ({ id, title, path, emoji, icon }: PageEntry): LinkSuggestion =>
  omitUndefined({ kind: 'page' as const, id, title, path, emoji: emoji || undefined, icon: icon || undefined });

const fileSuggestion = ({ id, name, contentType }: FileEntry): LinkSuggestion => ({
  kind: 'file',
  id,
  name,
  isImage: contentType.startsWith('image/'),
});
