import { scaleMs } from '../../../../../shared/settings/time-scale.js';
import { escapeHtml } from '../../../../../shared/text/escaped-html.js';
import { sha256 } from '../../../../../shared/values/ids.js';
import { KeyedCache } from '../../../../../shared/work/keyed-cache.js';
import { eachInSlices } from '../../../../../shared/work/slices.js';
import { isTaskFailure, isTooMuch, type TaskOptions } from '../../../../../shared/workers/workers.js';
import type { GivenText } from '../../texts/read-text.js';
import type { TextHtml, TextsOfSpace } from './text-html.js';

/** Characters of the texts that one task makes; a single text may have more. */
const maxPart = 50_000;
/** Milliseconds after which no further task of a list begins. */
const listMs = scaleMs(4000);
/** Milliseconds of processor time for one task. */
const taskMs = scaleMs(2000);
/** A text that takes too much stays as it is written for this long, in milliseconds. */
const tooMuchMs = 60_000;

type Keyed = [key: string, text: GivenText];
type Run = (texts: TextsOfSpace, options: TaskOptions) => Promise<TextHtml[]>;

/**
 * Makes texts of a space to HTML, in their order: lists in parts, and each text is kept for itself. A text that takes too much, or that there is no
 * time for, is shown as it is written, and the others of its list all the same.
 */
export function openShownTexts(run: Run): (texts: TextsOfSpace, owner: string) => Promise<TextHtml[]> {
  const kept = new KeyedCache<TextHtml>({
    maxSize: 32 * 1024 * 1024,
    sizeOf: ({ html, outside }) => 2 * html.length + 200 * outside.length + 300,
  });

  return async ({ texts, space }, owner) => {
    const keyed: Keyed[] = [];
    await eachInSlices(texts, (text) => keyed.push([sha256(JSON.stringify([space, text])), text]));
    const shown = new Map(keyed.map(([key]) => [key, kept.getIfKept(key)]));
    const until = performance.now() + listMs;

    async function make(part: Keyed[]): Promise<void> {
      const waitMs = until - performance.now();
      if (waitMs <= 0) return;
      const wanted = { texts: part.map(([, text]) => text), space };
      try {
        const made = await run(wanted, { owner, waitMs, deadlineMs: taskMs });
        for (const [at, html] of made.entries()) {
          const [key] = part[at] as Keyed;
          kept.set(key, html);
          shown.set(key, html);
        }
      } catch (error) {
        if (!isTaskFailure(error)) throw error;
        if (!isTooMuch(error)) return;
        if (part.length > 1) for (const one of part) await make([one]);
        else await keepAsWritten(part[0] as Keyed);
      }
    }

    async function keepAsWritten([key, text]: Keyed): Promise<void> {
      await kept.get(key, async (keepFor) => {
        keepFor(tooMuchMs);
        return asWritten(text);
      });
    }

    for (const part of partsOf(new Map(keyed.filter(([key]) => !shown.get(key))))) await make(part);
    return keyed.map(([key, text]) => shown.get(key) ?? asWritten(text));
  };
}

function* partsOf(texts: ReadonlyMap<string, GivenText>): Generator<Keyed[]> {
  let [part, length]: [Keyed[], number] = [[], 0];
  for (const each of texts) {
    const added = lengthOf(each[1]);
    if (part.length > 0 && length + added > maxPart) {
      yield part;
      [part, length] = [[], 0];
    }
    part.push(each);
    length += added;
  }
  if (part.length > 0) yield part;
}

const lengthOf = (text: GivenText): number => ('markdown' in text ? text.markdown.length : maxPart);

const asWritten = (text: GivenText): TextHtml => ({
  html: 'markdown' in text ? `<p>${escapeHtml(text.markdown)}</p>` : '',
  outside: [],
});
