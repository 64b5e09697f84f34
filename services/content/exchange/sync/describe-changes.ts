import type { HasCallAsSystem } from '../../../../shared/contract/context.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { findMembers } from '../../../identity/contract.js';
import { type ChangeRequestDocument, changeRequests } from '../../core/change-requests/model.js';
import type { RevisionDocument } from '../../core/revisions/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import { type CommitWords, commitMessage } from '../exports/push-content.js';

/** Revisions since the last sync whose authors are named. */
const maxRevisions = 100;

interface Describing {
  organization: string;
  /** The message of a commit, with placeholders. */
  template: string;
}

type Merged = Pick<ChangeRequestDocument, '_id' | 'number' | 'subject' | 'createdBy'>;

/**
 * Describes the commit of what was written since the last sync: the message names the change requests that were merged, the author is who
 * wrote last, and everybody else who wrote is a co-author.
 */
export async function describeChanges(
  deps: HasStore & HasRevisions & HasCallAsSystem,
  { organization, template }: Describing,
  view: RevisionView,
): Promise<CommitWords> {
  const { merged, authors } = await readChanges(deps, view);
  const [latest, ...others] = merged;
  const message = commitMessage(template, latest);
  const lines = others.map((item) => commitMessage(template, item));
  const [author, ...coAuthors] = await namesOf(deps, organization, authors);
  const trailers = coAuthors.map((name) => `Co-authored-by: ${name}`);
  const parts = [message, lines.join('\n'), trailers.join('\n')].filter((part) => part !== '');
  return { message: parts.join('\n\n'), author };
}

/** The change requests that were merged since the content came from the repository or went there, and the people who wrote; latest first. */
async function readChanges(
  { store, revisions }: HasStore & HasRevisions,
  view: RevisionView,
): Promise<{ merged: Merged[]; authors: string[] }> {
  const ids: string[] = [];
  const authors: string[] = [];
  let now: RevisionView | undefined = view;
  for (let count = 0; now && now.revision.git === undefined && count < maxRevisions; count++) {
    const { space, mergedFrom, author, parents } = now.revision as RevisionDocument;
    if (mergedFrom !== undefined) ids.push(mergedFrom);
    if (author !== undefined) authors.push(author);
    now = parents[0] === undefined ? undefined : await revisions.find(space, parents[0]);
  }
  const found = await store.getMany(changeRequests, ids, { fields: ['number', 'subject', 'createdBy'] });
  const known = new Map(found.map((item) => [item._id, item]));
  const merged = ids.flatMap((id) => known.get(id) ?? []);
  const starters = merged.map(({ createdBy }) => createdBy);
  return { merged, authors: [...new Set([...starters, ...authors])] };
}

/** `Name <address>` of those who are members of the organization. */
async function namesOf({ callAsSystem }: HasCallAsSystem, organization: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const members = await callAsSystem()(findMembers, { organization, ids });
  const nameBy = new Map(members.map(({ id, user }) => [id, authorOf(user)]));
  return ids.flatMap((id) => nameBy.get(id) ?? []);
}

/** As git takes it: without the signs that separate names and addresses. */
const authorOf = ({ displayName, email = '' }: { displayName: string; email?: string | undefined }): string =>
  `${clean(displayName) || 'Somebody'} <${clean(email)}>`;

const clean = (text: string): string => text.replace(/[<>\p{Cc}]/gu, '').trim();
