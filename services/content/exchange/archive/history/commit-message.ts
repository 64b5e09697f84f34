import { z } from 'zod';
import { timestampSchema } from '../../../../../shared/contract/fields.js';
import { type Problem, pathText, problemsOf, safeParse } from '../../../../../shared/text/schema-messages.js';
import { omitUndefined } from '../../../../../shared/values/omit-undefined.js';
import type { RevisionDocument } from '../../../core/revisions/model.js';
import { revisionTypes } from '../../../core/revisions/resources.js';
import { refusal } from '../../conversion/refused.js';
import { archivedId } from '../archived-fields.js';

const text = z.string().max(100_000);

/** A revision as the trailers of its commit describe it. */
const revisionSchema = z.strictObject({
  id: archivedId,
  type: z.enum(revisionTypes),
  createdAt: timestampSchema,
  parents: z.array(archivedId).max(10).default([]),
  author: archivedId.optional(),
  subject: text.optional(),
  mergedFrom: archivedId.optional(),
  git: z
    .strictObject({
      oid: z.string().max(100),
      message: text,
      createdByService: z.boolean(),
      url: text.optional(),
      ref: text.optional(),
    })
    .optional(),
  treeURL: text.optional(),
  directory: z.string().max(10_000).optional(),
});

export type CommittedRevision = z.output<typeof revisionSchema>;

/** The trailers in their order. Values that are no plain words are JSON; a revision may have several parents. */
const trailers: { name: string; field: keyof CommittedRevision; json?: true; many?: true }[] = [
  { name: 'Revision', field: 'id' },
  { name: 'Type', field: 'type' },
  { name: 'Created-At', field: 'createdAt' },
  { name: 'Parent', field: 'parents', many: true },
  { name: 'Author', field: 'author' },
  { name: 'Merged-From', field: 'mergedFrom' },
  { name: 'Subject', field: 'subject', json: true },
  { name: 'Git', field: 'git', json: true },
  { name: 'Tree-URL', field: 'treeURL', json: true },
  { name: 'Directory', field: 'directory', json: true },
];

/** The first line of a revision that has no subject. */
const words: Record<RevisionDocument['type'], string> = {
  edits: 'Edit',
  merge: 'Merge a change request',
  rollback: 'Restore an earlier revision',
  update: 'Update from the primary content',
  computed: 'Update the pages of a specification',
};

/** The message of the commit of a revision: its subject, and trailers with all that is needed to make it again. */
export function revisionMessage(revision: RevisionDocument): string {
  const { _id: id, type, createdAt, parents, author, subject, mergedFrom, git, treeURL, repository } = revision;
  const described: CommittedRevision = omitUndefined({
    id,
    type,
    createdAt,
    parents,
    author,
    subject,
    mergedFrom,
    git: git && inOrder(git),
    treeURL: treeURL || undefined,
    directory: repository?.directory || undefined,
  });
  const lines = trailers.flatMap(({ name, field, json }) => {
    const value = described[field];
    const values = value === undefined ? [] : Array.isArray(value) ? value : [value];
    return values.map((each) => `${name}: ${json ? JSON.stringify(each) : each}`);
  });
  return `${firstLine(subject ?? git?.message) || words[type]}\n\n${lines.join('\n')}\n`;
}

/** The same text for the same commit, whatever order a store has its fields in. */
const inOrder = ({ oid, message, createdByService, url, ref }: NonNullable<RevisionDocument['git']>) =>
  omitUndefined({ oid, message, createdByService, url, ref });

/** Characters of the first line. */
const maxLine = 200;

const firstLine = (subject = ''): string =>
  (subject.split('\n', 1)[0] as string)
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, maxLine)
    .toWellFormed();

/** The revision that a message describes. Throws 422 with what is wrong. */
export function readRevisionMessage(message: string): CommittedRevision {
  const lines = message.trimEnd().split('\n');
  const described: Record<string, unknown> = {};
  for (const line of lines.slice(lines.lastIndexOf('') + 1)) {
    const [, name, value = ''] = /^([A-Za-z-]+): (.*)$/s.exec(line) ?? [];
    const trailer = trailers.find((each) => each.name === name);
    if (!trailer) throw refusal(`${JSON.stringify(line.slice(0, 100))} is no trailer of a revision`);
    const { field, json, many } = trailer;
    if (!many && field in described) throw refusal(`${name}: must be there once`);
    const read = json ? parseJson(value, name as string) : value;
    described[field] = many ? [...((described[field] as unknown[]) ?? []), read] : read;
  }
  const checked = safeParse(revisionSchema, described);
  if (checked.success) return checked.data;
  const [{ path, message: problem }] = problemsOf(checked.error.issues) as [Problem];
  const named = trailers.find(({ field }) => field === path[0])?.name ?? pathText(path);
  throw refusal(`${named}: ${problem}`);
}

function parseJson(value: string, name: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw refusal(`${name}: is no JSON`);
  }
}
