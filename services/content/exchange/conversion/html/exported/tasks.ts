import type { Element, ElementContent, Parents } from 'hast';
import { elementsIn, hasClass, isElement, propertyText } from '../elements.js';

/** Gives each list item that is a task a checkbox as its first child, in the forms of GitHub, MkDocs, Confluence and Notion. */
export function placeCheckboxes(content: Parents): void {
  for (const element of [...elementsIn(content)]) {
    if (element.tagName === 'li') placeCheckbox(element);
    // Elsewhere it is a value of a table, which Notion writes so in its own CSV files.
    else if (isDrawnBox(element)) element.children = [{ type: 'text', value: isCheckedBox(element) ? 'Yes' : 'No' }];
  }
}

/** The state of a list item that is a task; undefined for another one. */
export function taskState({ children: [first] }: Element): boolean | undefined {
  return isElement(first, 'input') ? isCheckedBox(first) : undefined;
}

function placeCheckbox(item: Element): void {
  const found = findBox(item);
  const isTask = found || hasClass(item, 'checked', 'unchecked') || propertyText(item, 'dataInlineTaskId') !== '';
  if (!isTask) return;
  const checked = found ? isCheckedBox(found.box) : hasClass(item, 'checked');
  if (found) found.parent.children = found.parent.children.filter((child) => child !== found.box);
  item.children = [
    { type: 'element', tagName: 'input', properties: { type: 'checkbox', checked }, children: [] },
    ...item.children,
  ];
}

/** The box that an element begins with. */
function findBox(parent: Element): { parent: Element; box: Element } | undefined {
  const first = parent.children.find((child) => !isSpaceText(child) && !isEmptyCustomElement(child));
  if (!isElement(first)) return undefined;
  if (isElement(first, 'input') || isDrawnBox(first)) return { parent, box: first };
  return isElement(first, 'p', 'label', 'span', 'div') ? findBox(first) : undefined;
}

/** A checkbox as Notion and AsciiDoc draw it. */
const isDrawnBox = (element: Element): boolean =>
  hasClass(element, 'checkbox-on', 'checkbox-off', 'fa-check-square-o', 'fa-square-o');

const isCheckedBox = (box: Element): boolean =>
  box.properties.checked === true || hasClass(box, 'checkbox-on', 'fa-check-square-o');

/** Such as the button that GitLab draws by a script. */
const isEmptyCustomElement = (node: ElementContent): boolean =>
  isElement(node) && node.tagName.includes('-') && node.children.length === 0;

const isSpaceText = (node: ElementContent) => node.type === 'text' && node.value.trim() === '';
