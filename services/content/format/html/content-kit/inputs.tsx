import type { ComponentChild, VNode } from 'preact';
import { isSpecObject, specList, specText, writeJson } from '../openapi/spec-values.js';
import { boundText, type Kit, type KitElement, openedAddress, stateOf } from './elements.js';

/** A button: a link where it opens an address; a form where presses can be sent; else it cannot be pressed. */
export function button(kit: Kit, element: KitElement): VNode {
  const { style, onPress, disabled } = element;
  const label = specText(element.label, 200) || specText(element.tooltip, 200) || specText(element.icon, 40);
  const look = style === 'primary' || style === 'danger' ? ` button-${style}` : '';
  const title = specText(element.tooltip, 200) || undefined;
  const address = openedAddress(kit, onPress);
  if (address !== undefined && disabled !== true)
    return (
      <a class={`button external${look}`} href={address} rel="noopener" title={title}>
        {label}
      </a>
    );
  const canPress = kit.action !== undefined && disabled !== true && isSpecObject(onPress);
  if (!canPress)
    return (
      <button type="button" class={`button${look}`} title={title} disabled>
        {label}
      </button>
    );
  return (
    <form class="kit-form" method="post" action={kit.action}>
      <input type="hidden" name="action" value={writeJson(onPress, { maxCharacters: 20_000, indent: '' })} />
      <button type="submit" class={`button${look}`} title={title}>
        {label}
      </button>
    </form>
  );
}

const fieldTypes = new Set(['textinput', 'select', 'switch', 'radio', 'checkbox']);
export const isField = (element: unknown): element is KitElement =>
  isSpecObject(element) && fieldTypes.has(String(element.type));

/** A field that shows its value; without a script, nobody can send it. `label`: shown beside it by `input`, or its name alone. */
export function field(kit: Kit, element: KitElement, label?: string): VNode {
  const id = `${kit.prefix}field-${++kit.fields}`;
  const isBox = ['switch', 'radio', 'checkbox'].includes(String(element.type));
  const name = label ?? (specText(element.placeholder, 200) || specText(element.state, 100));
  const control = fieldControl(kit, element, label === undefined ? { 'aria-label': name } : { id });
  if (label === undefined) return control;
  const labelled = (
    <label class="kit-label" for={id}>
      {label}
    </label>
  );
  return <div class={isBox ? 'kit-choice' : 'kit-field'}>{isBox ? [control, labelled] : [labelled, control]}</div>;
}

type Naming = { id: string } | { 'aria-label': string };

function fieldControl(kit: Kit, element: KitElement, naming: Naming): VNode {
  const value = stateOf(kit, element.state) ?? element.initialValue;
  switch (element.type) {
    case 'select':
      return select(element, value, naming);
    case 'switch':
      return <input type="checkbox" class="kit-switch" {...naming} checked={value === true} disabled />;
    case 'checkbox':
      return (
        <input type="checkbox" {...naming} checked={Array.isArray(value) && value.includes(element.value)} disabled />
      );
    case 'radio':
      return <input type="radio" {...naming} checked={value !== undefined && value === element.value} disabled />;
    default:
      return textInput(element, boundText(kit, value), naming);
  }
}

function textInput({ multiline, inputType, placeholder }: KitElement, value: string, naming: Naming): VNode {
  const hint = specText(placeholder, 200) || undefined;
  if (multiline === true)
    return (
      <textarea class="kit-input" {...naming} placeholder={hint} disabled>
        {value}
      </textarea>
    );
  const shown = { ...naming, class: 'kit-input', placeholder: hint, disabled: true };
  if (inputType === 'password') return <input type="password" {...shown} />;
  return inputType === 'email' ? (
    <input type="email" {...shown} value={value} />
  ) : (
    <input type="text" {...shown} value={value} />
  );
}

function select({ options, placeholder, multiple }: KitElement, value: unknown, naming: Naming): VNode {
  const chosen = new Set([value].flat());
  const shown: ComponentChild[] = specList(options, 500).map((option) =>
    isSpecObject(option) ? (
      <option selected={chosen.has(option.id)}>{specText(option.label, 200) || specText(option.id, 200)}</option>
    ) : null,
  );
  return (
    <select class="kit-input" {...naming} multiple={multiple === true} disabled>
      {multiple === true || specText(placeholder) === '' ? null : <option>{specText(placeholder, 200)}</option>}
      {shown}
    </select>
  );
}
