import type { PageSection } from '../document/stored-page.js';

/** Characters of a page that a query is compared with. */
const maxSearched = 128 * 1024;

/** The sections at the start of a page that a query is compared with. */
export function sectionsToSearch<S extends Pick<PageSection, 'title' | 'text'>>(sections: S[]): S[] {
  let left = maxSearched;
  return sections.flatMap((section) => {
    const room = left - (section.title?.length ?? 0);
    left = room - section.text.length;
    if (room <= 0) return [];
    return [left >= 0 ? section : { ...section, text: section.text.slice(0, room) }];
  });
}
