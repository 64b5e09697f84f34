import fc from 'fast-check';
import { runs } from '../../../../shared/testing/runs.js';
import { Conflicts } from './conflicts.js';
import type { Conflict, MergeSide } from './resources.js';
import {
  addedLines,
  Expected,
  expectSound,
  type FieldName,
  isCircular,
  linesOf,
  listIn,
  parentIn,
  shape,
} from './testing/expected.js';
import {
  type Allowed,
  contentOf,
  type Edited,
  type EditKind,
  edited,
  edits,
  type RandomEdit,
  trees,
} from './testing/random-edits.js';
import { twoSides } from './testing/two-sides.js';

const sides = twoSides();

interface Case {
  tree: Parameters<typeof contentOf>[1];
  ours: RandomEdit[];
  theirs: RandomEdit[];
}

async function made({ tree, ours, theirs }: Case, allowed: { ours?: Allowed; theirs?: Allowed } = {}) {
  const base = await contentOf(sides, tree);
  const side = (list: RandomEdit[], name: string, allowed: Allowed | undefined): Promise<Edited> =>
    edited(sides, base, { list, name, ...(allowed ? { allowed } : {}) });
  const primary = await side(ours, 'ours', allowed.ours);
  const changeRequest = await side(theirs, 'theirs', allowed.theirs);
  const views = { base, primary: primary.view, changeRequest: changeRequest.view };
  return { views, expected: new Expected({ base, primary, changeRequest }) };
}
type Made = Awaited<ReturnType<typeof made>>;

const fieldNames: FieldName[] = ['title', 'description', 'icon', 'hidden', 'condition'];

/** Checks that the result has of each page what the side says that changed it. */
async function expectBoth({ views, expected }: Made, merged: Made['views']['base']): Promise<void> {
  expect(new Set(merged.pageById.keys())).toEqual(expected.present);
  for (const id of expected.present) {
    const page = merged.pageById.get(id);
    for (const name of fieldNames)
      expect([id, name, page?.[name]]).toEqual([id, name, expected.field(id, name)?.pageById.get(id)?.[name]]);
    expect([id, parentIn(merged, id)]).toEqual([id, parentIn(expected.position(id) as typeof merged, id)]);
    const source = await sides.sourceOf(merged, id);
    if (!expected.changeRequest.written(id)) expect(source).toBe(await sides.sourceOf(views.primary, id));
    else if (!expected.primary.written(id)) expect(source).toBe(await sides.sourceOf(views.changeRequest, id));
  }
  expectSlugs({ expected }, merged);
  expectOrder({ views, expected }, merged);
}

/** A slug gets a number only where another page in the same place has it. */
function expectSlugs({ expected }: Pick<Made, 'expected'>, merged: Made['views']['base']): void {
  const wanted = (id: string) => expected.field(id, 'slug')?.pageById.get(id)?.slug as string;
  for (const [id, { slug, type }] of merged.pageById) {
    if (type === 'link' || slug === wanted(id)) continue;
    const others = listIn(merged, parentIn(merged, id)).filter((each) => each !== id);
    expect([id, slug]).toEqual([id, expect.stringMatching(new RegExp(`^${wanted(id)}-\\d+$`))]);
    expect(others.map((each) => merged.pageById.get(each)?.slug)).toContain(wanted(id));
  }
}

/** Pages that one side did not put anywhere stand as on the other. */
function expectOrder({ views, expected }: Made, merged: Made['views']['base']): void {
  const placed = (side: 'primary' | 'changeRequest', id: string) =>
    expected[side].isNew(id) || expected[side].moved(id);
  const inOrder = (view: typeof merged, ids: string[]) => {
    const parent = ids[0] === undefined ? '' : parentIn(view, ids[0]);
    const list = listIn(view, parent);
    return ids.every((id) => list.includes(id)) ? list.filter((id) => ids.includes(id)) : ids;
  };
  for (const parent of ['', ...merged.pageById.keys()]) {
    const list = listIn(merged, parent);
    const ofPrimary = list.filter((id) => !placed('changeRequest', id));
    expect(ofPrimary).toEqual(inOrder(views.primary, ofPrimary));
    const before = listIn(views.primary, parent);
    const untouched = before.every((id) => !placed('primary', id)) && list.every((id) => !placed('primary', id));
    if (untouched) expect(list).toEqual(inOrder(views.changeRequest, list));
  }
}

/** Lines are in the result, unless their page is among those that were in conflict. */
async function expectNothingLost(
  { views }: Made,
  merged: Made['views']['base'],
  but: readonly Conflict[],
): Promise<void> {
  const settled = new Set(but.filter(({ kind }) => kind === 'page').map(({ id }) => id));
  for (const side of [views.primary, views.changeRequest]) {
    const other = side === views.primary ? views.changeRequest : views.primary;
    for (const [id, line] of await addedLines(sides, views.base, side)) {
      if (settled.has(id) || (await sides.sourceOf(other, id)).includes(line)) continue;
      expect([id, linesOf(await sides.sourceOf(merged, id))]).toEqual([id, expect.arrayContaining([line])]);
    }
  }
}

/** Merging what is merged changes nothing, whichever way the revisions went. */
async function expectSettled({ views }: Made, merged: Made['views']['base']): Promise<void> {
  const { primary, changeRequest } = views;
  const again = [
    { base: primary, primary, changeRequest: merged },
    { base: primary, primary: merged, changeRequest: primary },
    { base: primary, primary: merged, changeRequest: merged },
    { base: changeRequest, primary: changeRequest, changeRequest: merged },
    { base: changeRequest, primary: merged, changeRequest },
  ];
  for (const [at, three] of again.entries()) {
    const { conflicts, store } = await sides.merge(three);
    expect([at, conflicts]).toEqual([at, []]);
    const { content } = await store();
    expect([at, shape(content.pages ?? [])]).toEqual([at, shape(merged.pages)]);
  }
}

const sideOf = (views: Made['views'], choice: MergeSide) =>
  choice === 'primary' ? views.primary : views.changeRequest;

/** Checks that the result has of a page what was chosen. */
async function expectChosen(
  { views }: Made,
  merged: Made['views']['base'],
  { conflict, choice, wanted: parents }: { conflict: Conflict; choice: MergeSide; wanted: ReadonlyMap<string, string> },
): Promise<void> {
  const { id, deletedIn, attributes, hunks } = conflict;
  const page = merged.pageById.get(id);
  if (deletedIn) return expect([id, page !== undefined]).toEqual([id, deletedIn !== choice]);
  const side = sideOf(views, choice);
  const wanted = side.pageById.get(id);
  for (const { attribute } of attributes) {
    if (fieldNames.includes(attribute as FieldName))
      expect([id, page?.[attribute as FieldName]]).toEqual([id, wanted?.[attribute as FieldName]]);
    if (attribute === 'slug') expect(page?.slug.replace(/-\d+$/, '')).toBe(wanted?.slug.replace(/-\d+$/, ''));
    const parent = parentIn(side, id);
    const isPossible =
      (parent === '' || merged.pageById.has(parent)) &&
      !isCircular(id, (at) => parents.get(at) ?? parentIn(merged, at));
    if (attribute === 'position' && isPossible) expect([id, parentIn(merged, id)]).toEqual([id, parent]);
  }
  const lines = linesOf(await sides.sourceOf(merged, id));
  for (const hunk of hunks)
    for (const line of choice === 'primary' ? hunk.primary : hunk.changeRequest) expect(lines).toContain(line);
}

const settings = { numRuns: runs(4) };
const places: EditKind[] = ['move', 'reorder', 'insert', 'delete', 'slug'];
const texts: EditKind[] = ['text', 'title', 'heading', 'metadata'];
const nesting: EditKind[] = ['move'];
const sidesOf = (most: number): fc.Arbitrary<Case> =>
  fc.oneof(
    ...[undefined, places, texts, nesting].map((kinds) =>
      fc.record({ tree: trees, ours: edits(most, kinds), theirs: edits(most, kinds) }),
    ),
  );

/** Pages by turns: of one side, of the other, and of both to put pages into. */
const ownEach = (turn: number): Allowed => ({
  own: (id) => Number(id.slice(1)) % 3 === turn,
  holder: (id) => Number(id.slice(1)) % 3 === turn || Number(id.slice(1)) % 3 === 2,
});

test('edits of different pages merge, and the result is both', async () => {
  await fc.assert(
    fc.asyncProperty(sidesOf(6), async (random) => {
      const given = await made(random, { ours: ownEach(0), theirs: ownEach(1) });
      fc.pre(!given.expected.isCycle);
      const merged = await sides.committed(given.views);
      await expectSound(sides, merged);
      await expectBoth(given, merged);
      await expectNothingLost(given, merged, []);
      await expectSettled(given, merged);
    }),
    settings,
  );
});

async function expectMergedOrReported(given: Made): Promise<void> {
  const { views, expected } = given;
  const stored = await sides.documents();
  const { conflicts } = await sides.merge(views);
  const reported = new Set(conflicts.map(({ id }) => id));
  for (const id of expected.conflicting) expect(reported).toContain(id);
  for (const id of reported) expect([id, expected.mayConflict(id)]).toEqual([id, true]);
  expect(await sides.documents()).toBe(stored);
  if (conflicts.length > 0) return;
  const merged = await sides.committed(views);
  await expectSound(sides, merged);
  await expectBoth(given, merged);
  await expectNothingLost(given, merged, []);
  await expectSettled(given, merged);
}

test('any edits merge or are reported, and nothing of them is lost', async () => {
  await fc.assert(
    fc.asyncProperty(sidesOf(5), async (random) => {
      await expectMergedOrReported(await made(random));
    }),
    settings,
  );
});

test('a choice for each conflict settles them', async () => {
  await fc.assert(
    fc.asyncProperty(sidesOf(5), fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }), async (random, picks) => {
      const given = await made(random);
      const { conflicts } = await sides.merge(given.views);
      fc.pre(conflicts.length > 0);
      const choiceAt = (at: number): MergeSide => (picks[at % picks.length] ? 'primary' : 'change-request');
      const choices = new Map(conflicts.map((conflict, at) => [Conflicts.key(conflict), choiceAt(at)]));
      const merged = await sides.committed(given.views, choices);
      await expectSound(sides, merged);
      // Choices for two positions may contradict each other.
      const wanted = new Map(
        conflicts.flatMap(({ id, attributes }, at): [string, string][] =>
          attributes.some(({ attribute }) => attribute === 'position')
            ? [[id, parentIn(sideOf(given.views, choiceAt(at)), id)]]
            : [],
        ),
      );
      for (const [at, conflict] of conflicts.entries())
        await expectChosen(given, merged, { conflict, choice: choiceAt(at), wanted });
      await expectNothingLost(given, merged, conflicts);
      await expectSettled({ ...given, views: { ...given.views, changeRequest: given.views.primary } }, merged);
    }),
    settings,
  );
});

test('an updated change request goes on as one that began there', async () => {
  await fc.assert(
    fc.asyncProperty(sidesOf(4), edits(3), edits(3), fc.boolean(), async (random, ours, theirs, pick) => {
      const { views } = await made(random);
      const { conflicts } = await sides.merge(views);
      const choice: MergeSide = pick ? 'primary' : 'change-request';
      const updated = await sides.committed(views, new Map(conflicts.map((each) => [Conflicts.key(each), choice])));
      const base = views.primary;
      const primary = await edited(sides, base, { list: ours, name: 'later ours' });
      const { view } = await edited(sides, updated, { list: theirs, name: 'later theirs' });
      const expected = new Expected({ base, primary, changeRequest: { view, replaced: new Map() } });
      await expectMergedOrReported({ views: { base, primary: primary.view, changeRequest: view }, expected });
    }),
    settings,
  );
});
