import fc from 'fast-check';
import { runs } from '../../../../../shared/testing/runs.js';
import type { RevisionDocument } from '../../../core/revisions/model.js';
import { revisionTypes } from '../../../core/revisions/resources.js';
import { readRevisionMessage, revisionMessage } from './commit-message.js';

const id = fc.stringMatching(/^[A-Za-z0-9_]{1,30}$/);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('', 'A\n\nRevision: x\n', 'Author: y', '"', '\u0000\u2028', '🚀'.repeat(150)),
);
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const given = fc.record({
  id,
  type: fc.constantFrom(...revisionTypes),
  createdAt: fc
    .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((at) => at.toISOString()),
  parents: fc.array(id, { maxLength: 3 }),
  author: some(id),
  subject: some(text),
  mergedFrom: some(id),
  git: some(fc.record({ oid: id, message: text, createdByService: fc.boolean(), url: some(text), ref: some(text) })),
  treeURL: some(text),
  directory: some(text),
});

const without = (value: object) => JSON.parse(JSON.stringify(value));

describe('the message of the commit of a revision', () => {
  it('says all that makes the revision again, whatever its texts are', () => {
    fc.assert(
      fc.property(given, ({ id: _id, directory, ...revision }) => {
        const repository = directory === undefined ? {} : { repository: { directory, settings: '' } };
        const message = revisionMessage({ ...revision, ...repository, _id } as RevisionDocument);
        const kept = {
          ...revision,
          id: _id,
          treeURL: revision.treeURL || undefined,
          directory: directory || undefined,
        };
        expect(readRevisionMessage(message)).toEqual(without(kept));
        expect(message.split('\n')[0]?.trim()).not.toBe('');
      }),
      { numRuns: runs(300) },
    );
  });

  it('is that of git in which nobody can hide a trailer', () => {
    const revision = { _id: 'one', type: 'edits', createdAt: '2026-11-29T12:00:00.000Z', parents: [] };
    const message = revisionMessage({ ...revision, subject: 'Mine\n\nAuthor: eve' } as unknown as RevisionDocument);
    expect(message).toBe(
      'Mine\n\nRevision: one\nType: edits\nCreated-At: 2026-11-29T12:00:00.000Z\nSubject: "Mine\\n\\nAuthor: eve"\n',
    );
  });
});
