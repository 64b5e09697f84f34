import type { ComponentChildren, VNode } from 'preact';
import { iconSvg } from '../../../../shared/icons/icons.js';

interface Menu {
  /** Name for those who do not see `face`. */
  label?: string;
  face: ComponentChildren;
  class?: string;
  button?: string;
  /** Menus of one group close each other. */
  group?: string;
}

/** A button that opens a panel; it works without script. */
export const menu = ({ label, face, class: className, button, group }: Menu, content: ComponentChildren): VNode => (
  <details class={`menu${className ? ` ${className}` : ''}`} name={group}>
    <summary class={button ?? 'menu-button'} aria-label={label}>
      {face}
    </summary>
    <div class="menu-panel">{content}</div>
  </details>
);

/** An icon of the interface itself; it always has a text beside it or a label. */
export const sketch = (name: string, className?: string): VNode | null => iconSvg(name, 'solid', className);
