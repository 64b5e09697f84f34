import type { ComponentChildren, VNode } from 'preact';
import { sign } from './elements.js';

type BadgeKind = 'plain' | 'info' | 'success' | 'warning' | 'danger';

interface BadgeProps {
  kind?: BadgeKind;
  icon?: string;
  children: ComponentChildren;
}

/** Says in a word how something stands. */
export const Badge = ({ kind = 'plain', icon, children }: BadgeProps): VNode => (
  <span class={`badge ${kind}`}>
    {icon && sign(icon)} {children}
  </span>
);
