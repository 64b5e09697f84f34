import { type EventKind, eventKinds } from './declaration.js';

/** The kind that selects events of a type; undefined for a type that webhooks never send. */
export function eventKindOf(type: string): EventKind | undefined {
  if (Object.hasOwn(eventKinds, type)) return type as EventKind;
  if (type.startsWith('page_')) return 'page_events';
  if (type.startsWith('comment_')) return 'comment_events';
  if (type.startsWith('space_gitsync_')) return 'space_gitsync';
  return undefined;
}

/** Whether a configuration selects events of a type. A property that is not set has its default. */
export function selectsType(configuration: Record<string, unknown>, type: string): boolean {
  const kind = eventKindOf(type);
  if (kind === undefined) return false;
  const chosen = Object.hasOwn(configuration, kind) ? configuration[kind] : undefined;
  return typeof chosen === 'boolean' ? chosen : eventKinds[kind].default;
}
