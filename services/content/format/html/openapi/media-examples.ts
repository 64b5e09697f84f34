import { sampleOf } from './sampled-values.js';
import type { SpecPage } from './spec-page.js';
import { isSpecObject, type SpecObject, specEntries, specList, specText, writeJson } from './spec-values.js';

/** An example of a body, as text. */
export interface MediaExample {
  /** Its summary or name, if it has one. */
  title: string;
  text: string;
  language: 'json' | 'text';
}

const maxExamples = 5;

export const isJson = (mediaType: string): boolean => /\bjson\b/i.test(mediaType);

/** The schema of a media type; a sequence of items is shown as a list. */
export const schemaOfMedia = (media: SpecObject): unknown =>
  media.schema ?? (media.itemSchema === undefined ? undefined : { type: 'array', items: media.itemSchema });

/** The examples that a media type gives, else one that is made from its schema. */
export function examplesOf(
  page: SpecPage,
  [mediaType, media]: [string, SpecObject],
  side: 'request' | 'response',
): MediaExample[] {
  const given = specEntries(media.examples, page.compact ? 1 : maxExamples).flatMap(([name, part]) => {
    const example = page.references.object(part);
    const value = example?.value ?? example?.dataValue ?? example?.serializedValue;
    return value === undefined
      ? []
      : [exampleText(page, value, mediaType, specText(example?.summary, 100) || specText(name, 100))];
  });
  if (given.length > 0) return given.length === 1 ? given.map((one) => ({ ...one, title: '' })) : given;
  if (media.example !== undefined) return [exampleText(page, media.example, mediaType, '')];
  const made = madeExample(page, [mediaType, media], side);
  return made === undefined ? [] : [exampleText(page, made, mediaType, '')];
}

/** An example value of a body, given or made; undefined where none can be made. */
export function exampleValue(page: SpecPage, [mediaType, media]: [string, SpecObject]): unknown {
  const [first] = specEntries(media.examples, 1);
  const example = first && page.references.object(first[1]);
  return example?.value ?? example?.dataValue ?? media.example ?? madeExample(page, [mediaType, media], 'request');
}

function madeExample(page: SpecPage, [mediaType, media]: [string, SpecObject], side: 'request' | 'response'): unknown {
  const made = sampleOf(page.shapes, schemaOfMedia(media), side);
  return /xml/i.test(mediaType) || (isSpecObject(made) && Object.keys(made).length === 0) ? undefined : made;
}

function exampleText(page: SpecPage, value: unknown, mediaType: string, title: string): MediaExample {
  const maxCharacters = Math.min(page.maxExample, page.charactersLeft);
  const isText = typeof value === 'string' && !isJson(mediaType);
  const text = isText ? specText(value, maxCharacters) : writeJson(value, { maxCharacters, indent: '  ' });
  page.charactersLeft -= text.length;
  return { title, text, language: isText ? 'text' : 'json' };
}

/** The media types of a body or a response, in their order. */
export function mediaTypesOf(page: SpecPage, content: unknown): [string, SpecObject][] {
  return specEntries(content, maxMediaTypes).flatMap(([name, part]): [string, SpecObject][] => {
    const media = page.references.object(part);
    return media ? [[name, media]] : [];
  });
}

const maxMediaTypes = 10;

/** The values of an example of a parameter. */
export function parameterExample(page: SpecPage, parameter: SpecObject): unknown {
  if (parameter.example !== undefined) return parameter.example;
  const [first] = specEntries(parameter.examples, 1).map(([, part]) => page.references.object(part)?.value);
  return first ?? specList(parameter.examples, 1)[0];
}
