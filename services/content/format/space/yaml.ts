import { type CST, type Document, LineCounter, Parser, parseDocument } from 'yaml';

/** Characters. */
const MAX_YAML = 512 << 10;
const MAX_DEPTH = 100;
/** Limits YAML with its aliases expanded to this many times its source. */
const MAX_GROWTH = 4;
const MIN_ROOM = 1000;

interface Yaml {
  value?: unknown;
  /** The nodes that the value is made of. */
  document?: Document;
  /** One line for people. */
  problem?: string;
}

/** Parses YAML to plain data; anchors are expanded within bounds. Never throws. */
export function readYaml(text: string, { keepSourceTokens = false } = {}): Yaml {
  if (text.length > MAX_YAML) return { problem: 'the YAML is larger than 512 KiB' };
  try {
    for (const token of new Parser().parse(text)) {
      if (isTooDeep(token)) return { problem: 'the YAML is nested too deep' };
    }
    // Pretty errors quote their line: quadratic when thousands share one.
    const lineCounter = new LineCounter();
    const options = {
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
      lineCounter,
      keepSourceTokens,
    } as const;
    const document = parseDocument(text, options);
    const [error] = document.errors;
    if (!error) {
      const value: unknown = document.toJS({ maxAliasCount: 100 });
      const room = Math.max(MIN_ROOM, MAX_GROWTH * text.length);
      return isWithinRoom(value, room) ? { value, document } : { problem: 'the aliases of the YAML repeat too much' };
    }
    const { line, col } = lineCounter.linePos(error.pos[0]);
    return { problem: `${firstLineOf(error.message)} at line ${line}, column ${col}` };
  } catch (error) {
    return { problem: firstLineOf(error instanceof Error ? error.message : String(error)) };
  }
}

/**
 * The composer recurses. A stack overflow there can end the process (V8 cannot compile a regular expression without
 * stack) instead of throwing, so the depth is checked first.
 */
function isTooDeep(token: CST.Token): boolean {
  const open: { token: CST.Token; depth: number }[] = [{ token, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { depth } = next;
    if (depth > MAX_DEPTH) return true;
    if (next.token.type === 'document') {
      if (next.token.value) open.push({ token: next.token.value, depth });
    } else if ('items' in next.token) {
      for (const { key, value } of next.token.items) {
        if (key) open.push({ token: key, depth: depth + 1 });
        if (value) open.push({ token: value, depth: depth + 1 });
      }
    }
  }
  return false;
}

/** Whether the keys and values have no more characters than `room`; containers and short values count as one. */
function isWithinRoom(value: unknown, room: number): boolean {
  let left = room;
  const open: unknown[] = [value];
  for (let at = 0; at < open.length && left >= 0; at++) {
    const next = open[at];
    left -= typeof next === 'string' ? Math.max(1, next.length) : 1;
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, item] of Object.entries(next)) {
      if (!Array.isArray(next)) left -= key.length;
      open.push(item);
    }
  }
  return left >= 0;
}

export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function firstLineOf(message: string): string {
  return (message.split('\n', 1)[0] ?? message).slice(0, 200);
}
