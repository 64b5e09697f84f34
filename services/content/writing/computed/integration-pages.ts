import { z } from 'zod';
import { apiError } from '../../../../shared/errors/errors.js';
import { safeParse } from '../../../../shared/text/schema-messages.js';
import { sha256 } from '../../../../shared/values/ids.js';
import type { PageEntry } from '../../core/revisions/revision-view.js';
import { newSlugClaims, slugOf } from '../../format/space/paths.js';

/** Limits for the answer of a script, which cannot be trusted. */
const maxPages = 1_000;
const maxDepth = 10;

/** A page as the script of an integration answers it. */
interface InputPage {
  type: PageEntry['type'];
  id?: string | undefined;
  title: string;
  slug?: string | undefined;
  description?: string | undefined;
  emoji?: string | undefined;
  icon?: string | undefined;
  target?: { kind: string; [field: string]: unknown } | undefined;
  computed?: { type: string; props?: unknown; dependencies?: unknown } | undefined;
  pages?: InputPage[] | undefined;
}

const inputPage: z.ZodType<InputPage> = z.object({
  type: z.enum(['document', 'group', 'link', 'computed']),
  id: z
    .string()
    .regex(/^[a-zA-Z0-9]{1,40}$/)
    .optional(),
  title: z.string().min(1).max(256),
  slug: z.string().max(100).optional(),
  description: z.string().max(300).optional(),
  emoji: z.string().max(50).optional(),
  icon: z.string().max(50).optional(),
  target: z.looseObject({ kind: z.string().max(50) }).optional(),
  computed: z
    .object({ type: z.string().max(300), props: z.unknown().optional(), dependencies: z.unknown().optional() })
    .optional(),
  pages: z.lazy(() => z.array(inputPage).max(maxPages)).optional(),
});
const answer = z.object({ pages: z.array(inputPage).max(maxPages).default([]) });

/** The pages that the script of an integration computed; equal seeds give pages without an id equal ids. Throws 422 for anything else. */
export function pagesOfIntegration(answered: unknown, seed: string): PageEntry[] {
  const parsed = safeParse(answer, answered);
  if (!parsed.success) throw apiError('UNPROCESSABLE', 'The integration answered no pages', 'integration_failed');
  let count = 0;
  const entriesOf = (pages: InputPage[], below: string, depth: number): PageEntry[] => {
    count += pages.length;
    if (count > maxPages || depth > maxDepth)
      throw apiError(
        'UNPROCESSABLE',
        `The integration answered more than ${maxPages} pages, or deeper than ${maxDepth}`,
        'integration_failed',
      );
    const claim = newSlugClaims();
    return pages.map(({ id, slug, pages: children = [], target, ...page }) => {
      const own = claim(slug || slugOf(page.title, 'page'));
      const path = below + own;
      return {
        ...page,
        ...(target ? { target: target as NonNullable<PageEntry['target']> } : {}),
        id: id ?? sha256(`${seed} ${path}`).slice(0, 24),
        slug: own,
        path,
        pages: entriesOf(children, `${path}/`, depth + 1),
      } as PageEntry;
    });
  };
  return entriesOf(parsed.data.pages, '', 1);
}
