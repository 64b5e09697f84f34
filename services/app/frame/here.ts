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

/** The address of the further entries of a list; undefined where there are none. `name`: of the parameter that says which. */
export const nextEntries = (
  request: Pick<ScreenRequest, 'url' | 'query'>,
  { next }: { next?: { page: string } | undefined },
  name = 'page',
): string | undefined => (next === undefined ? undefined : here(request, { [name]: next.page }));

/** Which part of a list a screen is asked for, as the lists of the API take it. */
export function pageOf(
  { query }: Pick<ScreenRequest, 'query'>,
  name = 'page',
): { page: string } | Record<never, never> {
  const page = query.get(name);
  return page === null ? {} : { page };
}
