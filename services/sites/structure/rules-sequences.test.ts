import fc from 'fast-check';
import { runs } from '../../../shared/testing/runs.js';
import { fromStored, toStored } from './model.js';
import * as rules from './rules.js';
import {
  defaultPlace,
  emptyStructure,
  findGroup,
  findSection,
  groupsOf,
  linksOf,
  type Structure,
  sectionsOf,
  siteSpacesOf,
} from './structure.js';
import { ListModel, ofModel, ofStructure } from './testing/list-model.js';

const actions = [
  'addSection',
  'addSection',
  'addSiteSpace',
  'addSiteSpace',
  'addGroup',
  'removeSection',
  'removeSiteSpace',
  'removeGroup',
  'intoGroup',
  'outOfGroup',
  'moveSection',
  'moveSection',
  'moveSiteSpace',
  'moveSiteSpace',
  'moveGroup',
  'addLink',
  'moveLink',
  'setParent',
  'removeLink',
  'rename',
  'defaultSection',
  'defaultSiteSpace',
] as const;
const step = fc.record({
  action: fc.constantFrom(...actions),
  picks: fc.tuple(fc.nat(), fc.nat(), fc.nat()),
  sides: fc.constantFrom('before', 'after', 'both', 'none'),
  slug: fc.constantFrom('docs', 'api', 'first', 'guide'),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const pick = (ids: string[], n: number): string | undefined => (ids.length > 0 ? ids[n % ids.length] : undefined);

function positionFor(ids: string[], { sides, picks: [, b, c] }: Step): rules.Position {
  const [before, after] = [pick(ids, b), pick(ids, c)];
  if (sides === 'before') return { before };
  if (sides === 'after') return { after };
  return sides === 'both' ? { before, after } : {};
}

/** A structure and its model, with the parts that a step picks. */
interface Pair {
  structure: Structure;
  model: ListModel;
  step: Step;
  /** Part of the ids of new parts. */
  number: number;
  section: string | undefined;
  group: string | undefined;
  siteSpace: string | undefined;
  link: string | undefined;
}

/** Whether the rules accepted the step, and whether they should have; undefined when there was nothing to do. */
type Done = [did: boolean, should: boolean] | undefined;

const did = (act: () => void): boolean => {
  try {
    act();
    return true;
  } catch (error) {
    if (![400, 409].includes((error as { code: number }).code)) throw error;
    return false;
  }
};

function moves(
  { structure, model, step }: Pair,
  id: string | undefined,
  move: (structure: Structure, id: string, position: rules.Position) => void,
  others: string[],
): Done {
  if (id === undefined) return;
  const position = positionFor(others, step);
  return [did(() => move(structure, id, position)), model.move(id, position)];
}

const acts: Record<(typeof actions)[number], (pair: Pair) => unknown> = {
  addSection({ structure, model, step: { slug }, number }) {
    const [id, first, wrapping] = [`s${number}`, `v${number}`, `w${number}`];
    const siteSpace = { id: first, space: 'x', path: 'first' };
    rules.addSection(structure, { id, slug, siteSpace }, { id: wrapping, slug: 'wrapped' });
    model.addSection(id, slug, first, wrapping);
  },
  addSiteSpace({ structure, model, step: { picks, slug }, number, section }) {
    const named = picks[2] % 2 === 0 ? section : undefined;
    const place = named === undefined ? defaultPlace(structure) : findSection(structure, named);
    const usual = model.sections().length > 0 ? model.defaults.get('top') : 'root';
    rules.addSiteSpace(structure, place, { id: `v${number}`, space: 'x' }, slug);
    model.addSiteSpace(named ?? usual ?? '', `v${number}`, slug);
  },
  addGroup({ structure, model, step: { picks }, number }) {
    const [id, some] = [`g${number}`, model.of('section').filter((_, at) => (picks[1] >> at) % 3 === 0)];
    rules.addGroup(structure, id, some);
    model.addGroup(id, some);
  },
  removeSection({ structure, model, section }) {
    if (section === undefined) return;
    rules.removeSection(structure, section);
    model.removeSection(section);
  },
  removeSiteSpace({ structure, model, siteSpace }) {
    if (siteSpace === undefined) return;
    rules.removeSiteSpace(structure, siteSpace);
    model.removeSiteSpace(siteSpace);
  },
  removeGroup({ structure, model, group }) {
    if (group === undefined) return;
    rules.removeGroup(structure, group);
    model.removeGroup(group);
  },
  intoGroup({ structure, model, step: { picks }, group }) {
    const section = pick(model.of('section'), picks[1]);
    if (group === undefined || section === undefined) return;
    rules.addToGroup(structure, findGroup(structure, group), findSection(structure, section));
    model.insert(group, section, undefined, 0);
  },
  outOfGroup({ structure, model, step: { picks }, group = '' }) {
    const section = pick(
      model.list(group).filter((id) => model.kinds.get(id) === 'section'),
      picks[1],
    );
    if (section === undefined) return;
    rules.removeFromGroup(structure, findGroup(structure, group), section);
    model.insert('top', section, group, 1);
  },
  moveSection: (pair) => moves(pair, pair.section, rules.moveSection, pair.model.entries()),
  moveGroup: (pair) => moves(pair, pair.group, rules.moveGroup, pair.model.entries()),
  moveLink: (pair) => moves(pair, pair.link, rules.moveLink, pair.model.entries()),
  addLink({ structure, model, number, group }) {
    const id = `l${number}`;
    return [did(() => rules.addLink(structure, id, group ?? null)), model.addLink(id, group ?? 'top')];
  },
  setParent({ structure, model, step: { picks }, link, group }) {
    if (link === undefined) return;
    const parent = picks[1] % 2 === 0 ? (group ?? null) : null;
    rules.setParent(structure, link, parent);
    if (model.holder(link) !== (parent ?? 'top')) model.insert(parent ?? 'top', link, undefined, 0);
  },
  removeLink({ structure, model, link }) {
    if (link === undefined) return;
    rules.removeLink(structure, link);
    model.take(link);
    model.forget(link);
  },
  moveSiteSpace: (pair) => moves(pair, pair.siteSpace, rules.moveSiteSpace, pair.model.of('siteSpace')),
  rename({ structure, model, step: { picks, slug } }) {
    const id = pick([...model.of('section'), ...model.of('siteSpace')], picks[0]);
    if (id === undefined) return;
    const rename = model.kinds.get(id) === 'section' ? rules.renameSection : rules.renameSiteSpace;
    return [did(() => rename(structure, id, slug)), model.rename(id, slug)];
  },
  defaultSection({ structure, model, section }) {
    if (section === undefined) return;
    rules.setDefaultSection(structure, section);
    model.defaults.set('top', section);
  },
  defaultSiteSpace({ structure, model, siteSpace }) {
    if (siteSpace === undefined) return;
    const holder = model.holder(siteSpace);
    rules.setDefaultSiteSpace(structure, holder === 'root' ? null : findSection(structure, holder), siteSpace);
    model.defaults.set(holder, siteSpace);
  },
};

function take(structure: Structure, model: ListModel, step: Step, number: number): Done {
  const [section, group, siteSpace, link] = (['section', 'group', 'siteSpace', 'link'] as const).map((kind) =>
    pick(model.of(kind), step.picks[0]),
  );
  return acts[step.action]({ structure, model, step, number, section, group, siteSpace, link }) as Done;
}

/** The faults of a structure; none after any sequence of steps. */
function faultsOf(structure: Structure): string[] {
  const ids = [...sectionsOf(structure), ...groupsOf(structure), ...linksOf(structure)].map(({ id }) => id);
  const siteSpaces = siteSpacesOf(structure).map(({ siteSpace }) => siteSpace.id);
  const levels = [
    sectionsOf(structure),
    structure.siteSpaces.items,
    ...sectionsOf(structure).map((s) => s.siteSpaces.items),
  ];
  return [
    ...(new Set([...ids, ...siteSpaces]).size === ids.length + siteSpaces.length ? [] : ['something is there twice']),
    ...levels.flatMap((level) =>
      new Set(level.map(({ path }) => path)).size === level.length ? [] : ['a path is taken twice'],
    ),
    ...((structure.defaultSection === null) === (sectionsOf(structure).length === 0)
      ? []
      : ['a default section is missing']),
    ...(structure.siteSpaces.items.length > 0 && sectionsOf(structure).length > 0
      ? ['site spaces at the root besides sections']
      : []),
  ];
}

it('stays equal to plain lists through any sequence of 200 operations', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 200, maxLength: 200, size: 'max' }), (steps) => {
      const [structure, model] = [emptyStructure(), new ListModel()];
      steps.forEach((each, at) => {
        const [did, should] = take(structure, model, each, at) ?? [];
        expect([each.action, did]).toEqual([each.action, should]);
        expect(ofStructure(structure)).toEqual(ofModel(model));
        expect(faultsOf(structure)).toEqual([]);
        expect(fromStored(toStored(structure))).toEqual(structure);
      });
    }),
    { numRuns: runs(5), endOnFailure: true },
  );
});
