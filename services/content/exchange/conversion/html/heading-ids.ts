import type { Element, Nodes, Root } from 'hast';
import { anchorOfText } from '../../../format/document/context/anchors.js';
import { elementsIn, isElement, isHeading, propertyText, textInOneLine } from './elements.js';

const maxIds = 5000;
const maxId = 200;

/**
 * Gives headings without an id that of the section or the empty element that they begin, as many generators write it. Returns where the
 * other ids of the page are: the anchor of the heading above, or '' for what stands above all headings.
 */
export function placeHeadingIds(content: Element | Root): Map<string, string> {
  const ids = new Ids();
  ids.collectIds(content);
  return ids.headingsById();
}

const idOrNameOf = (element: Element): string =>
  propertyText(element, 'id') || (element.tagName === 'a' ? propertyText(element, 'name') : '');

class Ids {
  private readonly headings = new Map<string, Element | undefined>();
  /** Ids that no text has followed yet. */
  private waiting: string[] = [];
  private current: Element | undefined;
  private tables = 0;
  private readonly anchors = new Map<string, number>();

  collectIds(node: Nodes): void {
    if (node.type === 'text' && node.value.trim() === '') return;
    if (node.type === 'text' || isElement(node, 'img')) this.assignWaiting(this.current);
    const isTable = isElement(node, 'table');
    // A heading in a table becomes text.
    if (this.tables === 0 && isHeading(node) && textInOneLine(node) !== '') this.enterHeading(node);
    else if ('children' in node) {
      if (isElement(node)) this.holdForHeading(idOrNameOf(node));
      if (isTable) this.tables++;
      for (const child of node.children) this.collectIds(child);
      if (isTable) this.tables--;
    }
  }

  headingsById(): Map<string, string> {
    this.assignWaiting(this.current);
    return new Map(Array.from(this.headings, ([id, heading]) => [id, heading ? this.anchorOf(heading) : '']));
  }

  private holdForHeading(id: string): void {
    if (id && id.length <= maxId && this.headings.size + this.waiting.length < maxIds) this.waiting.push(id);
  }

  private enterHeading(heading: Element): void {
    for (const element of elementsIn(heading)) this.holdForHeading(idOrNameOf(element));
    if (!propertyText(heading, 'id')) heading.properties.id = this.waiting.shift();
    this.assignWaiting(heading);
    this.current = heading;
    const anchor = this.named(heading);
    this.anchors.set(anchor, (this.anchors.get(anchor) ?? 0) + 1);
  }

  private assignWaiting(heading: Element | undefined): void {
    for (const id of this.waiting) if (!this.headings.has(id)) this.headings.set(id, heading);
    this.waiting = [];
  }

  private named = (heading: Element): string => propertyText(heading, 'id') || anchorOfText(textInOneLine(heading));

  /** Headings that say the same have numbers in their anchors, which depend on the whole page. */
  private anchorOf(heading: Element): string {
    const anchor = this.named(heading);
    return propertyText(heading, 'id') || this.anchors.get(anchor) === 1 ? anchor : '';
  }
}
