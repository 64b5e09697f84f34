import { isDeepStrictEqual } from 'node:util';
import type { Conflict, MergeSide } from './resources.js';

/** What a conflict is about. */
export type Named = Pick<Conflict, 'kind' | 'id' | 'title' | 'path'>;

/** What a merge cannot decide, and what its caller has decided. */
export class Conflicts {
  private readonly found = new Map<string, Conflict>();

  constructor(private readonly choices: ReadonlyMap<string, MergeSide>) {}

  static key = ({ kind, id }: Pick<Conflict, 'kind' | 'id'>): string => `${kind} ${id}`;

  get list(): Conflict[] {
    return [...this.found.values()];
  }

  /** The side that was chosen for something. */
  chosen(named: Named): MergeSide | undefined {
    return this.choices.get(Conflicts.key(named));
  }

  /** One value of three: that of the side that changed it. Where both did, the chosen one; without a choice, a conflict. */
  value<T>(named: Named, attribute: string, { base, primary, changeRequest }: Sides<T>): T {
    if (isDeepStrictEqual(primary, changeRequest) || isDeepStrictEqual(base, changeRequest)) return primary;
    if (isDeepStrictEqual(base, primary)) return changeRequest;
    const chosen = this.chosen(named);
    if (chosen) return chosen === 'primary' ? primary : changeRequest;
    this.differs(named, { attribute, base, primary, changeRequest });
    return primary;
  }

  /** What both sides changed, each to something else, or so that both together cannot be. */
  differs(named: Named, sides: Conflict['attributes'][number]): void {
    const { attributes } = this.of(named);
    if (!attributes.some(({ attribute }) => attribute === sides.attribute)) attributes.push(sides);
  }

  /** Whether something that one side deleted and the other changed goes; without a choice, it is a conflict and stays. */
  deletes(named: Named, deletedIn: MergeSide): boolean {
    const chosen = this.chosen(named);
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
