import { invalid } from '../../../shared/errors/errors.js';

/** The deepest nesting of values. */
const maxDepth = 12;

const refusal = () => invalid('claims: must be an object in Rison or JSON');

/** Parses an object in Rison, `(plan:pro,beta:!t,tags:!(a,'b c'))`, or in JSON. Throws 400 for anything else. */
export function parseClaims(text: string): Record<string, unknown> {
  const value = text.trimStart().startsWith('{') ? parseJSON(text) : parseRison(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refusal();
  return value as Record<string, unknown>;
}

function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusal();
  }
}

function parseRison(text: string): unknown {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

/** One pass over a text. */
class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  value(depth: number): unknown {
    if (depth > maxDepth) throw refusal();
    const sign = this.text[this.at];
    if (sign === '(') return this.object(depth);
    if (sign === "'") return this.parseQuoted();
    if (sign === '!') return this.parseMarked(depth);
    return this.bare();
  }

  end(): void {
    if (this.at !== this.text.length) throw refusal();
  }

  private take(sign: string): boolean {
    const isThere = this.text[this.at] === sign;
    if (isThere) this.at += 1;
    return isThere;
  }

  private expect(sign: string): void {
    if (!this.take(sign)) throw refusal();
  }

  private object(depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    this.expect('(');
    if (this.take(')')) return {};
    do {
      const name = this.text[this.at] === "'" ? this.parseQuoted() : this.word();
      this.expect(':');
      entries.push([name, this.value(depth + 1)]);
    } while (this.take(','));
    this.expect(')');
    return Object.fromEntries(entries);
  }

  private parseMarked(depth: number): unknown {
    this.expect('!');
    if (this.take('t')) return true;
    if (this.take('f')) return false;
    if (this.take('n')) return null;
    this.expect('(');
    const items: unknown[] = [];
    if (this.take(')')) return items;
    do items.push(this.value(depth + 1));
    while (this.take(','));
    this.expect(')');
    return items;
  }

  /** `!'` and `!!` stand for the sign itself. */
  private parseQuoted(): string {
    this.expect("'");
    let text = '';
    while (!this.take("'")) {
      if (this.take('!') && this.text[this.at] !== "'" && this.text[this.at] !== '!') throw refusal();
      if (this.at >= this.text.length) throw refusal();
      text += this.text[this.at];
      this.at += 1;
    }
    return text;
  }

  private word(): string {
    const start = this.at;
    while (this.at < this.text.length && !" '!:(),*@$".includes(this.text[this.at] as string)) this.at += 1;
    if (this.at === start) throw refusal();
    return this.text.slice(start, this.at);
  }

  private bare(): string | number {
    const word = this.word();
    return /^-?(0|[1-9]\d{0,15})(\.\d{1,15})?(e-?\d{1,3})?$/.test(word) ? Number(word) : word;
  }
}
