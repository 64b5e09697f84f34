import { isUtf8 } from 'node:buffer';
import { describeProblems } from '../../../shared/contract/validation.js';
import { jsonExcess } from '../../../shared/text/json-extent.js';
import { safeParse } from '../../../shared/text/schema-messages.js';
import type { Outcome } from '../runtime/runtime.js';
import { scriptFault } from './ask-script.js';
import { type RenderOutput, renderOutputSchema } from './resources.js';

const maxBytes = 1024 * 1024;
const maxValues = 50_000;

/** Reads what a script rendered. Throws 422 for anything else. */
export function parseRenderOutput(outcome: Pick<Outcome, 'body'>): RenderOutput {
  const parsed = safeParse(renderOutputSchema, parseAnswerJson(outcome));
  if (!parsed.success) throw scriptFault(`it rendered nothing that can be shown (${describeProblems(parsed.error)})`);
  return parsed.data;
}

/** The JSON that a script answered, within what is taken of it. Throws 422. */
export function parseAnswerJson({ body }: Pick<Outcome, 'body'>): unknown {
  if (body.length > maxBytes) throw scriptFault(`it answered more than ${maxBytes} bytes of JSON`);
  const excess = isUtf8(body) ? jsonExcess(body, maxValues) : 'not UTF-8';
  if (excess) throw scriptFault(`its JSON is ${excess}`);
  try {
    return JSON.parse(body.toString());
  } catch {
    throw scriptFault('it did not answer JSON');
  }
}
