import { isSpecObject, type SpecObject, specText } from '../openapi/spec-values.js';
import { safeLink } from '../openapi/web-addresses.js';

/** An element that an integration answers; nothing in it is checked. */
export type KitElement = SpecObject;

/** The elements of a tree that are still shown, its state and the origins of its frames. */
export interface Kit {
  state: SpecObject;
  frames: Set<string>;
  /** The address that presses are sent to; without it, buttons that need the integration cannot be pressed. */
  action: string | undefined;
  elementsLeft: number;
  /** Fields, for their ids. */
  fields: number;
  prefix: string;
}

export const maxKitDepth = 40;

/** The children of an element: elements and texts. */
export const kitChildren = (element: KitElement): unknown[] => asList(element.children).slice(0, 2000);

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

/** A text, or the text in the state that a binding names. */
export function boundText(kit: Kit, value: unknown, maxLength = 100_000): string {
  const bound = isSpecObject(value) && typeof value.$state === 'string' ? stateOf(kit, value.$state) : value;
  if (typeof bound === 'number' || typeof bound === 'boolean') return String(bound);
  return specText(bound, maxLength);
}

export const stateOf = (kit: Kit, name: unknown): unknown =>
  typeof name === 'string' && Object.hasOwn(kit.state, name) ? kit.state[name] : undefined;

/** The address of a link: a text, or its parts. */
export function kitAddress(kit: Kit, url: unknown): string | undefined {
  if (!isSpecObject(url)) return safeLink(url);
  const query = isSpecObject(url.query)
    ? Object.entries(url.query)
        .slice(0, 100)
        .map(([name, value]): [string, string] => [name, boundText(kit, value, 2000)])
    : [];
  const search = query.length === 0 ? '' : `?${new URLSearchParams(query)}`;
  return safeLink(`https://${specText(url.host)}${specText(url.pathname, 2000)}${search.toWellFormed()}`);
}

/** The address that a press opens, for actions that open one. */
export const openedAddress = (kit: Kit, action: unknown): string | undefined =>
  isSpecObject(action) && action.action === '@ui.url.open' ? kitAddress(kit, action.url) : undefined;
