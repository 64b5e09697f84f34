import { facts } from './page-facts.js';

interface Hit {
  title: string;
  href: string;
  body?: string;
}

interface FoundPage extends Hit {
  spaceId: string;
  pageId: string;
  crumbs?: string[];
  sections: Hit[];
}

export interface Found {
  results: FoundPage[];
  /** There may be more than these. */
  isCut: boolean;
}

const maxKept = 100;
const kept = new Map<string, Found>();
let running: AbortController | undefined;

/** Asks for results; a new question ends the one before. */
export async function search(query: string, scope: string): Promise<Found | 'failed'> {
  const address = `${facts.base}~search?${new URLSearchParams({ q: query, scope, from: location.pathname })}`;
  const known = kept.get(address);
  if (known) return known;
  running?.abort();
  running = new AbortController();
  try {
    const answer = await fetch(address, { headers: { Accept: 'application/json' }, signal: running.signal });
    if (!answer.ok) return 'failed';
    const found: Found = await answer.json();
    if (kept.size >= maxKept) kept.clear();
    kept.set(address, found);
    return found;
  } catch {
    return 'failed';
  }
}
