import type { ScreenRequest } from './screen.js';

/** The address of the screen that is shown, with what it was asked for: which part of a list, found by which words. */
export function sameScreen(
  { url, query }: Pick<ScreenRequest, 'url' | 'query'>,
  changes: Record<string, string> = {},
): string {
  const asked = new URLSearchParams(query);
  asked.delete('done');
  for (const [name, value] of Object.entries(changes)) asked.set(name, value);
  return asked.size === 0 ? url : `${url}?${asked}`;
}

/** The address of the further entries of a list; undefined where there are none. `name`: of the parameter that says which. */
export const nextEntries = (
  request: Pick<ScreenRequest, 'url' | 'query'>,
  { next }: { next?: { page: string } | undefined },
  name = 'page',
): string | undefined => (next === undefined ? undefined : sameScreen(request, { [name]: next.page }));

/** Which part of a list a screen is asked for, as the lists of the API take it. */
export function pageOf(
  { query }: Pick<ScreenRequest, 'query'>,
  name = 'page',
): { page: string } | Record<never, never> {
  const page = query.get(name);
  return page === null ? {} : { page };
}
