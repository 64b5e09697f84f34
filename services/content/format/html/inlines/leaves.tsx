import type { TextNode } from '../../document/document-model.js';
import { type Fields, readFields, readItems, textIn } from '../read-data.js';
import { type Child, classNames } from '../rendering.js';

/** The texts of a node with their marks. */
export function renderText(node: TextNode): Child[] {
  return readItems(node.leaves).map((leaf) => renderLeaf(readFields(leaf)));
}

function renderLeaf({ text, marks }: Fields): Child {
  const shown = withLineBreaks(textIn(text));
  const given = readItems(marks);
  return given.length === 0 || shown === '' ? shown : withMarks(shown, given.map(readFields));
}

function withLineBreaks(text: string): Child {
  if (!text.includes('\n')) return text;
  return text.split('\n').map((line, at) => (at === 0 ? line : [<br />, line]));
}

/** From the innermost outwards. */
const order = ['code', 'keyboard', 'superscript', 'subscript', 'strikethrough', 'italic', 'bold', 'color'];

function withMarks(text: Child, marks: Fields[]): Child {
  let made = text;
  for (const type of order) {
    const mark = marks.find((each) => each.type === type);
    if (mark) made = withMark(type, made, readFields(mark.data));
  }
  return made;
}

function withMark(type: string, inside: Child, data: Fields): Child {
  switch (type) {
    case 'code':
      return <code>{inside}</code>;
    case 'keyboard':
      return <kbd>{inside}</kbd>;
    case 'superscript':
      return <sup>{inside}</sup>;
    case 'subscript':
      return <sub>{inside}</sub>;
    case 'strikethrough':
      return <s>{inside}</s>;
    case 'italic':
      return <em>{inside}</em>;
    case 'bold':
      return <strong>{inside}</strong>;
    default:
      return withColor(inside, data);
  }
}

function withColor(inside: Child, { text, background }: Fields): Child {
  const back = colorName(background);
  const front = colorName(text);
  const names = classNames(front && `text-${front}`, back && `back-${back}`);
  if (names === undefined) return inside;
  return back === undefined ? <span class={names}>{inside}</span> : <mark class={names}>{inside}</mark>;
}

/** `$primary` and `red` as the end of the name of a class; undefined for the default. */
export function colorName(value: unknown): string | undefined {
  const name = /^\$?([a-z]{1,20})$/.exec(textIn(value))?.[1];
  return name === 'default' ? undefined : name;
}
