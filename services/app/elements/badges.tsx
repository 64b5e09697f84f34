import type { ComponentChildren, VNode } from 'preact';

type BadgeKind = 'info' | 'success' | 'warning';

/** Says in a word how a thing is. */
export const Badge = ({ kind = 'info', children }: { kind?: BadgeKind; children: ComponentChildren }): VNode => (
  <span class={`badge ${kind}`}>{children}</span>
);
