import { SpecProblem } from './spec-problem.js';

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Levels; a schema that is written out has some dozens. */
export const maxJsonDepth = 200;
const maxValues = 5_000_000;
const maxCharacters = 100_000_000;

/** Copies values as JSON holds them. What a text repeats by aliases is written out, as often as the bounds of one document allow. */
export class PlainCopies {
  private values = 0;
  private characters = 0;

  copy(value: unknown, depth = 0): unknown {
    this.count(1, typeof value === 'string' ? value.length : 0);
    if (typeof value === 'bigint') return Number(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === maxJsonDepth) throw new SpecProblem(`it is nested more than ${maxJsonDepth} levels deep`);
    if (Array.isArray(value)) return value.map((item) => this.copy(item, depth + 1));
    const made: JsonObject = {};
    for (const [key, inner] of Object.entries(value)) {
      this.count(0, key.length);
      // It would change the object that a reader of the JSON makes.
      if (key !== '__proto__') made[key] = this.copy(inner, depth + 1);
    }
    return made;
  }

  private count(values: number, characters: number): void {
    this.values += values;
    this.characters += characters;
    if (this.values > maxValues) throw new SpecProblem('it has too many values, perhaps repeated by aliases');
    if (this.characters > maxCharacters) throw new SpecProblem('it is too long, perhaps because aliases repeat it');
  }
}
