import { commitMessage, compareFiles } from './push-content.js';

const oids = (oid: string | undefined) => new Map(oid === undefined ? [] : [['a.md', oid]]);

describe('a file that was, is here, and is there', () => {
  // The content at the last sync, in the space, on the branch.
  it.each([
    ['1', '1', '1', 'stays'],
    ['1', '1', '2', 'stays'],
    ['1', '1', undefined, 'stays'],
    [undefined, undefined, '1', 'stays'],
    ['1', '2', '1', 'written'],
    [undefined, '1', undefined, 'written'],
    ['1', undefined, '1', 'removed'],
    ['1', '2', '2', 'stays'],
    [undefined, '1', '1', 'stays'],
    ['1', undefined, undefined, 'stays'],
    ['1', '2', '3', 'written, conflict'],
    ['1', '2', undefined, 'written, conflict'],
    [undefined, '1', '2', 'written, conflict'],
    ['1', undefined, '2', 'removed, conflict'],
  ])('as %s, %s and %s: %s', (was, ours, theirs, expected) => {
    const { write, remove, conflicts } = compareFiles({ base: oids(was), ours: oids(ours), theirs: oids(theirs) });
    const done = [...write.map(() => 'written'), ...remove.map(() => 'removed'), ...conflicts.map(() => 'conflict')];
    expect(done.join(', ') || 'stays').toBe(expected);
  });
});

describe('the message of a commit', () => {
  const named = 'DOCS-{change_request_number}: {change_request_subject}';

  it.each([
    ['Export', undefined, 'Export'],
    ['Export', { number: 7, subject: 'More' }, 'Export'],
    [named, { number: 7, subject: 'More' }, 'DOCS-7: More'],
    [`${named} ${named}`, { number: 7, subject: 'More' }, 'DOCS-7: More DOCS-7: More'],
    [named, { number: 7 }, 'DOCS-7: No subject'],
    [named, { number: 7, subject: '' }, 'DOCS-7: No subject'],
    [named, { number: 7, subject: '$& $1 {change_request_number}' }, 'DOCS-7: $& $1 {change_request_number}'],
    [named, undefined, 'No commit message'],
    ['{change_request_other}', { number: 7 }, '{change_request_other}'],
    ['{CHANGE_REQUEST_NUMBER}', undefined, '{CHANGE_REQUEST_NUMBER}'],
    ['a\0b\x1b[31m\nc\td', undefined, 'ab[31m\nc\td'],
    ['\0', undefined, 'No commit message'],
  ])('%j with %j is %j', (template, changeRequest, expected) => {
    expect(commitMessage(template, changeRequest)).toBe(expected);
  });
});
