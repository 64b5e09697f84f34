import type { Position } from '../rules.js';
import { isGroup, type Structure, sectionsOf, siteSpacesOf } from '../structure.js';

/** A structure as plain lists of ids: what is in which container, in order. The rules are tested against it. */
export class ListModel {
  /** Of `top` and of each group: sections and links, and at the top level groups. Of `root` and of each section: site spaces. */
  readonly lists = new Map<string, string[]>([
    ['top', []],
    ['root', []],
  ]);
  readonly paths = new Map<string, string>();
  /** Of `root`, of each section, and of the site (`top`). */
  readonly defaults = new Map<string, string>();
  readonly kinds = new Map<string, 'section' | 'group' | 'siteSpace' | 'link'>();

  of = (kind: string) => [...this.kinds].filter(([, each]) => each === kind).map(([id]) => id);
  list = (id: string) => this.lists.get(id) ?? [];
  holder = (id: string) => [...this.lists].find(([, ids]) => ids.includes(id))?.[0] ?? '';
  entries = () => [...this.of('section'), ...this.of('group'), ...this.of('link')];
  sections = () =>
    this.list('top')
      .flatMap((id) => (this.kinds.get(id) === 'group' ? this.list(id) : [id]))
      .filter((id) => this.kinds.get(id) === 'section');

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
  addSiteSpace(list: string, id: string, slug: string) {
    this.kinds.set(id, 'siteSpace');
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
  addSection(id: string, slug: string, siteSpace: string, wrapping: string) {
    const inRoot = this.list('root');
    if (inRoot.length > 0) {
      this.newSection(wrapping, 'wrapped');
      this.lists.set(wrapping, inRoot);
      this.defaults.set(wrapping, this.defaults.get('root') ?? '');
      this.lists.set('root', []);
      this.defaults.delete('root');
    }
    this.newSection(id, slug);
    this.addSiteSpace(id, siteSpace, 'first');
  }
  removeSection(id: string) {
    this.yieldDefault('top', id, this.sections());
    this.take(id);
    for (const siteSpace of this.list(id)) this.forget(siteSpace);
    this.forget(id);
  }
  removeSiteSpace(id: string) {
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
  /** Answers false for a link that must be refused. */
  addLink(id: string, list: string): boolean {
    if (this.sections().length === 0) return false;
    this.kinds.set(id, 'link');
    this.push(list, id);
    return true;
  }
  insert(list: string, id: string, anchor: string | undefined, offset: number) {
    this.take(id);
    const ids = [...this.list(list)];
    ids.splice(anchor === undefined ? ids.length : ids.indexOf(anchor) + offset, 0, id);
    this.lists.set(list, ids);
  }
  /** Answers false for a move that must be refused. */
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
    if (kind === 'siteSpace' && list !== from) {
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

/** A model in the form in which both are compared. */
export const ofModel = (model: ListModel) => ({
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

/** A structure in the same form. */
export const ofStructure = (structure: Structure): ReturnType<typeof ofModel> => ({
  root: structure.siteSpaces.items.map(({ id }) => id),
  top: structure.entries.map((entry) => (isGroup(entry) ? [entry.id, entry.children.map(({ id }) => id)] : entry.id)),
  inside: Object.fromEntries(
    sectionsOf(structure).map(({ id, siteSpaces }) => [id, siteSpaces.items.map((siteSpace) => siteSpace.id)]),
  ),
  defaults: {
    top: structure.defaultSection,
    root: structure.siteSpaces.default,
    ...Object.fromEntries(sectionsOf(structure).map(({ id, siteSpaces }) => [id, siteSpaces.default])),
  },
  paths: Object.fromEntries([
    ...sectionsOf(structure).map(({ id, path }) => [id, path]),
    ...siteSpacesOf(structure).map(({ siteSpace }) => [siteSpace.id, siteSpace.path]),
  ]),
});
