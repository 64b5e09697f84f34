import { createRequire } from 'node:module';
import type { HLJSApi, LanguageFn } from 'highlight.js';
import { languageOf, partsOfLanguage } from './languages.js';
import { classOfScope } from './scopes.js';

const require = createRequire(import.meta.url);

/** Text with the class of what it is; empty for plain text. */
export interface Token {
  text: string;
  kind: string;
}

/** Longer code stays plain. */
const maxHighlighted = 65_536;
const maxLine = 5000;

/** The code in tokens, whose texts together are the code. Code of an unknown language, or that is too long, is one plain token. */
export function highlight(code: string, syntax: string): Token[] {
  const language = languageOf(syntax);
  if (language === undefined || code.length > maxHighlighted || hasLongLine(code)) return [{ text: code, kind: '' }];
  try {
    const made = highlighterOf(language).highlight(code, { language, ignoreIllegals: true });
    const { tokens } = (made as unknown as { _emitter: Emitter })._emitter;
    return joinedText(tokens) === code ? tokens : [{ text: code, kind: '' }];
  } catch {
    return [{ text: code, kind: '' }];
  }
}

/** Expressions of some languages take a time that grows with the square of a line. */
function hasLongLine(code: string): boolean {
  let from = 0;
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', from)) {
    if (at - from > maxLine) return true;
    from = at + 1;
  }
  return code.length - from > maxLine;
}

const joinedText = (tokens: Token[]) => tokens.map(({ text }) => text).join('');

/** A highlighter by language: it knows that language and its parts alone, so that what was shown before changes nothing. */
const highlighters = new Map<string, HLJSApi>();

function highlighterOf(language: string): HLJSApi {
  const known = highlighters.get(language);
  if (known) return known;
  const made = (require('highlight.js/lib/core') as HLJSApi).newInstance();
  made.configure({ __emitter: Emitter } as unknown as Parameters<HLJSApi['configure']>[0]);
  for (const name of [language, ...partsOfLanguage(language)])
    made.registerLanguage(name, require(`highlight.js/lib/languages/${name}`) as LanguageFn);
  highlighters.set(language, made);
  return made;
}

/** Takes what highlight.js finds, in place of its writer of HTML. The innermost scope decides. */
class Emitter {
  tokens: Token[] = [];
  private readonly open: string[] = [];

  addText(text: string): void {
    if (text === '') return;
    const kind = this.open.at(-1) ?? '';
    const last = this.tokens.at(-1);
    if (last?.kind === kind) last.text += text;
    else this.tokens.push({ text, kind });
  }

  startScope(scope: string): void {
    this.open.push(classOfScope(String(scope)) ?? this.open.at(-1) ?? '');
  }

  endScope(): void {
    this.open.pop();
  }

  openNode(scope: string): void {
    this.startScope(scope);
  }

  closeNode(): void {
    this.endScope();
  }

  __addSublanguage({ tokens }: Emitter): void {
    for (const token of tokens) this.tokens.push(token);
  }

  closeAllNodes(): void {
    this.open.length = 0;
  }

  finalize(): void {
    this.closeAllNodes();
  }

  toHTML(): string {
    return '';
  }
}
