import type { Element, Nodes, Root } from 'hast';
import { anchorOfText } from '../../../format/document/context/anchors.js';
import { elementsIn, isElement, isHeading, lineOf, property } from './elements.js';

const maxIds = 5000;
const maxId = 200;

/**
 * Gives headings without an id that of the section or the empty element that they begin, as many generators write it. Returns where the
 * other ids of the page are: the anchor of the heading above, or '' for what stands above all headings.
 */
export function placeIds(content: Element | Root): Map<string, string> {
  const ids = new Ids();
  ids.walk(content);
  return ids.places();
}

const idOf = (element: Element): string =>
  property(element, 'id') || (element.tagName === 'a' ? property(element, 'name') : '');

class Ids {
  private readonly headings = new Map<string, Element | undefined>();
  /** Ids that no text has followed yet. */
  private waiting: string[] = [];
  private current: Element | undefined;
  private tables = 0;
  private readonly anchors = new Map<string, number>();

  walk(node: Nodes): void {
    if (node.type === 'text' && node.value.trim() === '') return;
    if (node.type === 'text' || isElement(node, 'img')) this.settle(this.current);
    const isTable = isElement(node, 'table');
    // A heading in a table becomes text.
    if (this.tables === 0 && isHeading(node) && lineOf(node) !== '') this.heading(node);
    else if ('children' in node) {
      if (isElement(node)) this.wait(idOf(node));
      if (isTable) this.tables++;
      for (const child of node.children) this.walk(child);
      if (isTable) this.tables--;
    }
  }

  places(): Map<string, string> {
    this.settle(this.current);
    return new Map(Array.from(this.headings, ([id, heading]) => [id, heading ? this.anchorOf(heading) : '']));
  }

  private wait(id: string): void {
    if (id && id.length <= maxId && this.headings.size + this.waiting.length < maxIds) this.waiting.push(id);
  }

  private heading(heading: Element): void {
    for (const element of elementsIn(heading)) this.wait(idOf(element));
    if (!property(heading, 'id')) heading.properties.id = this.waiting.shift();
    this.settle(heading);
    this.current = heading;
    const anchor = this.named(heading);
    this.anchors.set(anchor, (this.anchors.get(anchor) ?? 0) + 1);
  }

  private settle(heading: Element | undefined): void {
    for (const id of this.waiting) if (!this.headings.has(id)) this.headings.set(id, heading);
    this.waiting = [];
  }

  private named = (heading: Element): string => property(heading, 'id') || anchorOfText(lineOf(heading));

  /** Headings that say the same have numbers in their anchors, which depend on the whole page. */
  private anchorOf(heading: Element): string {
    const anchor = this.named(heading);
    return property(heading, 'id') || this.anchors.get(anchor) === 1 ? anchor : '';
  }
}
