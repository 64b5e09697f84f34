import { type DocumentOptions, toDocument } from '../document/document.js';
import type { DocumentRef, JSONDocument } from '../document/document-model.js';
import { evaluateDocument } from '../document/evaluate.js';
import { type Inputs, newExpressions } from './expression-inputs.js';

/** `inputs`: what the body is evaluated with; without them, it stays as written. */
export interface SourceReading {
  source: string;
  inputs?: Inputs | undefined;
}

/** `title`: a first heading that repeats it is left out; `tags`: the labels of tags. */
export interface DocumentReading extends SourceReading, DocumentOptions {
  refs: ReadonlyMap<string, DocumentRef>;
}

export function document({ source, refs, inputs, ...reading }: DocumentReading): JSONDocument {
  const made = toDocument(source, (url, kind) => refs.get(`${kind} ${url}`), reading);
  return inputs ? evaluateDocument(made, newExpressions(inputs)) : made;
}
