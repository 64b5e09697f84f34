import { isDeepStrictEqual } from 'node:util';
import type { Conflict, MergeSide } from './resources.js';

/** Identifies the item that a conflict is about. */
export type Named = Pick<Conflict, 'kind' | 'id' | 'title' | 'path'>;

/** The conflicts that a merge cannot resolve, and the choices of its caller. */
export class Conflicts {
  private readonly found = new Map<string, Conflict>();
  private readonly decided: ReadonlyMap<string, { conflict: Conflict; choice: MergeSide }>;

  /** `open`: what the choices are for; others have no effect. */
  constructor(choices: ReadonlyMap<string, MergeSide> = new Map(), open: readonly Conflict[] = []) {
    const decided = open.map((conflict) => ({ conflict, choice: choices.get(Conflicts.key(conflict)) }));
    this.decided = new Map(
      decided.flatMap(({ conflict, choice }) => (choice ? [[Conflicts.key(conflict), { conflict, choice }]] : [])),
    );
  }

  static key = ({ kind, id }: Pick<Conflict, 'kind' | 'id'>): string => `${kind} ${id}`;

  get list(): Conflict[] {
    return [...this.found.values()];
  }

  /** The side that was chosen for something. */
  choiceOf(named: Named): MergeSide | undefined {
    return this.decided.get(Conflicts.key(named))?.choice;
  }

  /** Whether the primary content was chosen where it was in conflict about an attribute. */
  keeps(named: Named, attribute: string): boolean {
    const { conflict, choice } = this.decided.get(Conflicts.key(named)) ?? {};
    return choice === 'primary' && conflict?.attributes.some((each) => each.attribute === attribute) === true;
  }

  /** Whether an attribute is in conflict, and nothing chosen. */
  isOpen(named: Named, attribute: string): boolean {
    const { attributes = [] } = this.found.get(Conflicts.key(named)) ?? {};
    return attributes.some((each) => each.attribute === attribute);
  }

  /** One value of three: that of the side that changed it. Where both did, the chosen one; without a choice, a conflict. */
  value<T>(named: Named, attribute: string, { base, primary, changeRequest }: Sides<T>): T {
    if (isDeepStrictEqual(primary, changeRequest) || isDeepStrictEqual(base, changeRequest)) return primary;
    if (isDeepStrictEqual(base, primary)) return changeRequest;
    const chosen = this.choiceOf(named);
    if (chosen) return chosen === 'primary' ? primary : changeRequest;
    this.differs(named, { attribute, base, primary, changeRequest });
    return primary;
  }

  /** Notes a conflict: both sides changed the attribute, each to something else, or in ways that exclude each other. */
  differs(named: Named, sides: Conflict['attributes'][number]): void {
    if (!this.isOpen(named, sides.attribute)) this.of(named).attributes.push(sides);
  }

  /** Whether something that one side deleted and the other changed goes; without a choice, it is a conflict and stays. */
  deletes(named: Named, deletedIn: MergeSide): boolean {
    const chosen = this.choiceOf(named);
    if (chosen) return chosen === deletedIn;
    this.of(named).deletedIn = deletedIn;
    return false;
  }

  hunks(named: Named, hunks: Conflict['hunks']): void {
    this.of(named).hunks.push(...hunks);
  }

  private of(named: Named): Conflict {
    const key = Conflicts.key(named);
    const known = this.found.get(key) ?? { object: 'conflict', ...named, attributes: [], hunks: [] };
    this.found.set(key, known);
    return known;
  }
}

/** A value in the content that both sides come from, and in that of each side. */
export interface Sides<T> {
  base: T | undefined;
  primary: T;
  changeRequest: T;
}
