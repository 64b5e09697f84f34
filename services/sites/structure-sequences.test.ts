import fc from 'fast-check';
import {
  addGroup,
  addSection,
  addToGroup,
  addVariant,
  defaultPlace,
  emptyStructure,
  findGroup,
  findSection,
  groupsOf,
  isGroup,
  moveGroup,
  moveSection,
  moveVariant,
  type Position,
  removeFromGroup,
  removeGroup,
  removeSection,
  removeVariant,
  renameSection,
  renameVariant,
  type Structure,
  sectionsOf,
  setDefaultSection,
  setDefaultVariant,
  siteSpacesOf,
} from './structure.js';

/** The same in lists of ids: what stands in which container, in order. */
class Model {
  /** Of `top` and of each group: sections, and at the top groups. Of `root` and of each section: site spaces. */
  readonly lists = new Map<string, string[]>([
    ['top', []],
    ['root', []],
  ]);
  readonly paths = new Map<string, string>();
  /** Of `root`, of each section, and of the site (`top`). */
  readonly defaults = new Map<string, string>();
  readonly kinds = new Map<string, 'section' | 'group' | 'variant'>();

  of = (kind: string) => [...this.kinds].filter(([, each]) => each === kind).map(([id]) => id);
  list = (id: string) => this.lists.get(id) ?? [];
  holder = (id: string) => [...this.lists].find(([, ids]) => ids.includes(id))?.[0] ?? '';
  entries = () => [...this.of('section'), ...this.of('group')];
  sections = () => this.list('top').flatMap((id) => (this.kinds.get(id) === 'group' ? this.list(id) : [id]));

  free(path: string, among: string[]): string {
    const taken = among.map((id) => this.paths.get(id));
    if (!taken.includes(path)) return path;
    let n = 1;
    while (taken.includes(`${path}-${n}`)) n++;
    return `${path}-${n}`;
  }
  /** To the end of a list. */
  push(list: string, id: string) {
    this.lists.set(list, [...this.list(list), id]);
  }
  take(id: string) {
    for (const [list, ids] of this.lists)
      this.lists.set(
        list,
        ids.filter((each) => each !== id),
      );
  }
  forget(id: string) {
    for (const map of [this.kinds, this.paths, this.lists, this.defaults]) map.delete(id);
  }
  /** The next one, else the one before, becomes what `id` was the default of. */
  yieldDefault(of: string, id: string, order: string[]) {
    if (this.defaults.get(of) !== id) return;
    const at = order.indexOf(id);
    const heir = order[at + 1] ?? order[at - 1];
    if (heir === undefined) this.defaults.delete(of);
    else this.defaults.set(of, heir);
  }
  addVariant(list: string, id: string, slug: string) {
    this.kinds.set(id, 'variant');
    this.paths.set(id, this.free(slug, this.list(list)));
    this.push(list, id);
    if (!this.defaults.has(list)) this.defaults.set(list, id);
  }
  newSection(id: string, slug: string) {
    this.kinds.set(id, 'section');
    this.paths.set(id, this.free(slug, this.sections()));
    this.lists.set(id, []);
    this.push('top', id);
    if (!this.defaults.has('top')) this.defaults.set('top', id);
  }
  addSection(id: string, slug: string, variant: string, wrapping: string) {
    const inRoot = this.list('root');
    if (inRoot.length > 0) {
      this.newSection(wrapping, 'wrapped');
      this.lists.set(wrapping, inRoot);
      this.defaults.set(wrapping, this.defaults.get('root') ?? '');
      this.lists.set('root', []);
      this.defaults.delete('root');
    }
    this.newSection(id, slug);
    this.addVariant(id, variant, 'first');
  }
  removeSection(id: string) {
    this.yieldDefault('top', id, this.sections());
    this.take(id);
    for (const variant of this.list(id)) this.forget(variant);
    this.forget(id);
  }
  removeVariant(id: string) {
    this.yieldDefault(this.holder(id), id, this.list(this.holder(id)));
    this.take(id);
    this.forget(id);
  }
  addGroup(id: string, sections: string[]) {
    this.kinds.set(id, 'group');
    for (const section of sections) this.take(section);
    this.lists.set(id, sections);
    this.push('top', id);
  }
  removeGroup(id: string) {
    this.lists.set(
      'top',
      this.list('top').flatMap((each) => (each === id ? this.list(id) : [each])),
    );
    this.forget(id);
  }
  insert(list: string, id: string, anchor: string | undefined, offset: number) {
    this.take(id);
    const ids = [...this.list(list)];
    ids.splice(anchor === undefined ? ids.length : ids.indexOf(anchor) + offset, 0, id);
    this.lists.set(list, ids);
  }
  /** False when it is to be refused. */
  move(id: string, { before, after }: Position): boolean {
    if (before === id || after === id) return false;
    let anchor = before ?? after;
    let list = this.holder(anchor ?? id);
    const kind = this.kinds.get(id);
    if (kind === 'group' && anchor !== undefined && list !== 'top') {
      if (list === id) return false;
      anchor = list;
      list = 'top';
    }
    const from = this.holder(id);
    if (kind === 'variant' && list !== from) {
      if (this.list(list).some((other) => this.paths.get(other) === this.paths.get(id))) return false;
      this.yieldDefault(from, id, this.list(from));
      if (!this.defaults.has(list)) this.defaults.set(list, id);
    }
    this.insert(list, id, anchor, before === undefined ? 1 : 0);
    return true;
  }
  rename(id: string, path: string): boolean {
    const section = this.kinds.get(id) === 'section';
    const level = section ? this.sections() : this.list(this.holder(id));
    if (level.some((other) => other !== id && this.paths.get(other) === path)) return false;
    this.paths.set(id, path);
    return true;
  }
}

/** Both told in the same way. */
const ofModel = (model: Model) => ({
  root: model.list('root'),
  top: model.list('top').map((id) => (model.kinds.get(id) === 'group' ? [id, model.list(id)] : id)),
  inside: Object.fromEntries(model.sections().map((id) => [id, model.list(id)])),
  defaults: Object.fromEntries(['top', 'root', ...model.sections()].map((id) => [id, model.defaults.get(id) ?? null])),
  paths: Object.fromEntries(
    [...model.sections(), ...['root', ...model.sections()].flatMap((id) => model.list(id))].map((id) => [
      id,
      model.paths.get(id),
    ]),
  ),
});
const ofStructure = (structure: Structure): ReturnType<typeof ofModel> => ({
  root: structure.siteSpaces.items.map(({ id }) => id),
  top: structure.entries.map((entry) => (isGroup(entry) ? [entry.id, entry.sections.map(({ id }) => id)] : entry.id)),
  inside: Object.fromEntries(
    sectionsOf(structure).map(({ id, variants }) => [id, variants.items.map((variant) => variant.id)]),
  ),
  defaults: {
    top: structure.defaultSection,
    root: structure.siteSpaces.default,
    ...Object.fromEntries(sectionsOf(structure).map(({ id, variants }) => [id, variants.default])),
  },
  paths: Object.fromEntries([
    ...sectionsOf(structure).map(({ id, path }) => [id, path]),
    ...siteSpacesOf(structure).map(({ variant }) => [variant.id, variant.path]),
  ]),
});

const actions = [
  'addSection',
  'addSection',
  'addVariant',
  'addVariant',
  'addGroup',
  'removeSection',
  'removeVariant',
  'removeGroup',
  'intoGroup',
  'outOfGroup',
  'moveSection',
  'moveSection',
  'moveVariant',
  'moveVariant',
  'moveGroup',
  'rename',
  'defaultSection',
  'defaultVariant',
] as const;
const step = fc.record({
  action: fc.constantFrom(...actions),
  picks: fc.tuple(fc.nat(), fc.nat(), fc.nat()),
  sides: fc.constantFrom('before', 'after', 'both', 'none'),
  slug: fc.constantFrom('docs', 'api', 'first', 'guide'),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const pick = (ids: string[], n: number): string | undefined => (ids.length > 0 ? ids[n % ids.length] : undefined);

function positionFor(ids: string[], { sides, picks: [, b, c] }: Step): Position {
  const [before, after] = [pick(ids, b), pick(ids, c)];
  if (sides === 'before') return { before };
  if (sides === 'after') return { after };
  return sides === 'both' ? { before, after } : {};
}

/** Both, and what a step picks of them. */
interface Pair {
  structure: Structure;
  model: Model;
  step: Step;
  /** Names what is made. */
  number: number;
  section: string | undefined;
  group: string | undefined;
  variant: string | undefined;
}

/** Whether the product did it and the model does; nothing when there is nothing to do it to. */
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
  move: (structure: Structure, id: string, position: Position) => void,
  others: string[],
): Done {
  if (id === undefined) return;
  const position = positionFor(others, step);
  return [did(() => move(structure, id, position)), model.move(id, position)];
}

const acts: Record<(typeof actions)[number], (pair: Pair) => unknown> = {
  addSection({ structure, model, step: { slug }, number }) {
    const [id, first, wrapping] = [`s${number}`, `v${number}`, `w${number}`];
    const variant = { id: first, space: 'x', path: 'first' };
    addSection(structure, { id, slug, variant }, { id: wrapping, slug: 'wrapped' });
    model.addSection(id, slug, first, wrapping);
  },
  addVariant({ structure, model, step: { picks, slug }, number, section }) {
    const named = picks[2] % 2 === 0 ? section : undefined;
    const place = named === undefined ? defaultPlace(structure) : findSection(structure, named);
    const usual = model.sections().length > 0 ? model.defaults.get('top') : 'root';
    addVariant(structure, place, { id: `v${number}`, space: 'x' }, slug);
    model.addVariant(named ?? usual ?? '', `v${number}`, slug);
  },
  addGroup({ structure, model, step: { picks }, number }) {
    const [id, some] = [`g${number}`, model.of('section').filter((_, at) => (picks[1] >> at) % 3 === 0)];
    addGroup(structure, id, some);
    model.addGroup(id, some);
  },
  removeSection({ structure, model, section }) {
    if (section === undefined) return;
    removeSection(structure, section);
    model.removeSection(section);
  },
  removeVariant({ structure, model, variant }) {
    if (variant === undefined) return;
    removeVariant(structure, variant);
    model.removeVariant(variant);
  },
  removeGroup({ structure, model, group }) {
    if (group === undefined) return;
    removeGroup(structure, group);
    model.removeGroup(group);
  },
  intoGroup({ structure, model, step: { picks }, group }) {
    const section = pick(model.of('section'), picks[1]);
    if (group === undefined || section === undefined) return;
    addToGroup(structure, findGroup(structure, group), findSection(structure, section));
    model.insert(group, section, undefined, 0);
  },
  outOfGroup({ structure, model, step: { picks }, group = '' }) {
    const section = pick(model.list(group), picks[1]);
    if (section === undefined) return;
    removeFromGroup(structure, findGroup(structure, group), section);
    model.insert('top', section, group, 1);
  },
  moveSection: (pair) => moves(pair, pair.section, moveSection, pair.model.entries()),
  moveGroup: (pair) => moves(pair, pair.group, moveGroup, pair.model.entries()),
  moveVariant: (pair) => moves(pair, pair.variant, moveVariant, pair.model.of('variant')),
  rename({ structure, model, step: { picks, slug } }) {
    const id = pick([...model.of('section'), ...model.of('variant')], picks[0]);
    if (id === undefined) return;
    const rename = model.kinds.get(id) === 'section' ? renameSection : renameVariant;
    return [did(() => rename(structure, id, slug)), model.rename(id, slug)];
  },
  defaultSection({ structure, model, section }) {
    if (section === undefined) return;
    setDefaultSection(structure, section);
    model.defaults.set('top', section);
  },
  defaultVariant({ structure, model, variant }) {
    if (variant === undefined) return;
    const holder = model.holder(variant);
    setDefaultVariant(structure, holder === 'root' ? null : findSection(structure, holder), variant);
    model.defaults.set(holder, variant);
  },
};

function take(structure: Structure, model: Model, step: Step, number: number): Done {
  const [section, group, variant] = (['section', 'group', 'variant'] as const).map((kind) =>
    pick(model.of(kind), step.picks[0]),
  );
  return acts[step.action]({ structure, model, step, number, section, group, variant }) as Done;
}

/** What holds of every structure, whatever happened to it. */
function soundness(structure: Structure): string[] {
  const ids = [...sectionsOf(structure), ...groupsOf(structure)].map(({ id }) => id);
  const variants = siteSpacesOf(structure).map(({ variant }) => variant.id);
  const levels = [
    sectionsOf(structure),
    structure.siteSpaces.items,
    ...sectionsOf(structure).map((s) => s.variants.items),
  ];
  return [
    ...(new Set([...ids, ...variants]).size === ids.length + variants.length ? [] : ['something is there twice']),
    ...levels.flatMap((level) =>
      new Set(level.map(({ path }) => path)).size === level.length ? [] : ['a path is taken twice'],
    ),
    ...((structure.defaultSection === null) === (sectionsOf(structure).length === 0)
      ? []
      : ['a default section is missing']),
    ...(structure.siteSpaces.items.length > 0 && sectionsOf(structure).length > 0
      ? ['site spaces beside sections']
      : []),
  ];
}

it('stays equal to plain lists through any sequence of 200 operations', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 200, maxLength: 200, size: 'max' }), (steps) => {
      const [structure, model] = [emptyStructure(), new Model()];
      steps.forEach((each, at) => {
        const [did, should] = take(structure, model, each, at) ?? [];
        expect([each.action, did]).toEqual([each.action, should]);
        expect(ofStructure(structure)).toEqual(ofModel(model));
        expect(soundness(structure)).toEqual([]);
      });
    }),
    { numRuns: 60, endOnFailure: true },
  );
}, 60_000);
