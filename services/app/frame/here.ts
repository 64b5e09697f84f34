import type { ScreenRequest } from './screen.js';

/** The address of the screen that is shown, with its query, for links to it and to come back after an action. */
export function here(
  { url, query }: Pick<ScreenRequest, 'url' | 'query'>,
  changed: Record<string, string | null> = {},
): string {
  const kept = new URLSearchParams(query);
  kept.delete('done');
  for (const [name, value] of Object.entries(changed))
    if (value === null) kept.delete(name);
    else kept.set(name, value);
  return kept.size === 0 ? url : `${url}?${kept}`;
}
