import { isSpecObject, type SpecObject } from './spec-values.js';

/** A part of a specification, after the references that lead to it. */
export interface Referred {
  value: unknown;
  /** The last pointer on the way; none for a part that stands where it is used. */
  pointer?: string;
}

/** A reference may lead to a reference. */
const maxHops = 20;

/** Follows `$ref` pointers within a specification. A pointer is followed once. */
export class SpecPointers {
  private readonly targets = new Map<string, unknown>();

  constructor(private readonly document: SpecObject) {}

  follow(part: unknown): Referred {
    let value = part;
    let pointer: string | undefined;
    for (let hop = 0; isSpecObject(value) && typeof value.$ref === 'string'; hop++) {
      if (hop === maxHops) return { value: undefined };
      pointer = value.$ref;
      value = this.at(pointer);
    }
    return pointer === undefined ? { value } : { value, pointer };
  }

  /** The object that a part is or refers to. */
  object(part: unknown): SpecObject | undefined {
    const { value } = this.follow(part);
    return isSpecObject(value) ? value : undefined;
  }

  /** The part that a pointer such as `#/components/schemas/Pet` leads to. */
  at(pointer: string): unknown {
    if (!this.targets.has(pointer)) this.targets.set(pointer, this.walk(pointer));
    return this.targets.get(pointer);
  }

  private walk(pointer: string): unknown {
    if (pointer === '#') return this.document;
    if (!pointer.startsWith('#/')) return undefined;
    let value: unknown = this.document;
    for (const part of pointer.slice(2).split('/')) {
      const key = decodePart(part);
      if (key === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
        return undefined;
      value = (value as SpecObject)[key];
    }
    return value;
  }
}

/** The name that a pointer ends with. */
export const nameOfPointer = (pointer: string): string => decodePart(pointer.slice(pointer.lastIndexOf('/') + 1)) ?? '';

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
